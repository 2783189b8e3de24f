"""The reader for whatever a person drops: looks at the content and hands it to the reader of that kind."""

from deeptrust.documents.base import DocumentReader, OnPage
from deeptrust.documents.detect import sniff
from deeptrust.documents.markdown import MarkdownReader
from deeptrust.documents.pdf import PdfReader
from deeptrust.documents.plain import TextReader
from deeptrust.domain.document import DocumentKind, Reading, ReadStatus
from deeptrust.errors import BadDocument
from deeptrust.settings import Settings

_MAX_BYTES: int = Settings.model_fields["max_document_bytes"].default
_MEBIBYTE = 1024 * 1024


class FileReader:
    """Reads PDF, plain text and Markdown up to `max_bytes`; refuses anything else with a sentence."""

    def __init__(self, max_bytes: int = _MAX_BYTES, pdf: DocumentReader | None = None) -> None:
        self._max_bytes = max_bytes
        self._readers: dict[DocumentKind, DocumentReader] = {
            DocumentKind.PDF: pdf or PdfReader(),
            DocumentKind.TEXT: TextReader(),
            DocumentKind.MARKDOWN: MarkdownReader(),
        }

    def kind(self, data: bytes, name: str) -> DocumentKind:
        """What the file is, at once and without reading it whole.

        Raises:
            BadDocument: it is empty, too large, or of a kind that is not taken.
        """
        if len(data) > self._max_bytes:
            size, most = len(data) / _MEBIBYTE, self._max_bytes / _MEBIBYTE
            raise BadDocument(f"This file has {size:.1f} MB; the limit is {most:.4g} MB. Split it and add the parts.")
        return sniff(data, name)

    async def read(self, data: bytes, name: str, password: str | None = None, on_page: OnPage | None = None) -> Reading:
        """See `DocumentReader`."""
        try:
            kind = self.kind(data, name)
        except BadDocument as refusal:
            claimed = DocumentKind.PDF if name.lower().endswith(".pdf") else DocumentKind.TEXT
            return Reading(status=ReadStatus.FAILED, kind=claimed, reason=str(refusal))
        return await self._readers[kind].read(data, name, password, on_page)
