"""Where models beyond this program come from: addresses, and the key of an endpoint."""

import reflex as rx
from pydantic import SecretStr

from deeptrust.errors import DeepTrustError
from deeptrust.llm.server_settings import ServerSetting
from deeptrust.network.address import is_loopback, show_address
from deeptrust.services import current_services
from deeptrust.ui.forms import field_of
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.state.offers import OffersState

ENDPOINT = "endpoint"
MOST_KEY_CHARACTERS = 4_000
MOST_CHARACTERS = 500

_WORDS: dict[ServerSetting, str] = {"ollama_url": "Address", "endpoint_url": "Address", "endpoint_model": "Model"}
"""What a form may keep, and what is said of it."""


class ServersState(rx.State):
    """What is known of the servers. A key is never here: it goes from the form to its file, and does not come back."""

    ollama: str = ""
    is_ollama_away: bool = False
    is_ollama_fixed: bool = False
    endpoint: str = ""
    is_endpoint_away: bool = False
    is_endpoint_fixed: bool = False
    endpoint_model: str = ""
    is_model_fixed: bool = False
    key_place: str = ""
    is_hosted: bool = False
    failed: str = ""
    problem: str = ""
    announcement: str = ""

    @rx.event
    def refresh(self):
        self.problem = ""
        self._read()

    @rx.event
    async def keep(self, form: dict):
        """Keep an address, or the name of a model, and look for models there; an empty one is forgotten."""
        name = next((name for name in _WORDS if isinstance(form, dict) and name in form), None)
        if name is None:
            return
        self.failed, self.problem = name.partition("_")[0], ""
        value = field_of(form, name, MOST_CHARACTERS).strip()
        try:
            await current_services().selector.set_server(name, value)
            self.announcement = f"{_WORDS[name]} {'kept' if value else 'forgotten'}."
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)
        await self._show()

    @rx.event
    async def keep_key(self, form: dict):
        """Keep a key in the home, where only its owner can read it, and look for models with it."""
        key = SecretStr(field_of(form, "key", MOST_KEY_CHARACTERS).strip())
        if not key.get_secret_value():
            self.failed = ENDPOINT
            self.problem = "The key is empty. Paste the key that the server's operator gave you."
            return None
        return await self._set(key, "Key kept.")

    @rx.event
    async def forget_key(self):
        """Delete the key that is kept in the home."""
        return await self._set(SecretStr(""), "Key deleted.")

    async def _set(self, key: SecretStr, word: str):
        self.failed, self.problem = ENDPOINT, ""
        try:
            await current_services().selector.set_key(ENDPOINT, key)
            self.announcement = word
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)
        await self._show()
        return rx.set_value("endpoint-key", "")

    async def _show(self):
        self._read()
        (await self.get_state(OffersState))._show()
        (await self.get_state(ModelState))._read()

    def _read(self):
        services = current_services()
        self.is_hosted = services.settings.mode == "hosted"
        if self.is_hosted:
            return
        servers = services.selector.servers
        ollama, endpoint = servers.value("ollama_url"), servers.value("endpoint_url")
        self.ollama, self.is_ollama_away = show_address(ollama), not is_loopback(ollama)
        self.endpoint = show_address(endpoint) if endpoint else ""
        self.is_endpoint_away = bool(endpoint) and not is_loopback(endpoint)
        self.endpoint_model = servers.value("endpoint_model")
        self.is_ollama_fixed = servers.is_fixed("ollama_url")
        self.is_endpoint_fixed = servers.is_fixed("endpoint_url")
        self.is_model_fixed = servers.is_fixed("endpoint_model")
        try:
            self.key_place = servers.key_place()
        except DeepTrustError as error:
            self.failed, self.problem = ENDPOINT, str(error)
