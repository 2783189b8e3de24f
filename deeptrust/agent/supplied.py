"""Text that an outside caller brings along: fenced, cut into passages, and citable as what it is (K26)."""

import hashlib

from deeptrust.domain.document import DocumentKind, Page, Passage
from deeptrust.embedding.base import Embedder
from deeptrust.knowledge.chunking import KNOWLEDGE, split_pages
from deeptrust.language.clean import clean_text

TITLE = "supplied by the caller"
_ID_DIGITS = 24


def cut_supplied(text: str, embedder: Embedder) -> tuple[Passage, ...]:
    """The passages of a caller's text; none if it is blank. The same text gives the same ids."""
    cleaned = clean_text(text)
    if not cleaned.strip():
        return ()
    document_id = f"supplied-{hashlib.sha256(cleaned.encode()).hexdigest()[:_ID_DIGITS]}"
    chunks = split_pages(
        [Page(number=1, text=cleaned)],
        DocumentKind.NOTE,
        profile=KNOWLEDGE,
        max_tokens=embedder.max_tokens,
        count_tokens=embedder.count_tokens,
    )
    return tuple(
        Passage(
            id=f"{document_id}-{number}",
            document_id=document_id,
            title=TITLE,
            kind=DocumentKind.NOTE,
            page=1,
            start=chunk.start,
            end=chunk.end,
            text=chunk.text,
        )
        for number, chunk in enumerate(chunks, start=1)
    )
