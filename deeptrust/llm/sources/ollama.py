"""The models of an Ollama server: those that are there, and one that is worth pulling."""

from contextlib import aclosing

from deeptrust.domain.model import Backend, DownloadPhase, ModelOffer
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.downloads import Tell, Work
from deeptrust.llm.ollama import OllamaModel, is_cloud
from deeptrust.llm.ollama_models import OllamaEntry, list_ollama_models, pull_model
from deeptrust.llm.served import ServingOptions
from deeptrust.llm.server_settings import ServerSettings
from deeptrust.llm.sources.base import forbid_offline, parameters_in, writes_well
from deeptrust.llm.sources.server import ServerSource
from deeptrust.settings import Settings

PREFERRED = "ollama:qwen3:8b"
"""Taken first where nothing is chosen (K07)."""


class OllamaSource(ServerSource):
    """What `ollama list` shows, without the models that only embed."""

    prefix = "ollama:"
    address = "ollama_url"

    def __init__(self, settings: Settings, servers: ServerSettings) -> None:
        super().__init__(settings, servers)
        self._entries: list[OllamaEntry] = []

    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`. While Ollama is out of reach, one line says so."""
        if self._problem:
            return [self._offer(PREFERRED, self._problem)]
        offers = [self._describe(entry) for entry in self._entries if entry.writes]
        if all(offer.id != PREFERRED for offer in offers):
            missing = self._offer(PREFERRED, "Ollama does not have it yet (about 5.2 GB).")
            offers.append(missing.model_copy(update={"can_download": True}))
        return offers

    def download(self, model_id: str) -> Work | None:
        """See `ModelSource`: Ollama pulls it."""
        if not self.knows(model_id):
            return None

        async def work(tell: Tell) -> None:
            connect_seconds = self._settings.connect_seconds
            async with aclosing(pull_model(self._url, self._name(model_id), connect_seconds=connect_seconds)) as steps:
                async for progress in steps:
                    if progress.phase is DownloadPhase.DONE:
                        await self.refresh()  # before it is told, so that who hears of it finds the model
                    tell(progress)
                    if progress.phase is DownloadPhase.FAILED:
                        raise ModelUnavailable(progress.message)

        return work

    async def _look(self, url: str) -> str:
        self._entries = await list_ollama_models(url, connect_seconds=self._settings.connect_seconds)
        return ""

    def _make(self, name: str, options: ServingOptions) -> ChatModel:
        return OllamaModel(name, options, url=self._url, is_passed_on=self._is_passed_on(name))

    def _is_passed_on(self, name: str) -> bool:
        return is_cloud(name) or any(entry.is_passed_on for entry in self._entries if entry.name == name)

    def _describe(self, entry: OllamaEntry) -> ModelOffer:
        window = min(entry.context_tokens or self._settings.context_tokens, self._settings.context_tokens)
        size = f"{entry.parameters} parameters, run" if entry.parameters else "Run"
        return self._offer(self.prefix + entry.name).model_copy(
            update={
                "writes": writes_well(parameters_in(entry.parameters) or parameters_in(entry.name)),
                "description": f"{size} by Ollama.",
                "size_bytes": entry.size_bytes,
                "context_tokens": window,
            }
        )

    def _offer(self, model_id: str, message: str = "") -> ModelOffer:
        name = self._name(model_id)
        is_passed_on = self._is_passed_on(name)
        reaches_network = self._is_away or is_passed_on
        message = message or forbid_offline(self._settings, reaches_network=reaches_network)
        return ModelOffer(
            id=model_id,
            name=name,
            backend=Backend.OLLAMA,
            reaches_network=reaches_network,
            is_passed_on=is_passed_on,
            is_ready=not message,
            writes=writes_well(parameters_in(name)),
            description="Run by Ollama.",
            message=message,
        )
