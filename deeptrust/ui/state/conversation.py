"""The conversation: asking, following a run, revealing its answer, stopping."""

import asyncio
import contextlib
import logging
from dataclasses import replace

import reflex as rx

from deeptrust.domain.question import check_question
from deeptrust.domain.run import AnswerReady, ApprovalAsked, RunEvent, RunKind, RunRequest, Sources, StatusChanged
from deeptrust.errors import Conflict, DeepTrustError
from deeptrust.services import Services, current_services
from deeptrust.ui.starters import CHIPS, STARTERS
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.composer import ComposerState
from deeptrust.ui.state.history import HistoryState
from deeptrust.ui.state.library import LibraryState, add_samples
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.state.panel import PLAN, PanelState
from deeptrust.ui.views import run as views
from deeptrust.ui.views.answer import TICK_SECONDS, growing
from deeptrust.ui.views.plan import PlanView, advance_plan, plan_of
from deeptrust.ui.views.run import Turn
from deeptrust.ui.views.trace import TraceLine, trace_of

logger = logging.getLogger(__name__)

PAGE_SIZE = 10


class ConversationState(rx.State):
    """The open conversation. `_ticket` changes whenever another one is opened: who follows the old one lets go.

    `thread_id` outlives a restart of the server in the browser's session storage; `_opened` is what this server
    knows, and wins: a browser that was offline sends an old value when it comes back (UI-10).
    """

    thread_id: str = rx.SessionStorage("", name="deeptrust-conversation")
    turns: list[Turn] = []
    earlier: int = 0
    draft: str = ""
    plan: PlanView = PlanView()
    trace: list[TraceLine] = []
    is_busy: bool = False
    is_ready: bool = False
    problem: str = ""
    announcement: str = ""
    _ticket: int = 0
    _is_still: bool = True
    _opened: str | None = None
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
        return await self._open(str(thread_id))

    @rx.event
    async def show_earlier(self):
        self._shown += PAGE_SIZE
        return await self._open(self.thread_id)

    @rx.event
    def start_new(self):
        """Leave the conversation; a run that is going on goes on."""
        self._clear()
        return [rx.set_value("question", ""), rx.set_focus("question")]

    @rx.var
    def is_waiting(self) -> bool:
        """Whether a plan waits for the person: nothing else competes with it then."""
        return bool(self.turns) and self.turns[-1].phase == views.WAITING

    @rx.var
    def is_planning(self) -> bool:
        """Whether a plan is being made or audited."""
        return bool(self.turns) and self.turns[-1].kind == RunKind.RESEARCH and self.turns[-1].phase == views.THINKING

    @rx.event
    async def ask(self, question: str, is_still: bool = False):
        """Ask what stands in the box. `is_still`: the person wants no motion, so show the answer at once."""
        return await self._begin(str(question), bool(is_still), with_samples=False)

    @rx.event
    async def ask_again(self, run_id: str, is_still: bool = False):
        """Start the question of a run anew, as it was asked."""
        services = current_services()
        try:
            run = await services.runner.find(owner_of(self), str(run_id))
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
        await _carry_out(self, bool(with_samples))

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
        await _follow(self, self._ticket, str(run_id), int(after))

    @rx.event
    async def stop(self):
        """Stop the run on the server; once the answer is there, show the rest of it at once."""
        turn = self.turns[-1] if self.turns else None
        if turn is None or turn.phase == views.REVEALING:
            self.is_busy = False
        elif turn.run_id:
            await _cancel(current_services(), owner_of(self), turn.run_id)
        else:
            self._ticket += 1
            self._give_up("Stopped before the question was sent.")

    async def _open(self, thread_id: str):
        services = current_services()
        self._clear()
        try:
            runs = await services.runner.runs_of_thread(owner_of(self), thread_id) if thread_id else []
        except DeepTrustError:
            runs = []  # deleted since, or another home: an empty page is the truth
        self.thread_id = self._opened = thread_id if runs else ""
        self.earlier = max(0, len(runs) - self._shown)
        for run in runs[self.earlier :]:
            events = await services.runner.events(owner_of(self), run.id)
            self.turns.append(views.turn_of(run, events))
            self.trace = trace_of(events)
            plan = plan_of(events)
            self.plan = plan if run.kind is RunKind.RESEARCH else self.plan
            if not run.status.is_final:
                self.is_busy = True
                await self._show_plan(run.kind)
                return ConversationState.follow(run.id, events[-1].sequence if events else 0)
        return None

    def _clear(self):
        self._ticket += 1
        self.thread_id, self._opened, self.turns, self.earlier = "", "", [], 0
        self.draft, self.trace, self.is_busy, self.problem, self.is_ready = "", [], False, "", True
        self.plan = PlanView()

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
        self._is_still = is_still
        composer = await self.get_state(ComposerState)
        kind, sources = asked or (composer._kind(), composer._sources())
        self.turns.append(Turn(run_id="", question=question, kind=kind.value, reach=sources.value))
        await self._show_plan(kind)
        return [rx.set_value("question", ""), ConversationState.carry_out(with_samples)]

    async def _show_plan(self, kind: RunKind):
        """Open the Plan tab for a run that plans; what it showed of a former run goes."""
        if kind is RunKind.RESEARCH:
            self.plan = self.plan if self.plan.run_id == self.turns[-1].run_id else PlanView()
            (await self.get_state(PanelState)).tab = PLAN

    def _give_up(self, problem: str):
        self.turns, self.is_busy, self.problem = self.turns[:-1], False, problem
        self.announcement = problem

    def _apply(self, event: RunEvent):
        self.turns[-1] = views.advance(self.turns[-1], event)
        self.plan = advance_plan(self.plan, event)
        self.trace = [*self.trace, *trace_of([event])]
        self.announcement = views.announcement(self.turns[-1], event) or self.announcement


