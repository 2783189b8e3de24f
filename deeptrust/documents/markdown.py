"""Markdown to one page: the source as it stands, for a quote must be found in it again."""

import asyncio

from deeptrust.documents.base import OnPage
from deeptrust.documents.encoding import decode_text
from deeptrust.documents.plain import NOT_TEXT, one_page
from deeptrust.documents.title import heading_title
from deeptrust.domain.document import DocumentKind, Reading, ReadStatus


class MarkdownReader:
    """Reads Markdown; the title is its first heading."""

    async def read(self, data: bytes, name: str, password: str | None = None, on_page: OnPage | None = None) -> Reading:
        """See `DocumentReader`."""
        reading = await asyncio.to_thread(_read, data)
        if on_page:
            on_page(1, 1)
        return reading


def _read(data: bytes) -> Reading:
    decoded = decode_text(data)
    if decoded is None:
        return Reading(status=ReadStatus.FAILED, kind=DocumentKind.MARKDOWN, reason=NOT_TEXT)
    title = heading_title(decoded.text)
    return one_page(decoded.text, DocumentKind.MARKDOWN, "file", title, decoded.remark)
