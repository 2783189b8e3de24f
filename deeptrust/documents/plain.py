"""Plain text to one page."""

import asyncio

from deeptrust.documents.base import OnPage
from deeptrust.documents.encoding import decode_text
from deeptrust.domain.document import DocumentKind, Page, Reading, ReadStatus
from deeptrust.language.clean import clean_text, is_visible

NOT_TEXT = "This file is not text in any encoding that is known. Save it as UTF-8 text and add that."
"""The reason when no encoding fits."""

NO_TEXT = "This {what} has no text. Write something into it and add it again."
"""The reason when nothing but white space is left."""


class TextReader:
    """Reads text in any common encoding. The text stays as it is, but for control characters and line ends."""

    async def read(self, data: bytes, name: str, password: str | None = None, on_page: OnPage | None = None) -> Reading:
        """See `DocumentReader`."""
        reading = await asyncio.to_thread(_read, data)
        if on_page:
            on_page(1, 1)
        return reading


def one_page(text: str, kind: DocumentKind, what: str, title: str | None = None, remark: str | None = None) -> Reading:
    """A reading of `text` as one page, cleaned; `no_text` where nothing is left to see.

    `what` names it in the reason, `remark` is what a person must know of a text that was read.
    """
    clean = clean_text(text)
    if not is_visible(clean):
        return Reading(status=ReadStatus.NO_TEXT, kind=kind, reason=NO_TEXT.format(what=what))
    return Reading(status=ReadStatus.OK, kind=kind, pages=(Page(number=1, text=clean),), title=title, reason=remark)


def _read(data: bytes) -> Reading:
    decoded = decode_text(data)
    if decoded is None:
        return Reading(status=ReadStatus.FAILED, kind=DocumentKind.TEXT, reason=NOT_TEXT)
    return one_page(decoded.text, DocumentKind.TEXT, "file", remark=decoded.remark)
