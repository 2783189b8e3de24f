"""Deleting a conversation of the list: asked first, then for good."""

import logging

import reflex as rx

from deeptrust.errors import DeepTrustError, NotFound
from deeptrust.language.counting import count
from deeptrust.services import Services, current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.conversation import ConversationState
from deeptrust.ui.state.evidence import EvidenceState
from deeptrust.ui.state.history import HistoryState
from deeptrust.ui.views.text import shorten

logger = logging.getLogger(__name__)


class DeletionState(rx.State):
    """The conversation whose deletion is being confirmed, if there is one."""

    doomed: str = ""
    title: str = ""
    extent: str = ""
    is_deleting: bool = False
    problem: str = ""
    announcement: str = ""

    @rx.event
    async def ask(self, thread_id: str):
        """Ask whether this conversation shall go, saying how much that is."""
        services = current_services()
        try:
            runs = await services.history.runs_of_thread(owner_of(self), str(thread_id))
        except DeepTrustError:  # deleted elsewhere: the list shows the truth again
            await (await self.get_state(HistoryState))._refresh()
            return
        self.doomed, self.title = runs[0].thread_id, shorten(runs[0].question, 120)
        self.extent, self.problem = count(len(runs), "question"), ""

    @rx.event
    def keep(self):
        if not self.is_deleting:
            self.doomed, self.problem = "", ""

    @rx.event
    def delete(self):
        """Delete what was asked about; `carry_out` does it, so that the page can say so meanwhile."""
        if not self.doomed or self.is_deleting:
            return None
        self.is_deleting, self.problem = True, ""
        return DeletionState.carry_out

    @rx.event(background=True)
    async def carry_out(self):
        await _carry_out(self)


async def _carry_out(state: DeletionState) -> None:
    async with state:
        doomed, owner = state.doomed if state.is_deleting else "", owner_of(state)
    problem = await _delete(current_services(), owner, doomed) if doomed else ""
    async with state:
        state.is_deleting, state.problem = False, problem
        state.announcement = problem or ("Conversation deleted." if doomed else state.announcement)
        if doomed and not problem:
            state.doomed = ""
            (await state.get_state(ConversationState))._leave(doomed)
            await (await state.get_state(EvidenceState))._look_again()
            await (await state.get_state(HistoryState))._refresh()


async def _delete(services: Services, owner: str, thread_id: str) -> str:
    """Delete the runs of a conversation, newest first; return what went wrong, or nothing."""
    try:
        for run in reversed(await services.history.runs_of_thread(owner, thread_id)):
            await services.delete_run(owner, run.id)
    except NotFound:
        return ""  # another page was faster
    except DeepTrustError as error:
        return str(error)
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("a conversation could not be deleted")
        return "Something went wrong inside DeepTrust while this was deleted. The log says what; try again."
    return ""
