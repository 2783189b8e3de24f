"""PDF to pages, by pypdf in a child process."""

import asyncio
from contextlib import aclosing
from typing import Any

from deeptrust.documents.base import OnPage
from deeptrust.documents.layout import tidy_pages
from deeptrust.documents.pdf_child import ChildDied, ChildTooLoud, ChildTooSlow, parse
from deeptrust.documents.title import metadata_title
from deeptrust.domain.document import DocumentKind, Page, Reading, ReadStatus
from deeptrust.language.clean import is_visible

REASONS = {
    "needs_password": "This PDF is locked. Enter its password and add it again.",
    "wrong_password": "That password does not open this PDF. Check it and try again.",
    "no_pages": "This PDF has no pages. Export it again from the program that made it.",
    "no_text": "This PDF has no text that can be read; it may be a scan. Run text recognition (OCR) on it and "
    "add the result.",
    "too_large": "This PDF is too large when unpacked. Print it to a new PDF, or split it, and add that.",
    "too_slow": "This PDF takes too long to read. Split it into smaller files and add those.",
    "damaged": "This PDF is damaged and could not be read. Open it in a PDF program, save it anew and add that.",
}
"""One sentence per way in which reading can end short."""

_STATUSES = {
    "needs_password": ReadStatus.NEEDS_PASSWORD,
    "wrong_password": ReadStatus.NEEDS_PASSWORD,
    "no_pages": ReadStatus.NO_TEXT,
    "no_text": ReadStatus.NO_TEXT,
}


class PdfReader:
    """Reads PDFs, at most `children` at a time.

    `cpu_seconds` and `memory_bytes` (address space) bind each child, `wall_seconds` the whole reading of one file.
    pypdf takes about 6 ms of CPU and 1 MB for a page, so the defaults leave room for several thousand.
    """

    def __init__(
        self,
        *,
        children: int = 2,
        cpu_seconds: int = 60,
        wall_seconds: float = 100,
        memory_bytes: int = 1024**3,
    ) -> None:
        self._turn = asyncio.Semaphore(children)
        self._cpu_seconds = cpu_seconds
        self._wall_seconds = wall_seconds
        self._memory_bytes = memory_bytes

    async def read(self, data: bytes, name: str, password: str | None = None, on_page: OnPage | None = None) -> Reading:
        """See `DocumentReader`. Waiting for a turn does not count against the time limit."""
        async with self._turn:
            try:
                async with asyncio.timeout(self._wall_seconds):
                    texts, ending = await self._parse(data, password, on_page)
            except (TimeoutError, ChildTooSlow):
                return _refusal("too_slow")
            except ChildTooLoud:
                return _refusal("too_large")
            except ChildDied:
                return _refusal("damaged")
        if ending["end"] != "read":
            return _refusal(ending["end"])
        return await asyncio.to_thread(_reading, texts, ending["title"])

    async def _parse(
        self, data: bytes, password: str | None, on_page: OnPage | None
    ) -> tuple[list[str | None], dict[str, Any]]:
        texts: list[str | None] = []
        total = 0
        async with aclosing(parse(data, password, self._cpu_seconds, self._memory_bytes)) as frames:
            async for frame in frames:
                if "end" in frame:
                    return texts, frame
                total = frame.get("pages", total)
                if "page" in frame:
                    texts.append(frame["text"])
                if on_page:
                    on_page(len(texts), total)
        raise ChildDied


def _reading(texts: list[str | None], title: str | None) -> Reading:
    lost = [number for number, text in enumerate(texts, start=1) if text is None]
    if not texts:
        return _refusal("no_pages")
    if len(lost) == len(texts):
        return _refusal("damaged")
    tidy = tidy_pages([text or "" for text in texts])
    if not any(map(is_visible, tidy)):
        return _refusal("no_text")
    pages = tuple(Page(number=number, text=text) for number, text in enumerate(tidy, start=1))
    return Reading(
        status=ReadStatus.OK,
        kind=DocumentKind.PDF,
        pages=pages,
        title=metadata_title(title),
        reason=f"Damaged and left out: page {', '.join(map(str, lost))}." if lost else None,
    )


def _refusal(ending: str) -> Reading:
    status = _STATUSES.get(ending, ReadStatus.FAILED)
    return Reading(status=status, kind=DocumentKind.PDF, reason=REASONS[ending])
