"""What the Sources tab holds: documents, and files on their way in."""

import reflex as rx

from deeptrust.errors import DeepTrustError
from deeptrust.services import current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.views import document as views
from deeptrust.ui.views.document import DocumentLine, IntakeLine

PAGE_SIZE = 50


class LibraryData(rx.State, mixin=True):
    """The library itself is the service's."""

    documents: list[DocumentLine] = []
    total: int = 0
    summary: str = ""
    is_loaded: bool = False
    problem: str = ""
    form_problem: str = ""
    intake: list[IntakeLine] = []
    doomed: str = ""
    announcement: str = ""
    _shown: int = PAGE_SIZE

    async def _refresh(self):
        services = current_services()
        try:
            documents = await services.library(owner_of(self)).documents()
        except DeepTrustError as error:
            self.problem, self.is_loaded = str(error), True
            return
        self.problem, self.is_loaded, self.total = "", True, len(documents)
        self.summary = views.library_summary(documents)
        self.documents = [views.document_line(document) for document in documents[::-1][: self._shown]]

    def _drop(self, key: str):
        self.intake = [line for line in self.intake if line.key != key]

    def _put(self, line: IntakeLine):
        keys = [old.key for old in self.intake]
        if line.key in keys:
            self.intake[keys.index(line.key)] = line
        else:
            self.intake = [*self.intake, line][-PAGE_SIZE:]
