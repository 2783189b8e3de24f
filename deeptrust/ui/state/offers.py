"""The chat models of the Settings page: looking, choosing, testing, downloading."""

import reflex as rx

from deeptrust.errors import DeepTrustError
from deeptrust.services import current_services
from deeptrust.ui.state.model import ModelState
from deeptrust.ui.state.offers_work import follow_downloads, look, try_model
from deeptrust.ui.views import model as views
from deeptrust.ui.views.model import OfferLine, TrialLine

AUTO = "auto"


class OffersState(rx.State):
    """The models as the selector shows them. `_ticket` changes whenever a test begins or shall stop."""

    here: list[OfferLine] = []
    away: list[OfferLine] = []
    is_loaded: bool = False
    is_looking: bool = False
    is_auto: bool = False
    is_hosted: bool = False
    fixed: str = ""
    problem: str = ""
    asked: str = ""
    asked_name: str = ""
    testing: str = ""
    test_stage: str = ""
    tested: TrialLine = TrialLine()
    failed: str = ""
    fault: str = ""
    announcement: str = ""
    _ticket: int = 0
    _is_following: bool = False

    @rx.event
    def open_page(self):
        """Show what was known at the last look, then look again."""
        self._tell("", "")
        self.asked, self.is_looking = "", False
        self._show()
        return [OffersState.look, OffersState.follow]

    @rx.event(background=True)
    async def look(self):
        """Look for all models; a server that does not answer is given its time."""
        await look(self)

    @rx.event(background=True)
    async def follow(self):
        """Show the downloads, as long as one is under way."""
        await follow_downloads(self)

    @rx.event
    async def use(self, model_id: str):
        """Use a model of this machine at once; ask before one that prompts leave it for."""
        try:
            offer = current_services().selector.find(str(model_id))
        except DeepTrustError as error:
            self.problem = str(error)
            return
        if offer.reaches_network:
            self.asked, self.asked_name = offer.id, offer.name
        else:
            await self._choose(offer.id)

    @rx.event
    async def choose_best(self):
        """Leave the choice to the program again."""
        await self._choose(AUTO)

    @rx.event
    async def confirm(self):
        """Use the model that was just asked about."""
        asked, self.asked = self.asked, ""
        if asked:
            await self._choose(asked)

    @rx.event
    def decline(self):
        self.asked = ""

    @rx.event(background=True)
    async def test(self, model_id: str):
        """Say hello to a model, and show what it says and how fast."""
        await try_model(self, str(model_id))

    @rx.event
    def stop_test(self):
        self._ticket += 1

    @rx.event
    def download(self, model_id: str):
        """Start a download, or go on with one; it belongs to the server, and goes on without this page."""
        self._tell("", "")
        try:
            current_services().selector.download(str(model_id))
        except DeepTrustError as error:
            self._tell(str(model_id), str(error))
        self._show()
        return OffersState.follow

    @rx.event
    async def cancel(self, model_id: str):
        """End a download; what came is kept."""
        try:
            await current_services().selector.cancel_download(str(model_id))
            self.announcement = "Download cancelled."
        except DeepTrustError as error:
            self._tell(str(model_id), str(error))
        self._show()

    async def _choose(self, model_id: str):
        self._tell("", "")
        try:
            await current_services().selector.choose(model_id)
            self.announcement = "Chosen. It is used from the next question on."
        except DeepTrustError as error:
            self._tell(model_id, str(error))
        self._show()
        (await self.get_state(ModelState))._read()

    def _tell(self, model_id: str, fault: str):
        """Say what went wrong beside the model that it is about."""
        self.failed, self.fault = model_id, fault
        self.announcement = fault or self.announcement

    def _show(self):
        services = current_services()
        self.is_hosted = services.settings.mode == "hosted"
        has_endpoint = bool(
            services.selector.servers.value("endpoint_url")
        )  # without one, "Servers" says how to set it up
        try:
            offers = [one for one in services.selector.offers() if one.id != views.NO_ENDPOINT or has_endpoint]
        except DeepTrustError as error:
            self.problem, self.is_loaded = str(error), True
            return
        progress = {one.id: one for one in services.selector.downloads()}
        self.here = views.offer_lines(offers, progress, leaves=False)
        self.away = views.offer_lines(offers, progress, leaves=True)
        self.fixed, self.is_auto = services.selector.fixed_by, services.selector.choice == AUTO
        self.problem, self.is_loaded = "", True
