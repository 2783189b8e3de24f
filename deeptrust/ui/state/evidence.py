"""The citation that is open in the Evidence tab."""

import reflex as rx

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.run import AnswerReady
from deeptrust.errors import DeepTrustError, NotFound
from deeptrust.services import Services, current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.panel import EVIDENCE, PanelState
from deeptrust.ui.views import evidence
from deeptrust.ui.views.answer import parse_cite_target
from deeptrust.ui.views.evidence import EvidenceView


class EvidenceState(rx.State):
    """At most one citation is open; everything about it is read from the log and the store again."""

    target: str = ""
    view: EvidenceView | None = None
    problem: str = ""
    announcement: str = ""

    @rx.event
    async def cite(self, target: str):
        """Open a citation; `target` is the fragment of its mark."""
        (await self.get_state(PanelState)).tab = EVIDENCE
        await self._open(str(target), is_whole=False)

    @rx.event
    async def toggle_page(self):
        """Show the whole page, or the surroundings of the quote again."""
        await self._open(self.target, is_whole=not (self.view and self.view.is_whole))

    async def _open(self, target: str, is_whole: bool):
        self._close()
        self.target = target
        try:
            self.view = await _look_up(current_services(), owner_of(self), target, is_whole)
            self.announcement = evidence.said(self.view)
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)

    async def _look_again(self):
        """Show what is true now, where something that is shown may be gone."""
        if self.view:
            await self._open(self.target, self.view.is_whole)

    def _close(self):
        self.target, self.view, self.problem, self.announcement = "", None, "", ""


async def _look_up(services: Services, owner: str, target: str, is_whole: bool) -> EvidenceView:
    parsed = parse_cite_target(target)
    if parsed is None:
        raise NotFound("This mark does not name a source. Click the number in the answer again.")
    run_id, number = parsed
    detail = await _detail(services, owner, run_id)
    citation = next((citation for citation in detail.answer.citations if citation.number == number), None)
    if citation is None:
        raise NotFound("This answer has no source with that number. Click a number that stands in it.")
    if citation.url:
        return evidence.show_web(target, citation, detail.claims)
    library = services.library(owner)
    passage = await library.passage(citation.passage_id)
    document = next(document for document in await library.documents() if document.id == passage.document_id)
    page = await library.page(passage.document_id, passage.page)
    return evidence.show(target, citation, detail.claims, document, passage, page.text, is_whole)


async def _detail(services: Services, owner: str, run_id: str) -> AnswerDetail:
    for event in reversed(await services.history.events(owner, run_id)):  # a report may have been written anew
        if isinstance(event.body, AnswerReady):
            return event.body.detail
    raise NotFound("That question has no answer to cite. Ask it again.")
