"""Where model servers are, and the key of one: from the environment, else as a person keeps it in their home."""

import logging
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import SecretStr

from deeptrust.errors import BadInput, BadSetting, Conflict
from deeptrust.llm.choice import ChoiceFile
from deeptrust.llm.keys import KeyFile
from deeptrust.network.address import check_address, is_loopback
from deeptrust.settings import PREFIX, Settings

logger = logging.getLogger(__name__)

ServerSetting: TypeAlias = Literal["ollama_url", "endpoint_url", "endpoint_model"]
KeyPlace: TypeAlias = Literal["", "setting", "home"]

ENDPOINT_KEY = "endpoint"
_MOST_CHARACTERS = 500


class ServerSettings:
    """What the environment sets wins; the rest may be kept in the home, and changed while the program runs."""

    def __init__(self, settings: Settings, choice: ChoiceFile, keys: KeyFile) -> None:
        self._settings = settings
        self._choice = choice
        self._keys = keys

    def value(self, name: ServerSetting) -> str:
        """Return an address without a slash at its end, or a name; empty where there is none.

        Raises:
            BadSetting: the environment sets what is no address. In the home that counts for nothing.
        """
        set_value = str(getattr(self._settings, name))
        if self.is_fixed(name):
            return _check_set(name, set_value)
        kept = self._choice.setting(name)
        try:
            return _check_kept(name, kept) if kept else set_value
        except BadInput:
            logger.warning("%s in model.json of the home is not usable, so it does not count", name)
            return set_value

    def is_fixed(self, name: ServerSetting) -> bool:
        """Whether the environment sets it."""
        return name in self._settings.model_fields_set

    def is_kept(self, name: ServerSetting) -> bool:
        """Whether the home has it, and it counts."""
        return not self.is_fixed(name) and bool(self._choice.setting(name))

    def keep(self, name: ServerSetting, value: str) -> None:
        """Keep a value in the home; an empty one is forgotten. A kept key is for one address: with that it goes.

        Raises:
            BadInput: it is no address, or no name.
            Conflict: the environment decides, the address would leave the machine while nothing may, or this server is
                hosted: visitors must not send it to addresses of their choice.
            StoreUnavailable: the home cannot be written.
        """
        self._refuse_hosted()
        value = value.strip()
        if self.is_fixed(name):
            raise Conflict(f"{variable(name)} is set and wins. Take it away to choose here.")
        if value:
            value = _check_kept(name, value)
        if name != "endpoint_model" and value and self._settings.offline and not is_loopback(value):
            raise Conflict("This address is beyond this machine, which --offline forbids. Start DeepTrust without it.")
        if name == "endpoint_url":
            self._let_go_of_key(value)
        self._choice.keep(name, value)

    def key(self) -> SecretStr | None:
        """Return the key of the endpoint: of the environment, else of the home.

        Raises:
            StoreUnavailable: the file of keys cannot be used.
        """
        return self._settings.endpoint_key or self._keys.read(ENDPOINT_KEY)

    def key_place(self) -> KeyPlace:
        """Where the key of the endpoint comes from; empty where there is none. The key itself is never shown."""
        if self._settings.endpoint_key:
            return "setting"
        return "home" if self._keys.read(ENDPOINT_KEY) else ""

    def keep_key(self, name: str, key: SecretStr) -> None:
        """Keep a key in the home, or forget it where `key` is empty.

        Raises:
            BadInput: there is no key of this name, or it cannot be one.
            Conflict: the environment decides, or this server is hosted.
            StoreUnavailable: the home cannot be written.
        """
        self._refuse_hosted()
        if self._settings.endpoint_key:
            raise Conflict("DEEPTRUST_ENDPOINT_KEY is set and wins. Take it away to keep a key here.")
        self._keys.write(name, key)

    def _refuse_hosted(self) -> None:
        if self._settings.mode == "hosted":
            raise Conflict("The operator of this server looks after its models.")

    def _let_go_of_key(self, address: str) -> None:
        """A key must never reach another server than the one that it was given for."""
        if _origin(address) == _origin(self.value("endpoint_url")):
            return
        if self._settings.endpoint_key:
            raise Conflict(
                "DEEPTRUST_ENDPOINT_KEY is set, so the address that it is for must be set beside it: "
                "DEEPTRUST_ENDPOINT_URL."
            )
        if self._keys.read(ENDPOINT_KEY):
            self._keys.write(ENDPOINT_KEY, SecretStr(""))


def variable(name: ServerSetting) -> str:
    """Return the variable of the environment for a setting."""
    return PREFIX + name.upper()


def _check_set(name: ServerSetting, value: str) -> str:
    return check_address(value, variable(name)) if value and name != "endpoint_model" else value.strip()


def _check_kept(name: ServerSetting, value: str) -> str:
    if len(value) > _MOST_CHARACTERS or not value.isprintable():
        raise BadInput("This is too long, or has characters that no name and no address has.")
    if name == "endpoint_model":
        return value
    try:
        address = check_address(value, "This")
    except BadSetting as error:
        raise BadInput(str(error)) from error
    if "@" in urlsplit(address).netloc:
        raise BadInput("An address that is kept has no name and no password in it. Give the key in its own field.")
    return address


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc.lower()
