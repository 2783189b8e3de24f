"""Models of the catalogue: GGUF files that are downloaded once and then run in this process."""

from collections.abc import Sequence
from pathlib import Path

from deeptrust.domain.model import Backend, DownloadPhase, ModelOffer
from deeptrust.errors import Conflict
from deeptrust.llm.base import ChatModel
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.catalogue import CATALOGUE, CataloguedModel
from deeptrust.llm.downloads import Meter, Tell, Work
from deeptrust.llm.hub import Hub
from deeptrust.llm.memory import gigabytes
from deeptrust.llm.part_file import digest_of, part_size
from deeptrust.llm.sources.base import writes_well
from deeptrust.llm.windows import find_shortage
from deeptrust.settings import Settings


class DownloadedSource:
    """The catalogue, as it stands in the models' folder."""

    def __init__(
        self, settings: Settings, home: Path, hub: Hub, catalogue: Sequence[CataloguedModel] = CATALOGUE
    ) -> None:
        """Files go to HF_CACHE_DIR, or to `models` in `home`."""
        self._settings = settings
        self._folder = (settings.models or home / "models").expanduser().absolute()
        self._hub = hub
        self._models = {model.id: model for model in catalogue}

    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`."""
        return [self._offer(model) for model in self._models.values()]

    async def refresh(self) -> None:
        """The folder is read each time."""

    def build(self, model_id: str) -> ChatModel | None:
        """See `ModelSource`."""
        if model_id not in self._models:
            return None
        model = self._models[model_id]
        return BundledModel(
            weights=model.weights,
            file=self._path(model),
            max_tokens=self._settings.max_new_tokens,
            temperature=self._settings.temperature,
        )

    def knows(self, model_id: str) -> bool:
        """See `ModelSource`."""
        return model_id in self._models

    def download(self, model_id: str) -> Work | None:
        """See `ModelSource`."""
        model = self._models.get(model_id)
        if model is None:
            return None
        if shortage := find_shortage(model.file.size_bytes, model.weights):
            raise Conflict(shortage)
        if self._hub.reaches_network and self._settings.offline:
            raise Conflict("Nothing is downloaded offline. Start DeepTrust without --offline first.")

        async def work(tell: Tell) -> None:
            meter = Meter(model.id, model.file.size_bytes, tell)
            if not await self._is_sound(model, meter):
                await self._hub.fetch(model.file, self._folder, meter)
            meter(DownloadPhase.DONE, model.file.size_bytes, "")

        return work

    def _offer(self, model: CataloguedModel) -> ModelOffer:
        shortage = find_shortage(model.file.size_bytes, model.weights)
        message = shortage or self._missing(model)
        return ModelOffer(
            id=model.id,
            name=model.name,
            backend=Backend.DOWNLOADED,
            reaches_network=False,
            is_ready=not message,
            writes=writes_well(model.parameters),
            description=f"{model.description} {model.licence}.",
            message=message,
            size_bytes=model.file.size_bytes,
            context_tokens=model.context_tokens,
            can_download=bool(message) and not shortage,
        )

    def _missing(self, model: CataloguedModel) -> str:
        if self._is_here(model):
            return ""
        whole, part = model.file.size_bytes, part_size(self._folder, model.file.name)
        if part:
            return f"{gigabytes(part)} of {gigabytes(whole)} are here; the download goes on from there."
        return f"Not downloaded yet ({gigabytes(whole)})."

    def _is_here(self, model: CataloguedModel) -> bool:
        """Whether the file is there in its size; its hash is checked at each load."""
        try:
            return self._path(model).stat().st_size == model.file.size_bytes
        except OSError:
            return False

    async def _is_sound(self, model: CataloguedModel, meter: Meter) -> bool:
        """Whether the file need not be fetched; a damaged one does, so that a download mends it (LLM-16)."""
        if not self._is_here(model):
            return False
        meter(DownloadPhase.CHECKING, model.file.size_bytes, "")
        return await digest_of(self._path(model)) == model.file.sha256

    def _path(self, model: CataloguedModel) -> Path:
        return self._folder / model.file.name
