"""The list of recent questions in the rail."""

import reflex as rx

from deeptrust.services import current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.views.history import RunLine, conversations

PAGE_SIZE = 50


class HistoryState(rx.State):
    """Conversations of this person, newest first."""

    runs: list[RunLine] = []
    has_more: bool = False
    is_loaded: bool = False
    _shown: int = PAGE_SIZE

    @rx.event
    async def refresh(self):
        await self._refresh()

    @rx.event
    async def show_more(self):
        self._shown += PAGE_SIZE
        await self._refresh()

    async def _refresh(self):
        services = current_services()
        runs = await services.history.runs(owner_of(self), limit=self._shown + 1)
        self.runs, self.has_more = conversations(runs[: self._shown]), len(runs) > self._shown
        self.is_loaded = True
