"""What the grounded research panel holds of one job, and how it changes with the news of a harness."""

import reflex as rx

from deeptrust.harness.ingest import IngestReport, PackStatus
from deeptrust.services import current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.views import grounded as views
from deeptrust.ui.views.grounded import ConfirmView, HarnessChip, IngestLine, Pointer, Reply

_WHERE = "Where is this answered?"
"""Asked of a harness that answers elsewhere: it gives a pointer, and nothing of the question leaves."""


class GroundedData(rx.State, mixin=True):
    """`_ticket` changes whenever what is under way no longer belongs to the panel."""

    choices: list[HarnessChip] = []
    is_loaded: bool = False
    problem: str = ""
    harness: HarnessChip | None = None
    replies: list[Reply] = []
    is_busy: bool = False
    is_ingesting: bool = False
    ingested: IngestLine | None = None
    confirmation: ConfirmView | None = None
    pointer: Pointer | None = None
    link_problem: str = ""
    question_problem: str = ""
    announcement: str = ""
    _token: str = ""
    _known_pack: str = ""
    _job: str = ""
    _ticket: int = 0

    def _reset(self):
        self._ticket += 1
        self.replies, self.is_busy, self.is_ingesting, self.ingested = [], False, False, None
        self.confirmation, self.pointer, self._token, self._known_pack = None, None, "", ""
        self.link_problem, self.question_problem, self.problem, self.announcement = "", "", "", ""

    async def _point(self):
        self.pointer = None
        if self.harness and not self.harness.answers_here:
            services = current_services()
            detail = await services.harnesses.ask(owner_of(self), self._job, _WHERE, self.harness.id)
            self.pointer = views.pointer_of(detail, self.harness)

    def _note(self, report: IngestReport, known_pack: str):
        self.ingested = None if report.confirmation else views.ingest_line(report)
        self._known_pack = known_pack if report.status is PackStatus.READY else ""
        self.confirmation = views.confirm_view(report.confirmation) if report.confirmation else None
        self._token = report.confirmation.token if report.confirmation else ""
        self.announcement = report.message
