"""The models of an OpenAI-compatible server that the settings name."""

from pydantic import SecretStr

from deeptrust.domain.model import Backend, ModelOffer
from deeptrust.errors import DeepTrustError
from deeptrust.llm.address import check_address, is_loopback, show_address
from deeptrust.llm.base import ChatModel
from deeptrust.llm.downloads import Work
from deeptrust.llm.keys import KeyFile
from deeptrust.llm.openai_endpoint import EndpointModel, list_endpoint_models
from deeptrust.llm.sources.base import forbid_offline, parameters_in, writes_well
from deeptrust.settings import Settings

PREFIX = "endpoint:"
KEY_NAME = "endpoint"


class EndpointSource:
    """What the server lists. It is asked only if DEEPTRUST_ENDPOINT_URL is set, which is the person's own choice."""

    def __init__(self, settings: Settings, keys: KeyFile) -> None:
        """Nothing is asked yet.

        Raises:
            BadSetting: DEEPTRUST_ENDPOINT_URL is not an address.
        """
        self._settings = settings
        url = settings.endpoint_url
        self._url = check_address(url, "DEEPTRUST_ENDPOINT_URL") if url else ""
        self._keys = keys
        self._names: list[str] = []
        self._problem = "Not looked for yet."

    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`. Until the server lists its models, one line says what is missing."""
        if not self._url:
            return [self._offer(PREFIX, "Set DEEPTRUST_ENDPOINT_URL to its base address, usually ending in /v1.")]
        if self._problem:
            return [self._offer(PREFIX, self._problem)]
        return [self._offer(PREFIX + name) for name in self._names]

    async def refresh(self) -> None:
        """See `ModelSource`."""
        self._problem = forbid_offline(self._settings, reaches_network=not is_loopback(self._url))
        if not self._url or self._problem:
            return
        try:
            self._names = await list_endpoint_models(
                self._url, self.key(), connect_seconds=self._settings.connect_seconds
            )
            self._problem = "" if self._names else "The server lists no models."
        except DeepTrustError as error:
            self._names, self._problem = [], str(error)

    def build(self, model_id: str) -> ChatModel | None:
        """See `ModelSource`."""
        if not self.knows(model_id):
            return None
        return EndpointModel(
            model_id.removeprefix(PREFIX),
            url=self._url,
            key=self.key(),
            context_tokens=self._settings.context_tokens,
            max_tokens=self._settings.max_new_tokens,
            temperature=self._settings.temperature,
            connect_seconds=self._settings.connect_seconds,
        )

    def knows(self, model_id: str) -> bool:
        """See `ModelSource`."""
        return model_id.startswith(PREFIX) and len(model_id) > len(PREFIX)

    def download(self, model_id: str) -> Work | None:
        """There is nothing to download."""
        return None

    def key(self) -> SecretStr | None:
        """The key of the environment, else that of the home.

        Raises:
            StoreUnavailable: the file of keys cannot be read.
        """
        return self._settings.endpoint_key or self._keys.read(KEY_NAME)

    def _offer(self, model_id: str, message: str = "") -> ModelOffer:
        name = model_id.removeprefix(PREFIX)
        host = show_address(self._url) if self._url else "any server that speaks OpenAI's chat completions"
        return ModelOffer(
            id=model_id,
            name=name or "OpenAI-compatible server",
            backend=Backend.ENDPOINT,
            reaches_network=bool(self._url) and not is_loopback(self._url),
            is_ready=not message,
            is_chosen=False,
            writes=writes_well(parameters_in(name)),
            description=f"Run by {host}.",
            message=message,
            context_tokens=self._settings.context_tokens if name else None,
        )
