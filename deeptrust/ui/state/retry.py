"""Taking up a run that has ended, with the model of now (HIT-20)."""

import reflex as rx

from deeptrust.errors import DeepTrustError
from deeptrust.services import current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.conversation import ConversationState


class RetryState(rx.State):
    """The run that is asked about, because something would leave the machine that its approval did not name."""

    asked: str = ""
    leaves: list[str] = []

    @rx.event
    async def retry(self, run_id: str, is_still: bool = False):
        """Go on from the step that failed, or ask first."""
        services = current_services()
        try:
            offer = await services.runner.offer_retry(owner_of(self), str(run_id))
        except DeepTrustError as error:
            (await self.get_state(ConversationState)).problem = str(error)
            return None
        if offer.leaves_machine:
            self.asked, self.leaves = str(run_id), list(offer.leaves_machine)
            return None
        return await self._go_on(str(run_id), may_leave=False, is_still=bool(is_still))

    @rx.event
    async def agree(self, is_still: bool = False):
        """Go on with what was just asked about."""
        asked, self.asked = self.asked, ""
        return await self._go_on(asked, may_leave=True, is_still=bool(is_still)) if asked else None

    @rx.event
    def decline(self):
        self.asked = ""

    async def _go_on(self, run_id: str, may_leave: bool, is_still: bool):
        conversation = await self.get_state(ConversationState)
        return await conversation._take_up(run_id, may_leave, is_still)
