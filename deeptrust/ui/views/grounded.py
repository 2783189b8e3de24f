"""Harnesses, what they took in and what they answered, as the grounded research panel shows them (H23)."""

import re
from dataclasses import dataclass, field

from deeptrust.domain.answer import AnswerDetail, Citation, Verdict
from deeptrust.harness.ingest import Confirmation, IngestReport, PackStatus
from deeptrust.harness.selector import HarnessChoice
from deeptrust.language.clean import fold_space
from deeptrust.language.counting import count
from deeptrust.ui.views import answer
from deeptrust.ui.views.text import safe_host, safe_name, shorten

_HEADING_MARK = re.compile(r"(?<!\S)#{1,6} ")

THINKING = "thinking"
GROUNDED = "grounded"
NOT_FOUND = "not_found"
FAILED = "failed"
STOPPED = "stopped"


@dataclass(frozen=True)
class HarnessChip:
    """One harness of the picker. `reason` says why it cannot be used."""

    id: str
    name: str
    is_available: bool
    reason: str
    is_default: bool
    answers_here: bool


@dataclass(frozen=True)
class SourceCard:
    """One cited source. `before + quote + after` is its snippet; `score` is the cosine to the question."""

    anchor: str
    number: int
    title: str
    where: str
    score: str
    before: str
    quote: str
    after: str


@dataclass(frozen=True)
class Reply:
    """A question with its answer, in one of the phases above. `text` is Markdown that is safe to render."""

    key: str
    question: str
    phase: str = THINKING
    stage: str = "Reading your question"
    text: str = ""
    message: str = ""
    by: str = ""
    missing: list[str] = field(default_factory=list)
    partial: int = 0
    scope: str = ""
    sources: list[SourceCard] = field(default_factory=list)


@dataclass(frozen=True)
class IngestLine:
    """How an ingest ended; `files` counts what is to be taken elsewhere."""

    is_ready: bool
    message: str
    counts: str
    files: int


@dataclass(frozen=True)
class Pointer:
    """Where a harness that answers elsewhere is to be asked; `link` is an https address or empty."""

    text: str
    guidance: str
    link: str
    host: str


@dataclass(frozen=True)
class Leaving:
    """One text that would leave this machine."""

    title: str
    size: str


@dataclass(frozen=True)
class ConfirmView:
    """What leaves after a yes, to the letter: the texts, their sizes, where they go."""

    destination: str
    notebook: str
    leaving: list[Leaving]
    total: str


def chip(choice: HarnessChoice) -> HarnessChip:
    """Return the chip of one harness."""
    return HarnessChip(
        id=choice.id,
        name=choice.display_name,
        is_available=choice.is_available,
        reason=choice.reason,
        is_default=choice.is_default,
        answers_here=choice.answers_here,
    )


def reply_of(reply: Reply, detail: AnswerDetail) -> Reply:
    """Return the reply with its answer; one that is not grounded says what was searched and what to do, no fact."""
    given = detail.answer
    if not given.grounded:
        return Reply(
            key=reply.key,
            question=reply.question,
            phase=NOT_FOUND,
            text=answer.to_markdown(reply.key, given.text, ()),
            message=given.guidance or "",
            scope=_scope(detail),
        )
    return Reply(
        key=reply.key,
        question=reply.question,
        phase=GROUNDED,
        text=answer.to_markdown(reply.key, given.text, given.citations, detail.claims, answer.SOURCE_PREFIX),
        message=given.guidance or "",
        by=f"written by {given.model}, checked" if given.model else "quoted",
        missing=[shorten(topic, 200) for topic in detail.not_found],
        partial=sum(claim.verdict is Verdict.PARTIAL for claim in detail.claims),
        scope=_scope(detail),
        sources=[source_card(reply.key, citation) for citation in given.citations],
    )


def source_card(key: str, citation: Citation) -> SourceCard:
    """Return the card of one citation, its quote cut out of the snippet so that it can be marked.

    The documents of a pack have sections, not pages.
    """
    before, quote, after = split_snippet(citation.snippet, citation.quote)
    return SourceCard(
        anchor=answer.source_anchor(key, citation.number),
        number=citation.number,
        title=safe_name(citation.title),
        where=safe_name(citation.section or ""),
        score=f"{citation.score:.2f}",
        before=_HEADING_MARK.sub("", before),
        quote=quote,
        after=_HEADING_MARK.sub("", after),
    )


def split_snippet(snippet: str, quote: str) -> tuple[str, str, str]:
    """Return the snippet before, at and after the quote; a snippet without the quote gives way to it."""
    snippet, quote = fold_space(snippet), fold_space(quote)
    before, found, after = snippet.partition(quote) if quote else ("", "", snippet)
    return (before, quote, after) if found else ("", quote, "")


def pointer_of(detail: AnswerDetail, chip: HarnessChip) -> Pointer:
    """Return the way to a harness that answers elsewhere; why it cannot be used now is told beside it already."""
    guidance = (detail.answer.guidance or "").partition(f"{chip.name} is not available now")[0].strip()
    link = detail.link if detail.link and detail.link.startswith("https://") else ""
    return Pointer(text=detail.answer.text, guidance=guidance, link=link, host=safe_host(link) if link else "")


def ingest_line(report: IngestReport) -> IngestLine:
    """Return how an ingest ended, with numbers."""
    counts = [
        count(report.document_count, "document") if report.document_count else "",
        count(report.passage_count, "passage") if report.passage_count else "",
    ]
    return IngestLine(
        is_ready=report.status is PackStatus.READY,
        message=report.message,
        counts=", ".join(part for part in counts if part),
        files=len(report.files),
    )


def confirm_view(confirmation: Confirmation) -> ConfirmView:
    """Return what would leave, named one by one."""
    total = sum(leaving.characters for leaving in confirmation.leaving)
    return ConfirmView(
        destination=confirmation.destination,
        notebook=safe_name(confirmation.notebook),
        leaving=[Leaving(safe_name(one.title), count(one.characters, "character")) for one in confirmation.leaving],
        total=f"{count(len(confirmation.leaving), 'document')}, {count(total, 'character')}",
    )


def said(reply: Reply) -> str:
    """Return what a screen reader should say of a finished reply."""
    return f"Answer ready. {fold_space(reply.message)}" if reply.phase != GROUNDED else "Grounded answer ready."


def _scope(detail: AnswerDetail) -> str:
    if not detail.passage_count:
        return ""
    parts = (count(detail.document_count, "document"), count(detail.passage_count, "passage"))
    return f"{', '.join(parts)}, {detail.seconds:.1f} s"
