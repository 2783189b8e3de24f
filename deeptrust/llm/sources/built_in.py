"""What needs no server and no download: quoting without a model, the model that ships, and the scripted one."""

from deeptrust.domain.model import Backend, ModelOffer
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.downloads import Work
from deeptrust.llm.scripted import ScriptedModel
from deeptrust.llm.weights import SMOLLM2_135M, locate_weights
from deeptrust.settings import Settings

EXTRACTIVE = "none"
BUNDLED = "bundled"
SCRIPTED = "scripted"


class BuiltInSource:
    """Always there; the scripted model is offered only where the settings name it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`."""
        offers = [_QUOTES, _bundled()]
        return [*offers, _SCRIPTED] if self._settings.chat_model == SCRIPTED else offers

    async def refresh(self) -> None:
        """Nothing changes while the program runs."""

    def build(self, model_id: str) -> ChatModel | None:
        """See `ModelSource`."""
        if model_id == SCRIPTED:
            return ScriptedModel()
        if model_id != BUNDLED:
            return None
        return BundledModel(max_tokens=self._settings.max_new_tokens, temperature=self._settings.temperature)

    def knows(self, model_id: str) -> bool:
        """See `ModelSource`."""
        return model_id in (EXTRACTIVE, BUNDLED, SCRIPTED)

    def download(self, model_id: str) -> Work | None:
        """There is nothing to download."""
        return None


def _bundled() -> ModelOffer:
    try:
        size, message = locate_weights(SMOLLM2_135M).stat().st_size, ""
    except ModelUnavailable as error:
        size, message = None, str(error)
    return ModelOffer(
        id=BUNDLED,
        name=SMOLLM2_135M.name,
        backend=Backend.BUNDLED,
        reaches_network=False,
        is_ready=not message,
        writes=False,
        description="Ships with DeepTrust; very small, so answers quote unless you let it write.",
        message=message,
        size_bytes=size,
        context_tokens=SMOLLM2_135M.context_tokens,
    )


def _part_of_the_program(model_id: str, name: str, backend: Backend, description: str, *, writes: bool) -> ModelOffer:
    return ModelOffer(
        id=model_id,
        name=name,
        backend=backend,
        reaches_network=False,
        is_ready=True,
        writes=writes,
        description=description,
    )


_QUOTES = _part_of_the_program(
    EXTRACTIVE,
    "Quotes, no model",
    Backend.EXTRACTIVE,
    "Answers quote your documents word by word.",
    writes=False,
)
_SCRIPTED = _part_of_the_program(
    SCRIPTED, "Scripted", Backend.SCRIPTED, "Says what it is told to; for demonstrations and tests.", writes=True
)
