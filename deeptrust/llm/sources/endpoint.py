"""The models of an OpenAI-compatible server: those that it lists, and one that the person names."""

from deeptrust.domain.model import Backend, ModelOffer
from deeptrust.llm.base import ChatModel
from deeptrust.llm.openai_endpoint import EndpointModel, list_endpoint_models
from deeptrust.llm.served import ServingOptions
from deeptrust.llm.server_settings import ServerSettings
from deeptrust.llm.sources.base import parameters_in, writes_well
from deeptrust.llm.sources.server import ServerSource
from deeptrust.network.address import show_address
from deeptrust.settings import Settings

_NAME_IT = "Name the one to use on the settings page, or with DEEPTRUST_ENDPOINT_MODEL"


class EndpointSource(ServerSource):
    """The server is asked only if it has an address, which is the person's own choice."""

    prefix = "endpoint:"
    address = "endpoint_url"

    def __init__(self, settings: Settings, servers: ServerSettings) -> None:
        super().__init__(settings, servers)
        self._names: list[str] = []

    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`. Until a model is known, one line says what is missing."""
        if not self._url:
            fix = "Give its base address on the settings page, or set DEEPTRUST_ENDPOINT_URL; it usually ends in /v1."
            return [self._offer(self.prefix, fix)]
        if self._problem:
            return [self._offer(self.prefix, self._problem)]
        return [self._offer(self.prefix + name) for name in self._names]

    async def _look(self, url: str) -> str:
        listed = await list_endpoint_models(url, self._servers.key(), connect_seconds=self._settings.connect_seconds)
        named = self._servers.value("endpoint_model")
        self._names = sorted({*(listed or ()), *filter(None, [named])})
        if self._names:
            return ""
        if listed is None:
            return f"The server keeps no list of its models. {_NAME_IT}. Its address usually ends in /v1."
        return f"The server lists no models. {_NAME_IT}."

    def _make(self, name: str, options: ServingOptions) -> ChatModel:
        return EndpointModel(name, options, url=self._url, key=self._servers.key())

    def _offer(self, model_id: str, message: str = "") -> ModelOffer:
        name = self._name(model_id)
        host = show_address(self._url) if self._url else "any server that speaks OpenAI's chat completions"
        return ModelOffer(
            id=model_id,
            name=name or "OpenAI-compatible server",
            backend=Backend.ENDPOINT,
            reaches_network=self._is_away,
            is_ready=not message,
            writes=writes_well(parameters_in(name)),
            description=f"Run by {host}.",
            message=message,
            context_tokens=self._settings.context_tokens if name else None,
        )
