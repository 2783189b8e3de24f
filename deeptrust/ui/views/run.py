"""Runs as the conversation, the list of recent questions and the trace show them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from deeptrust.domain.answer import AnswerDetail, Verdict
from deeptrust.domain.run import (
    AnswerReady,
    Evidence,
    ReasoningEntry,
    RunEvent,
    RunStatus,
    RunSummary,
    StatusChanged,
)
from deeptrust.ui.views import answer
from deeptrust.ui.views.text import count, day, safe_name, shorten

THINKING = "thinking"
REVEALING = "revealing"
DONE = "done"
NOTHING_FOUND = "nothing_found"
FAILED = "failed"
STOPPED = "stopped"


@dataclass(frozen=True)
class SourceLine:
    """One line of the sources under an answer."""

    number: int
    target: str
    title: str
    page: str


@dataclass(frozen=True)
class Turn:
    """A question with its answer, in one of the phases above."""

    run_id: str
    question: str
    phase: str = THINKING
    stage: str = "Reading your question"
    text: str = ""
    message: str = ""
    missing: list[str] = field(default_factory=list)
    supported: int = 0
    partial: int = 0
    scope: str = ""
    sources: list[SourceLine] = field(default_factory=list)


@dataclass(frozen=True)
class RunLine:
    """A conversation in the list of recent questions."""

    thread_id: str
    title: str
    state: str
    tone: str


@dataclass(frozen=True)
class TraceLine:
    """One line of the trace."""

    node: str
    summary: str
    tone: str


def turn_of(summary: RunSummary, events: Iterable[RunEvent]) -> Turn:
    """Return the turn that the run's log tells; nothing else is needed to show it (UI-16)."""
    turn = Turn(run_id=summary.id, question=summary.question)
    for event in events:
        turn = advance(turn, event)
    return turn


def advance(turn: Turn, event: RunEvent) -> Turn:
    """Return the turn after one more event of its run."""
    match event.body:
        case ReasoningEntry(summary=summary):
            return replace(turn, stage=summary)
        case AnswerReady(detail=detail):
            return _answered(turn, detail)
        case StatusChanged(status=status, message=message) if status.is_final:
            return _ended(turn, status, message)
    return turn


def announcement(turn: Turn, event: RunEvent) -> str | None:
    """Return what a screen reader should say after `event`: each stage, the whole answer, a bad end; else None."""
    match event.body:
        case AnswerReady(detail=detail):
            return f"Answer ready. {detail.answer.text if turn.phase == DONE else turn.message}"
        case ReasoningEntry() if turn.phase == THINKING:
            return turn.stage
        case StatusChanged() if turn.phase in (FAILED, STOPPED):
            return turn.message
    return None


def _answered(turn: Turn, detail: AnswerDetail) -> Turn:
    given = detail.answer
    verdicts = [claim.verdict for claim in detail.claims]
    return replace(
        turn,
        phase=DONE if given.grounded else NOTHING_FOUND,
        text=answer.to_markdown(turn.run_id, given.text, given.citations, detail.claims) if given.grounded else "",
        message=given.guidance or "",
        missing=[shorten(topic, 200) for topic in detail.not_found],
        supported=verdicts.count(Verdict.SUPPORTED),
        partial=verdicts.count(Verdict.PARTIAL),
        scope=", ".join(
            (count(detail.document_count, "document"), count(detail.passage_count, "passage"), _seconds(detail.seconds))
        ),
        sources=[
            SourceLine(
                number=citation.number,
                target=answer.cite_target(turn.run_id, citation.number),
                title=safe_name(citation.title),
                page="" if citation.page is None else f"page {citation.page}",
            )
            for citation in given.citations
        ],
    )


def _ended(turn: Turn, status: RunStatus, message: str | None) -> Turn:
    if status is RunStatus.COMPLETE:
        return turn
    phase = STOPPED if status is RunStatus.CANCELLED else FAILED
    return replace(turn, phase=phase, message=message or "The run ended before it had an answer.")


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s"


def conversations(runs: Sequence[RunSummary]) -> list[RunLine]:
    """Fold runs (newest first) into one line a conversation: its first question, its latest state."""
    latest: dict[str, RunSummary] = {}
    first: dict[str, RunSummary] = {}
    for run in runs:
        latest.setdefault(run.thread_id, run)
        first[run.thread_id] = run
    return [_line(first[thread_id], run) for thread_id, run in latest.items()]


def _line(first: RunSummary, latest: RunSummary) -> RunLine:
    state, tone = _state(latest)
    return RunLine(thread_id=latest.thread_id, title=shorten(safe_name(first.question), 80), state=state, tone=tone)


def _state(run: RunSummary) -> tuple[str, str]:
    when = day(run.updated_at)
    match run.status:
        case RunStatus.COMPLETE if run.evidence is Evidence.NONE:
            return f"not in your documents, {when}", "off"
        case RunStatus.COMPLETE:
            return f"answered {when}", "ok"
        case RunStatus.CANCELLED:
            return f"stopped {when}", "off"
        case RunStatus.AWAITING_APPROVAL:
            return "waiting for you", "warn"
        case status if status.is_final:
            return f"{status.value} {when}", "bad"
    return "working", "busy"


def trace_of(events: Iterable[RunEvent]) -> list[TraceLine]:
    """Return what each part of the run did, in order."""
    return [line for event in events if (line := _trace_line(event))]


def _trace_line(event: RunEvent) -> TraceLine | None:
    match event.body:
        case ReasoningEntry(node=node, summary=summary):
            return TraceLine(node=node.replace("_", " ").capitalize(), summary=summary, tone="ok")
        case StatusChanged(status=status, message=message) if status.is_final:
            tone = "ok" if status is RunStatus.COMPLETE else "bad" if status is RunStatus.FAILED else "off"
            return TraceLine(node=status.value.capitalize(), summary=message or "The run has ended.", tone=tone)
    return None
