"""An answer and what it stands on: claims, verdicts, citations (K27)."""

from enum import StrEnum

from pydantic import Field

from deeptrust.domain.record import Record


class Citation(Record):
    """One numbered source of an answer. `quote` is a substring of the stored passage, to the letter."""

    number: int = Field(ge=1)
    passage_id: str
    title: str
    page: int | None
    section: str | None
    url: str | None
    quote: str
    snippet: str
    score: float


class Verdict(StrEnum):
    """What a check says of one claim."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    NOT_FOUND = "not_found"


class Claim(Record):
    """One sentence of a text with its verdict, the passages that it cites, and why the verdict fell."""

    text: str
    verdict: Verdict
    passage_ids: tuple[str, ...] = ()
    reason: str = ""


class GroundedAnswer(Record):
    """The answer of any harness. `text` is Markdown with marks like [1] that name `citations` by number.

    `grounded` is true only if every sentence of `text` stands on a citation. Otherwise `guidance` says
    what to do, and `text` states no fact.
    """

    text: str
    grounded: bool
    citations: tuple[Citation, ...] = ()
    guidance: str | None = None
    model: str | None = None
    embedder: str | None = None


class AnswerDetail(Record):
    """A grounded answer with what the page shows beside it; `claims` cover the text in its order.

    `link` is set where the question is answered elsewhere: the place to open.
    """

    answer: GroundedAnswer
    claims: tuple[Claim, ...] = ()
    not_found: tuple[str, ...] = ()
    document_count: int = 0
    passage_count: int = 0
    seconds: float = 0.0
    link: str | None = None
