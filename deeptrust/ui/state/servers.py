"""Where models beyond this program come from: addresses, which settings name, and the key of an endpoint."""

import reflex as rx
from pydantic import SecretStr

from deeptrust.errors import DeepTrustError
from deeptrust.llm.address import is_loopback, show_address
from deeptrust.services import current_services
from deeptrust.ui.forms import field_of
from deeptrust.ui.state.offers import OffersState

ENDPOINT = "endpoint"
MOST_KEY_CHARACTERS = 4_000


class ServersState(rx.State):
    """What is known of the servers. A key is never here: it goes from the form to its file, and does not come back."""

    ollama: str = ""
    is_ollama_away: bool = False
    endpoint: str = ""
    is_endpoint_away: bool = False
    key_place: str = ""
    is_hosted: bool = False
    problem: str = ""
    announcement: str = ""

    @rx.event
    def refresh(self):
        self.problem = ""
        self._read()

    @rx.event
    async def keep_key(self, form: dict):
        """Keep a key in the home, where only its owner can read it, and look for models with it."""
        key = SecretStr(field_of(form, "key", MOST_KEY_CHARACTERS).strip())
        if not key.get_secret_value():
            self.problem = "The key is empty. Paste the key that the server's operator gave you."
            return None
        return await self._set(key, "Key kept.")

    @rx.event
    async def forget_key(self):
        """Delete the key that is kept in the home."""
        return await self._set(SecretStr(""), "Key deleted.")

    async def _set(self, key: SecretStr, word: str):
        self.problem = ""
        try:
            await current_services().selector.set_key(ENDPOINT, key)
            self.announcement = word
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)
        self._read()
        (await self.get_state(OffersState))._show()
        return rx.set_value("endpoint-key", "")

    def _read(self):
        services = current_services()
        settings = services.settings
        self.is_hosted = settings.mode == "hosted"
        if self.is_hosted:
            return
        self.ollama, self.is_ollama_away = show_address(settings.ollama_url), not is_loopback(settings.ollama_url)
        self.endpoint = show_address(settings.endpoint_url) if settings.endpoint_url else ""
        self.is_endpoint_away = bool(settings.endpoint_url) and not is_loopback(settings.endpoint_url)
        try:
            self.key_place = services.selector.key_place(ENDPOINT)
        except DeepTrustError as error:
            self.problem = str(error)
