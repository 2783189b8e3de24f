"""What all servers of models have in common: an address, a list, and ids that begin with what runs them."""

from abc import ABC, abstractmethod
from typing import ClassVar

from deeptrust.domain.model import ModelOffer
from deeptrust.errors import DeepTrustError
from deeptrust.llm.base import ChatModel
from deeptrust.llm.downloads import Work
from deeptrust.llm.served import ServingOptions
from deeptrust.llm.server_settings import ServerSetting, ServerSettings
from deeptrust.llm.sources.base import forbid_offline
from deeptrust.network.address import is_loopback
from deeptrust.settings import Settings


class ServerSource(ABC):
    """A `ModelSource` behind one address, which may be changed while the program runs."""

    prefix: ClassVar[str]
    address: ClassVar[ServerSetting]
    """The setting that holds it."""

    def __init__(self, settings: Settings, servers: ServerSettings) -> None:
        """Nothing is asked yet.

        Raises:
            BadSetting: the environment sets what is no address.
        """
        self._settings = settings
        self._servers = servers
        self._problem = "Not looked for yet."
        servers.value(self.address)

    @abstractmethod
    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`. While the server is out of reach, one line says so."""

    async def refresh(self) -> None:
        """See `ModelSource`."""
        self._problem = forbid_offline(self._settings, reaches_network=self._is_away)
        if self._problem or not self._url:
            return
        try:
            self._problem = await self._look(self._url)
        except DeepTrustError as error:
            self._problem = str(error)

    def build(self, model_id: str) -> ChatModel | None:
        """See `ModelSource`."""
        if not self.knows(model_id):
            return None
        options = ServingOptions(
            context_tokens=self._settings.context_tokens,
            max_tokens=self._settings.max_new_tokens,
            temperature=self._settings.temperature,
            connect_seconds=self._settings.connect_seconds,
        )
        return self._make(self._name(model_id), options)

    def knows(self, model_id: str) -> bool:
        """See `ModelSource`."""
        return model_id.startswith(self.prefix) and bool(self._name(model_id))

    def download(self, model_id: str) -> Work | None:
        """There is nothing to download, unless the server can."""
        return None

    @abstractmethod
    async def _look(self, url: str) -> str:
        """Ask the server what it has; return what keeps its models from being used, or an empty text.

        Raises:
            ModelUnavailable: it cannot be asked.
        """

    @abstractmethod
    def _make(self, name: str, options: ServingOptions) -> ChatModel:
        """Return the model, not loaded."""

    @property
    def _url(self) -> str:
        return self._servers.value(self.address)

    @property
    def _is_away(self) -> bool:
        return bool(self._url) and not is_loopback(self._url)

    def _name(self, model_id: str) -> str:
        return model_id.removeprefix(self.prefix)
