"""The list of recent questions in the rail."""

import reflex as rx

from deeptrust.services import current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.views.history import RunLine, conversations

PAGE_SIZE = 50


class HistoryState(rx.State):
    """Conversations of this person, newest first."""

    runs: list[RunLine] = []
    is_loaded: bool = False

    @rx.event
    async def refresh(self):
        await self._refresh()

    async def _refresh(self):
        services = current_services()
        self.runs = conversations(await services.history.runs(owner_of(self), limit=PAGE_SIZE))
        self.is_loaded = True
