"""Documents and their intake as the Sources tab shows them."""

from dataclasses import dataclass, replace

from deeptrust.domain.document import (
    Document,
    DocumentKind,
    IngestOutcome,
    IngestProgress,
    IngestStage,
    IngestStatus,
)
from deeptrust.language.counting import count
from deeptrust.ui.views.text import day, safe_host, safe_name

_STAGES = {
    IngestStage.READING: ("Reading", "page"),
    IngestStage.EMBEDDING: ("Indexing", "passage"),
    IngestStage.STORING: ("Saving", "passage"),
}


@dataclass(frozen=True)
class DocumentLine:
    """One document of the library."""

    id: str
    title: str
    detail: str
    icon: str


@dataclass(frozen=True)
class IntakeLine:
    """One file on its way in; `tone` is busy, off (already there) or bad (refused, with its reason).

    `is_locked`: it waits for its password; `is_retry`: a password was tried and did not open it.
    """

    key: str
    name: str
    stage: str = "Waiting for its turn"
    percent: int = 0
    document_id: str = ""
    tone: str = "busy"
    is_locked: bool = False
    is_retry: bool = False


def document_line(document: Document) -> DocumentLine:
    """Return the line of one document, its counts as the store has them."""
    if document.kind is DocumentKind.URL:
        detail = f"{safe_host(document.url or '')}, address only: the page itself is not read"
    else:
        pages = f"{count(document.page_count, 'page')}, " if document.kind is DocumentKind.PDF else ""
        detail = f"{pages}{count(document.passage_count, 'passage')}, added {day(document.created_at)}"
    return DocumentLine(id=document.id, title=safe_name(document.label), detail=detail, icon=_icon(document.kind))


def library_summary(documents: list[Document]) -> str:
    """Return "3 documents, 412 passages"."""
    passages = sum(document.passage_count for document in documents)
    return f"{count(len(documents), 'document')}, {count(passages, 'passage')}"


def progressed(line: IntakeLine, progress: IngestProgress) -> IntakeLine:
    """Return the line after news of its file, with numbers: "Reading page 120 of 400"."""
    verb, unit = _STAGES[progress.stage]
    total = max(progress.total, 1)
    stage = f"{verb} {unit} {progress.done:,} of {progress.total:,}" if progress.total else verb
    percent = min(100, round(100 * progress.done / total))
    return replace(line, stage=stage, percent=percent, document_id=progress.document_id)


def refused(line: IntakeLine, reason: str) -> IntakeLine:
    """Return the line of a file that could not be taken in; it stays until dismissed."""
    return replace(line, stage=reason, percent=0, tone="bad")


def concluded(line: IntakeLine, outcome: IngestOutcome) -> IntakeLine | None:
    """Return what stays to be said after the intake, or None when the new document says it all."""
    match outcome.status:
        case IngestStatus.ADDED:
            return replace(line, stage=outcome.reason, percent=0, tone="off") if outcome.reason else None
        case IngestStatus.DUPLICATE if outcome.document is not None:
            name = safe_name(outcome.document.label)
            return replace(line, stage=f"Already in your documents as “{name}”. Nothing was added.", tone="off")
        case IngestStatus.NEEDS_PASSWORD:
            return _locked(line, outcome.reason)
    return refused(line, outcome.reason or "This file could not be read.")


def reopened(line: IntakeLine) -> IntakeLine:
    """Return the line of a locked file while a password is tried on it."""
    return replace(line, stage="Opening it with the password", tone="busy", is_locked=False, is_retry=True)


def _locked(line: IntakeLine, reason: str | None) -> IntakeLine:
    first = "This PDF needs its password. It is used once, to read the file, and not kept."
    return replace(refused(line, (reason if line.is_retry else None) or first), is_locked=True)


def _icon(kind: DocumentKind) -> str:
    return {DocumentKind.NOTE: "note", DocumentKind.URL: "url"}.get(kind, "file")
