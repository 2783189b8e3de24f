"""The model card: what answers, where it runs, and whether it may write."""

import asyncio

import reflex as rx

from deeptrust.domain.chat import ModelPhase
from deeptrust.errors import DeepTrustError
from deeptrust.services import current_services

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

    @rx.event
    def refresh(self):
        self._read()

    @rx.event(background=True)
    async def load(self):
        """Load the model, showing its progress; a failure is told by the model's own state."""
        model = current_services().chat_model
        if model is None:
            return
        loading = asyncio.create_task(model.load())
        while not loading.done():
            await asyncio.wait({loading}, timeout=_POLL_SECONDS)
            async with self:
                self._read()
        failure = loading.exception()
        if failure and not isinstance(failure, DeepTrustError):
            raise failure

    @rx.event
    def choose(self, answers: str):
        """Choose how answers are made from the next question on."""
        if answers in (AUTO, QUOTED, WRITTEN):
            current_services().set_answers(answers)
            self._read()

    def _read(self):
        services = current_services()
        self.embedder = services.embedder.name
        self.answers = services.answers
        self.is_present = services.chat_model is not None
        if services.chat_model is not None:
            state = services.chat_model.state
            self.name, self.phase, self.progress = state.name, state.phase.value, state.progress
            self.message, self.reaches_network = state.message, state.reaches_network
