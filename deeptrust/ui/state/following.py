"""Starting a run from the page, and following it: what background events of the conversation do."""

import asyncio
import contextlib
import logging
import time
from dataclasses import replace

from deeptrust.domain.run import AnswerReady, ApprovalAsked, RunKind, RunRequest, Sources, StatusChanged, StillWorking
from deeptrust.errors import Conflict, DeepTrustError
from deeptrust.services import Services, current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.conversation_data import ConversationData
from deeptrust.ui.state.history import HistoryState
from deeptrust.ui.state.intake import add_samples
from deeptrust.ui.state.library import LibraryState
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.views import run as views
from deeptrust.ui.views.answer import TICK_SECONDS, growing
from deeptrust.ui.views.waiting import QUIET_SECONDS, is_working, still_working

logger = logging.getLogger(__name__)

_PULSE_SECONDS = 1.0
"""How often a run that says nothing is looked at."""


async def carry_out(state: ConversationData, with_samples: bool) -> None:
    """Start the run of the bubble that is already on the page, and follow it. Call from a background event."""
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
        await follow_run(state, ticket, run_id)
    except DeepTrustError as error:
        await _give_up(state, ticket, str(error))
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("the page could not start a run")
        await _give_up(state, ticket, "Something went wrong inside DeepTrust. The log says what; ask again.")


async def _give_up(state: ConversationData, ticket: int, problem: str) -> None:
    async with state:
        if state._ticket == ticket:
            state._give_up(problem)


async def _stage(state: ConversationData, stage: str) -> None:
    async with state:
        state.announcement = stage
        state.turns[-1] = replace(state.turns[-1], stage=stage)


async def _adopt(state: ConversationData, ticket: int, run_id: str) -> None:
    """Put the stored run in the place of the optimistic bubble, and on the list."""
    services = current_services()
    run = await services.history.find(owner_of(state), run_id)
    async with state:
        if state._ticket == ticket:
            state.turns[-1] = replace(state.turns[-1], run_id=run_id)
            state.thread_id = state._opened = run.thread_id
        await (await state.get_state(HistoryState))._refresh()


async def follow_run(state: ConversationData, ticket: int, run_id: str, after: int = 0) -> None:
    """Apply the run's events as they come; the run itself belongs to the runner and outlives this.

    Once another conversation is open, only the list is kept true, until the run ends or waits.
    """
    try:
        await _apply_events(state, ticket, run_id, after)
    except DeepTrustError as error:  # deleted meanwhile, or never this person's
        async with state:
            if state._ticket == ticket:
                state.problem = str(error)
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("the page lost run %s", run_id)
        async with state:
            state.problem = f"This page lost sight of run {run_id[:8]}. Reload it to see where the run is."
    finally:
        async with state:
            if state._ticket == ticket:
                state.is_busy = False
            await (await state.get_state(HistoryState))._refresh()


async def _apply_events(state: ConversationData, ticket: int, run_id: str, after: int) -> None:
    async for event in current_services().history.watch(owner_of(state), run_id, after, _PULSE_SECONDS):
        if isinstance(event, StillWorking):
            await _tell_quiet(state, ticket)
            continue
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
    await _offer_retry(state, ticket, run_id)


async def _offer_retry(state: ConversationData, ticket: int, run_id: str) -> None:
    """Once the run has ended: say whether it can be taken up again."""
    retry = views.retry_of(await current_services().history.events(owner_of(state), run_id))
    async with state:
        if state._ticket == ticket:
            state.turns[-1] = replace(state.turns[-1], retry=retry)


async def _tell_quiet(state: ConversationData, ticket: int) -> None:
    """Say that the run works, and what it waits for, where it has been silent for a while (HIT-07)."""
    if state._ticket != ticket or not state.turns or not is_working(state.turns[-1]):
        return
    seconds = time.time() - state._heard_at
    if seconds < QUIET_SECONDS:
        return
    writer = current_services().models.writer
    line = still_working(state.turns[-1], state.plan, writer.state if writer else None, seconds)
    async with state:
        if state._ticket == ticket:
            state.announcement = state.announcement if state.quiet else line
            state.quiet = line


async def _reveal(state: ConversationData, ticket: int, text: str) -> None:
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


async def cancel_run(services: Services, owner: str, run_id: str) -> None:
    with contextlib.suppress(Conflict):  # it ended in the same moment
        await services.runner.cancel(owner, run_id)