async def _carry_out(state: ConversationState, with_samples: bool) -> None:
    services = current_services()
    async with state:
        if not state.turns or state.turns[-1].run_id:
            return  # nothing waits to be asked
        turn, ticket = state.turns[-1], state._ticket
        request = RunRequest(
            kind=RunKind(turn.kind),
            question=turn.question,
            thread_id=state.thread_id or None,
            sources=Sources(turn.reach),
        )
        library = await state.get_state(LibraryState)
    try:
        if with_samples and not await services.library(owner_of(state)).documents():
            await _stage(state, "Reading and indexing the sample documents")
            await add_samples(library)
        if state._ticket != ticket:
            return  # stopped, or another conversation was opened
        run_id = await services.runner.start(owner_of(state), request)
        await _adopt(state, ticket, run_id)
        await _follow(state, ticket, run_id)
    except DeepTrustError as error:
        await _give_up(state, ticket, str(error))
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("the page could not start a run")
        await _give_up(state, ticket, "Something went wrong inside DeepTrust. The log says what; ask again.")


async def _give_up(state: ConversationState, ticket: int, problem: str) -> None:
    async with state:
        if state._ticket == ticket:
            state._give_up(problem)


async def _stage(state: ConversationState, stage: str) -> None:
    async with state:
        state.announcement = stage
        state.turns[-1] = replace(state.turns[-1], stage=stage)


async def _adopt(state: ConversationState, ticket: int, run_id: str) -> None:
    """Put the stored run in the place of the optimistic bubble, and on the list."""
    services = current_services()
    run = await services.runner.find(owner_of(state), run_id)
    async with state:
        if state._ticket == ticket:
            state.turns[-1] = replace(state.turns[-1], run_id=run_id)
            state.thread_id = state._opened = run.thread_id
        await (await state.get_state(HistoryState))._refresh()


async def _follow(state: ConversationState, ticket: int, run_id: str, after: int = 0) -> None:
    """Apply the run's events as they come; the run itself belongs to the runner and outlives this.

    Once another conversation is open, only the list is kept true, until the run ends or waits.
    """
    services = current_services()
    try:
        async for event in services.runner.follow(owner_of(state), run_id, after):
            async with state:
                if is_open := state._ticket == ticket:
                    state._apply(event)
                    (await state.get_state(ModelState))._read()
                if isinstance(event.body, StatusChanged):
                    await (await state.get_state(HistoryState))._refresh()
                text = state.turns[-1].text if is_open and not state._is_still else ""
            if isinstance(event.body, AnswerReady) and text:
                await _reveal(state, ticket, text)
            if isinstance(event.body, ApprovalAsked) and not is_open:
                return
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("the page lost run %s", run_id)
        async with state:
            state.problem = f"This page lost sight of run {run_id[:8]}. Reload it to see where the run is."
    finally:
        async with state:
            if state._ticket == ticket:
                state.is_busy = False
            await (await state.get_state(HistoryState))._refresh()


async def _reveal(state: ConversationState, ticket: int, text: str) -> None:
    """Let the answer grow word by word until it is whole or the person has seen enough (K18)."""
    whole = state.turns[-1]
    for part in growing(text, current_services().settings.word_milliseconds):
        async with state:
            if state._ticket != ticket or not state.is_busy:
                break
            state.turns[-1] = replace(whole, phase=views.REVEALING, text="")
            state.draft = part
        await asyncio.sleep(TICK_SECONDS)
    async with state:
        if state._ticket == ticket:
            state.turns[-1], state.draft = whole, ""


async def _cancel(services: Services, owner: str, run_id: str) -> None:
    with contextlib.suppress(Conflict):  # it ended in the same moment
        await services.runner.cancel(owner, run_id)
