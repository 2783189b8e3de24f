"""The conversation: asking, following a run, revealing its answer, stopping."""

import asyncio
import contextlib
import logging
from dataclasses import replace

import reflex as rx

from deeptrust.domain.question import check_question
from deeptrust.domain.run import AnswerReady, RunEvent, RunRequest
from deeptrust.errors import Conflict, DeepTrustError
from deeptrust.services import Services, current_services
from deeptrust.ui.starters import CHIPS, STARTERS
from deeptrust.ui.state.history import HistoryState
from deeptrust.ui.state.library import LibraryState, add_samples
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.views import run as views
from deeptrust.ui.views.answer import TICK_SECONDS, growing
from deeptrust.ui.views.run import TraceLine, Turn

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
    trace: list[TraceLine] = []
    is_busy: bool = False
    is_ready: bool = False
    problem: str = ""
    announcement: str = ""
    _ticket: int = 0
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

    @rx.event
    def ask(self, question: str, is_still: bool = False):
        """Ask what stands in the box. `is_still`: the person wants no motion, so show the answer at once."""
        return self._begin(str(question), bool(is_still), with_samples=False)

    @rx.event
    def start_with(self, number: int, is_still: bool = False):
        """Run a starter card; the samples come first when there is nothing to read yet."""
        return self._begin(STARTERS[int(number) % len(STARTERS)].question, bool(is_still), with_samples=True)

    @rx.event
    def forget_problem(self):
        self.problem = ""

    @rx.event(background=True)
    async def carry_out(self, is_still: bool, with_samples: bool):
        """Start the run of the bubble that is already on the page (D41), and follow it."""
        await _carry_out(self, bool(is_still), bool(with_samples))

    @rx.event
    def use_chip(self, number: int, box: str, is_still: bool = False):
        """Fill an example into an empty box; shape and run what stands in a filled one (K20)."""
        chip = CHIPS[int(number) % len(CHIPS)]
        if not str(box).strip():
            return [rx.set_value("question", chip.example), rx.set_focus("question")]
        return ConversationState.ask(chip.shaped(str(box)), is_still)

    @rx.event(background=True)
    async def follow(self, run_id: str):
        """Follow a run that was under way when the page was opened."""
        await _follow(self, self._ticket, str(run_id), is_still=True)

    @rx.event
    async def stop(self):
        """Stop the run on the server; once the answer is there, show the rest of it at once."""
        turn = self.turns[-1] if self.turns else None
        if turn is None or turn.phase == views.REVEALING:
            self.is_busy = False
        elif turn.run_id:
            await _cancel(current_services(), turn.run_id)
        else:
            self._ticket += 1
            self._give_up("Stopped before the question was sent.")

    async def _open(self, thread_id: str):
        services = current_services()
        self._clear()
        try:
            runs = await services.runner.runs_of_thread(services.owner(), thread_id) if thread_id else []
        except DeepTrustError:
            runs = []  # deleted since, or another home: an empty page is the truth
        self.thread_id = self._opened = thread_id if runs else ""
        self.earlier = max(0, len(runs) - self._shown)
        for run in runs[self.earlier :]:
            if not run.status.is_final:
                self.turns.append(Turn(run_id=run.id, question=run.question))
                self.is_busy = True
                return ConversationState.follow(run.id)
            events = [event async for event in services.runner.follow(services.owner(), run.id)]
            self.turns.append(views.turn_of(run, events))
            self.trace = views.trace_of(events)
        return None

    def _clear(self):
        self._ticket += 1
        self.thread_id, self._opened, self.turns, self.earlier = "", "", [], 0
        self.draft, self.trace, self.is_busy, self.problem, self.is_ready = "", [], False, "", True

    def _begin(self, question: str, is_still: bool, with_samples: bool):
        if self.is_busy:
            return None
        try:
            question = check_question(question, current_services().settings.max_question_characters)
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)
            return None
        self.problem, self.announcement, self.is_busy, self.draft, self.trace = "", "", True, "", []
        self.turns.append(Turn(run_id="", question=question))
        return [rx.set_value("question", ""), ConversationState.carry_out(is_still, with_samples)]

    def _give_up(self, problem: str):
        self.turns, self.is_busy, self.problem = self.turns[:-1], False, problem
        self.announcement = problem

    def _apply(self, event: RunEvent):
        self.turns[-1] = views.advance(self.turns[-1], event)
        self.trace = [*self.trace, *views.trace_of([event])]
        self.announcement = views.announcement(self.turns[-1], event) or self.announcement


async def _carry_out(state: ConversationState, is_still: bool, with_samples: bool) -> None:
    services = current_services()
    async with state:
        if not state.turns or state.turns[-1].run_id:
            return  # nothing waits to be asked
        question, ticket, thread_id = state.turns[-1].question, state._ticket, state.thread_id or None
        library = await state.get_state(LibraryState)
    try:
        if with_samples and not await services.library(services.owner()).documents():
            await _stage(state, "Reading and indexing the sample documents")
            await add_samples(library)
        if state._ticket != ticket:
            return  # stopped, or another conversation was opened
        run_id = await services.runner.start(services.owner(), RunRequest(question=question, thread_id=thread_id))
        await _adopt(state, ticket, run_id)
        await _follow(state, ticket, run_id, is_still)
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
    run = await services.runner.find(services.owner(), run_id)
    async with state:
        if state._ticket == ticket:
            state.turns[-1] = replace(state.turns[-1], run_id=run_id)
            state.thread_id = state._opened = run.thread_id
        await (await state.get_state(HistoryState))._refresh()


async def _follow(state: ConversationState, ticket: int, run_id: str, is_still: bool) -> None:
    """Apply the run's events as they come; the run itself belongs to the runner and outlives this."""
    services = current_services()
    try:
        async for event in services.runner.follow(services.owner(), run_id):
            async with state:
                if state._ticket != ticket:
                    return
                state._apply(event)
                (await state.get_state(ModelState))._read()
                text = state.turns[-1].text
            if isinstance(event.body, AnswerReady) and text and not is_still:
                await _reveal(state, ticket, text)
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


async def _cancel(services: Services, run_id: str) -> None:
    with contextlib.suppress(Conflict):  # it ended in the same moment
        await services.runner.cancel(services.owner(), run_id)
