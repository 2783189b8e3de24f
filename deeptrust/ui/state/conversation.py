"""The conversation: opening one, asking, stopping."""

import time
from dataclasses import replace

import reflex as rx

from deeptrust.domain.question import check_question
from deeptrust.domain.run import RunKind, Sources
from deeptrust.errors import DeepTrustError
from deeptrust.services import current_services
from deeptrust.ui.starters import CHIPS, STARTERS
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.composer import ComposerState
from deeptrust.ui.state.conversation_data import ConversationData
from deeptrust.ui.state.evidence import EvidenceState
from deeptrust.ui.state.following import cancel_run, carry_out, follow_run
from deeptrust.ui.views import run as views
from deeptrust.ui.views.plan import plan_of
from deeptrust.ui.views.run import Turn
from deeptrust.ui.views.trace import trace_of

PAGE_SIZE = 10


class ConversationState(ConversationData, rx.State):
    """What a person can do with the open conversation."""

    _shown: int = PAGE_SIZE

    @rx.event
    async def open_page(self):
        """Build the page from the log alone, at any moment: first visit, reload, connection lost and found (UI-16)."""
        if self.is_busy and not self.turns[-1].run_id:
            return None  # a bubble whose run is not stored yet: `carry_out` still holds it
        return await self._open(self.thread_id if self._opened is None else self._opened)

    @rx.event
    async def open_thread(self, thread_id: str):
        self._shown = PAGE_SIZE
        (await self.get_state(EvidenceState))._close()
        return await self._open(str(thread_id))

    @rx.event
    async def show_earlier(self):
        self._shown += PAGE_SIZE
        return await self._open(self.thread_id)

    @rx.event
    async def start_new(self):
        """Leave the conversation; a run that is going on goes on."""
        self._clear()
        (await self.get_state(EvidenceState))._close()
        return [rx.set_value("question", ""), rx.set_focus("question")]

    @rx.event
    async def ask(self, question: str, is_still: bool = False):
        """Ask what stands in the box. `is_still`: the person wants no motion, so show the answer at once."""
        return await self._begin(str(question), bool(is_still), with_samples=False)

    @rx.event
    async def ask_again(self, run_id: str, is_still: bool = False):
        """Start the question of a run anew, as it was asked."""
        services = current_services()
        try:
            run = await services.history.find(owner_of(self), str(run_id))
        except DeepTrustError as error:
            self.problem = str(error)
            return None
        return await self._begin(run.question, bool(is_still), with_samples=False, asked=(run.kind, run.sources))

    @rx.event
    async def start_with(self, number: int, is_still: bool = False):
        """Run a starter card; the samples come first when there is nothing to read yet."""
        return await self._begin(STARTERS[int(number) % len(STARTERS)].question, bool(is_still), with_samples=True)

    @rx.event
    def forget_problem(self):
        self.problem = ""

    @rx.event(background=True)
    async def carry_out(self, with_samples: bool):
        """Start the run of the bubble that is already on the page (D41), and follow it."""
        await carry_out(self, bool(with_samples))

    @rx.event
    async def use_chip(self, number: int, box: str, is_still: bool = False):
        """Fill an example into an empty box; shape and run what stands in a filled one (K20)."""
        composer = await self.get_state(ComposerState)
        chips = CHIPS[composer._kind()]
        chip = chips[int(number) % len(chips)]
        composer._allow(chip.reach)
        if not str(box).strip():
            return [rx.set_value("question", chip.example), rx.set_focus("question")]
        return ConversationState.ask(chip.shaped(str(box)), is_still)

    @rx.event(background=True)
    async def follow(self, run_id: str, after: int = 0):
        """Follow a run that was under way when the page was opened, from the event after those that are shown."""
        await follow_run(self, self._ticket, str(run_id), int(after))

    @rx.event
    async def stop(self):
        """Stop the run on the server; once the answer is there, show the rest of it at once."""
        turn = self.turns[-1] if self.turns else None
        if turn is None or turn.phase == views.REVEALING:
            self.is_busy = False
        elif turn.run_id:
            await cancel_run(current_services(), owner_of(self), turn.run_id)
        else:
            self._ticket += 1
            self._give_up("Stopped before the question was sent.")

    async def _open(self, thread_id: str):
        services = current_services()
        self._clear()
        try:
            runs = await services.history.runs_of_thread(owner_of(self), thread_id) if thread_id else []
        except DeepTrustError:
            runs = []  # deleted since, or another home: an empty page is the truth
        self.thread_id = self._opened = thread_id if runs else ""
        self.earlier = max(0, len(runs) - self._shown)
        for run in runs[self.earlier :]:
            events = await services.history.events(owner_of(self), run.id)
            self._settle_turns()
            self.turns.append(views.turn_of(run, events))
            self.trace = trace_of(events)
            plan = plan_of(events)
            self.plan = plan if run.kind is RunKind.RESEARCH else self.plan
            if not run.status.is_final:
                self.is_busy = True
                self._heard_at = (events[-1].at if events else run.created_at).timestamp()
                await self._show_plan(run.kind)
                return ConversationState.follow(run.id, events[-1].sequence if events else 0)
        return None

    async def _take_up(self, run_id: str, may_leave: bool, is_still: bool):
        """Go on with the run of the last turn, and follow it."""
        if self.is_busy or not self.turns or self.turns[-1].run_id != run_id:
            return None
        services, owner = current_services(), owner_of(self)
        try:
            after = (await services.history.events(owner, run_id))[-1].sequence
            await services.runner.retry(owner, run_id, may_leave=may_leave)
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)
            return None
        self.problem, self.is_busy, self._is_still, self._heard_at = "", True, is_still, time.time()
        self.turns[-1] = replace(self.turns[-1], retry="")
        return ConversationState.follow(run_id, after)

    async def _begin(
        self, question: str, is_still: bool, with_samples: bool, asked: tuple[RunKind, Sources] | None = None
    ):
        if self.is_busy:
            return None
        try:
            question = check_question(question, current_services().settings.max_question_characters)
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)
            return None
        self.problem, self.announcement, self.is_busy, self.draft, self.trace = "", "", True, "", []
        self._is_still, self.quiet, self._heard_at = is_still, "", time.time()
        self._settle_turns()
        composer = await self.get_state(ComposerState)
        kind, sources = asked or (composer._kind(), composer._sources())
        self.turns.append(Turn(run_id="", question=question, kind=kind.value, reach=sources.value))
        await self._show_plan(kind)
        return [rx.set_value("question", ""), ConversationState.carry_out(with_samples)]
