"""What a person brings (documents, pages) and what is searched (passages)."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from deeptrust.domain.record import Record

WORKSPACE = "workspace"
"""The default collection (K03); a prep pack is a collection of its own."""


class DocumentKind(StrEnum):
    """What a document was when it came in."""

    PDF = "pdf"
    TEXT = "text"
    MARKDOWN = "markdown"
    NOTE = "note"
    URL = "url"


class ReadStatus(StrEnum):
    """How reading a file ended; only `ok` leads to passages."""

    OK = "ok"
    NO_TEXT = "no_text"
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - a status, not a secret
    FAILED = "failed"


class Page(Record):
    """The text of one page; `number` counts from 1. Text files and notes have one page."""

    number: int = Field(ge=1)
    text: str


class Reading(Record):
    """The outcome of reading a file.

    `reason` is a sentence for a person: set whenever status is not `ok`, and where single pages were left out or the
    encoding had to be guessed.
    """

    status: ReadStatus
    kind: DocumentKind
    pages: tuple[Page, ...] = ()
    title: str | None = None
    reason: str | None = None


class Document(Record):
    """A document in the store. The counts are read from the stored rows, never kept as counters (RET-21)."""

    id: str
    collection: str
    kind: DocumentKind
    label: str
    url: str | None = None
    sha256: str
    page_count: int
    character_count: int
    passage_count: int
    created_at: datetime


class Passage(Record):
    """A stretch of one page: `text == page.text[start:end]`, so that a quote can be shown in its place."""

    id: str
    document_id: str
    title: str
    kind: DocumentKind
    page: int = Field(ge=1)
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    section: str | None = None
    url: str | None = None
    text: str


class ScoredPassage(Record):
    """A retrieved passage. `cosine` is in [-1, 1]; `lexical` is BM25 (>= 0); `score` is the fused rank score."""

    passage: Passage
    cosine: float
    lexical: float
    score: float


class Retrieval(Record):
    """What a search returned, best first, and how much was searched.

    `stale_count` passages have vectors of another embedder and were searched by words only (K06).
    """

    passages: tuple[ScoredPassage, ...]
    document_count: int
    passage_count: int
    stale_count: int = 0
    embedder: str


class IngestStage(StrEnum):
    """Where the intake of one file is."""

    READING = "reading"
    EMBEDDING = "embedding"
    STORING = "storing"


class IngestProgress(Record):
    """`done` of `total` units (pages while reading, passages while embedding) of one file.

    The document is not stored yet, but removing it by its id already stops the intake.
    """

    document_id: str
    name: str
    stage: IngestStage
    done: int
    total: int


class IngestStatus(StrEnum):
    """How the intake of one file ended."""

    ADDED = "added"
    DUPLICATE = "duplicate"
    NO_TEXT = "no_text"
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - a status, not a secret
    FAILED = "failed"


class IngestOutcome(Record):
    """How the intake of one file ended; `document` is set for `added` and `duplicate`.

    `reason` is set otherwise, and where something must be known of a file that was added: pages that were left out, an
    encoding that was guessed.
    """

    name: str
    status: IngestStatus
    document: Document | None = None
    reason: str | None = None
