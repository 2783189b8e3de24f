"""The models of an Ollama server: those that are there, and one that is worth pulling."""

from contextlib import aclosing

from deeptrust.domain.model import Backend, DownloadPhase, ModelOffer
from deeptrust.errors import DeepTrustError, ModelUnavailable
from deeptrust.llm.address import check_address, is_loopback
from deeptrust.llm.base import ChatModel
from deeptrust.llm.downloads import Tell, Work
from deeptrust.llm.ollama import OllamaModel, is_cloud
from deeptrust.llm.ollama_models import OllamaEntry, list_ollama_models, pull_model
from deeptrust.llm.sources.base import forbid_offline, parameters_in, writes_well
from deeptrust.settings import Settings

PREFIX = "ollama:"
PREFERRED = "ollama:qwen3:8b"
"""Taken first where nothing is chosen (K07)."""


class OllamaSource:
    """What `ollama list` shows, without the models that only embed."""

    def __init__(self, settings: Settings) -> None:
        """Nothing is asked yet.

        Raises:
            BadSetting: DEEPTRUST_OLLAMA_URL is not an address.
        """
        self._settings = settings
        self._url = check_address(settings.ollama_url, "DEEPTRUST_OLLAMA_URL")
        self._entries: list[OllamaEntry] = []
        self._problem = "Not looked for yet."

    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`. While Ollama is out of reach, one line says so."""
        if self._problem:
            return [self._offer(PREFERRED, self._problem)]
        offers = [self._describe(entry) for entry in self._entries if entry.writes]
        if all(offer.id != PREFERRED for offer in offers):
            missing = self._offer(PREFERRED, "Ollama does not have it yet (about 5.2 GB).")
            offers.append(missing.model_copy(update={"can_download": True}))
        return offers

    async def refresh(self) -> None:
        """See `ModelSource`."""
        self._problem = forbid_offline(self._settings, reaches_network=not is_loopback(self._url))
        if self._problem:
            return
        try:
            self._entries = await list_ollama_models(self._url, connect_seconds=self._settings.connect_seconds)
            self._problem = ""
        except DeepTrustError as error:
            self._entries, self._problem = [], str(error)

    def build(self, model_id: str) -> ChatModel | None:
        """See `ModelSource`."""
        if not self.knows(model_id):
            return None
        return OllamaModel(
            model_id.removeprefix(PREFIX),
            url=self._url,
            context_tokens=self._settings.context_tokens,
            max_tokens=self._settings.max_new_tokens,
            temperature=self._settings.temperature,
            connect_seconds=self._settings.connect_seconds,
        )

    def knows(self, model_id: str) -> bool:
        """See `ModelSource`."""
        return model_id.startswith(PREFIX) and len(model_id) > len(PREFIX)

    def download(self, model_id: str) -> Work | None:
        """See `ModelSource`: Ollama pulls it."""
        if not self.knows(model_id):
            return None

        async def work(tell: Tell) -> None:
            name = model_id.removeprefix(PREFIX)
            async with aclosing(pull_model(self._url, name)) as steps:
                async for progress in steps:
                    if progress.phase is DownloadPhase.DONE:
                        await self.refresh()  # before it is told, so that who hears of it finds the model
                    tell(progress)
                    if progress.phase is DownloadPhase.FAILED:
                        raise ModelUnavailable(progress.message)

        return work

    def _describe(self, entry: OllamaEntry) -> ModelOffer:
        parameters = parameters_in(entry.parameters) or parameters_in(entry.name)
        window = min(entry.context_tokens or self._settings.context_tokens, self._settings.context_tokens)
        return self._offer(PREFIX + entry.name).model_copy(
            update={
                "writes": writes_well(parameters),
                "description": f"{entry.parameters} parameters, run by Ollama."
                if entry.parameters
                else "Run by Ollama.",
                "size_bytes": entry.size_bytes,
                "context_tokens": window,
            }
        )

    def _offer(self, model_id: str, message: str = "") -> ModelOffer:
        name = model_id.removeprefix(PREFIX)
        reaches_network = not is_loopback(self._url) or is_cloud(name)
        message = message or forbid_offline(self._settings, reaches_network=reaches_network)
        return ModelOffer(
            id=model_id,
            name=name,
            backend=Backend.OLLAMA,
            reaches_network=reaches_network,
            is_ready=not message,
            is_chosen=False,
            writes=writes_well(parameters_in(name)),
            description="Run by Ollama.",
            message=message,
        )
