"""The model card: what answers, where it runs, and whether it may write."""

import asyncio
import contextlib

import reflex as rx

from deeptrust.domain import chat
from deeptrust.domain.chat import ModelPhase
from deeptrust.errors import DeepTrustError
from deeptrust.services import current_services
from deeptrust.ui.views.model import downloading_text

_POLL_SECONDS = 0.2
AUTO = "auto"
QUOTED = "quoted"
WRITTEN = "written"


class ModelState(rx.State):
    """The chat model as the pill and the card show it."""

    name: str = ""
    phase: str = ModelPhase.ABSENT.value
    progress: int = 0
    message: str = ""
    is_present: bool = False
    reaches_network: bool = False
    answers: str = AUTO
    embedder: str = ""
    search_leaves: bool = False
    writer_leaves: str = ""
    """Name of the model that passages would be sent to over the network now; empty if none would."""
    tracing_project: str = ""
    is_hosted: bool = False
    download: str = ""
    _is_watching: bool = False

    @rx.event
    def refresh(self):
        self._read()
        return ModelState.watch if self.phase == ModelPhase.LOADING.value or self.download else None

    @rx.event(background=True)
    async def load(self):
        """Load the model; a failure is told by the model's own state, which `watch` shows."""
        model = current_services().chat_model
        if model is not None:
            loading = asyncio.create_task(model.load())
            await asyncio.sleep(0)
            await _watch(self)
            with contextlib.suppress(DeepTrustError):
                await loading

    @rx.event(background=True)
    async def watch(self):
        """Show the progress of a load or a download that another page or a run began."""
        await _watch(self)

    @rx.event
    def choose(self, answers: str):
        """Choose how answers are made from the next question on."""
        if answers in (AUTO, QUOTED, WRITTEN) and current_services().settings.mode != "hosted":
            current_services().set_answers(answers)
            self._read()

    def _read(self):
        services = current_services()
        self.embedder, self.search_leaves = services.embedder.name, services.search_leaves
        writer = services.models.writer
        self.writer_leaves = writer.name if writer and writer.reaches_network else ""
        self.tracing_project = services.tracing_project or ""
        self.answers, self.is_hosted = services.answers, services.settings.mode == "hosted"
        self.download = downloading_text(services.selector.downloads())
        model = services.chat_model
        self.is_present = model is not None
        state = model.state if model else chat.ModelState(name="", phase=ModelPhase.ABSENT)
        self.name, self.phase, self.progress = state.name, state.phase.value, state.progress
        self.message, self.reaches_network = state.message, state.reaches_network


async def _watch(state: ModelState) -> None:
    """Show what changes until nothing loads or comes any more; one watcher a page is enough."""
    async with state:
        if state._is_watching:
            return
        state._is_watching = True
    try:
        is_busy = True
        while is_busy:
            async with state:
                state._read()
                is_busy = state.phase == ModelPhase.LOADING.value or bool(state.download)
            await asyncio.sleep(_POLL_SECONDS)
    finally:
        async with state:
            state._is_watching = False
