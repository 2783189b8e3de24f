"""A run as a turn of the conversation, folded from its log alone."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from deeptrust.domain.answer import AnswerDetail, Citation, Verdict
from deeptrust.domain.approval import Approve, Edit
from deeptrust.domain.run import (
    AnswerReady,
    ApprovalAsked,
    Decided,
    PlanProposed,
    ReasoningEntry,
    RunEvent,
    RunKind,
    RunStatus,
    RunSummary,
    Sources,
    StatusChanged,
    StepDone,
)
from deeptrust.language.counting import count
from deeptrust.runs.retries import find_retry
from deeptrust.ui.views import answer
from deeptrust.ui.views.calls import Tally, tallied, tally_text
from deeptrust.ui.views.text import safe_name, safe_url, shorten

THINKING = "thinking"
WAITING = "waiting"
EXECUTING = "executing"
REVEALING = "revealing"
DONE = "done"
NOTHING_FOUND = "nothing_found"
FAILED = "failed"
STOPPED = "stopped"
REJECTED = "rejected"
EXPIRED = "expired"

_STAGES = {
    RunStatus.THINKING: "Making a plan",
    RunStatus.AUDITING: "Checking the plan against your policy",
}
_ENDS = {
    RunStatus.CANCELLED: STOPPED,
    RunStatus.REJECTED: REJECTED,
    RunStatus.EXPIRED: EXPIRED,
    RunStatus.FAILED: FAILED,
}


@dataclass(frozen=True)
class SourceLine:
    """One line of the sources under an answer; `url` is set for a page on the web."""

    number: int
    target: str
    title: str
    page: str
    url: str = ""


@dataclass(frozen=True)
class Turn:
    """A question with its answer, in one of the phases above; `retry` says where it can be taken up, if it can."""

    run_id: str
    question: str
    kind: str = RunKind.ASK.value
    reach: str = Sources.DOCUMENTS.value
    phase: str = THINKING
    stage: str = "Reading your question"
    steps: int = 0
    steps_done: int = 0
    text: str = ""
    message: str = ""
    missing: list[str] = field(default_factory=list)
    supported: int = 0
    partial: int = 0
    scope: str = ""
    sources: list[SourceLine] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    usage: str = ""
    retry: str = ""


def turn_of(summary: RunSummary, events: Iterable[RunEvent]) -> Turn:
    """Return the turn that the run's log tells; nothing else is needed to show it (UI-16)."""
    turn, log = Turn(run_id=summary.id, question=summary.question, kind=summary.kind.value), list(events)
    for event in log:
        turn = advance(turn, event)
    return replace(turn, retry=retry_of(log))


def retry_of(events: Iterable[RunEvent]) -> str:
    """Return where the run with this log can be taken up again, or nothing where it cannot."""
    point = find_retry([event.body for event in events])
    return point.value if point else ""


def advance(turn: Turn, event: RunEvent) -> Turn:
    """Return the turn after one more event of its run."""
    match event.body:
        case ReasoningEntry(summary=summary, calls=calls):
            tally = tallied(turn.tally, calls)
            stage = summary if turn.phase == THINKING else turn.stage
            return replace(turn, stage=stage, tally=tally, usage=tally_text(tally))
        case PlanProposed(plan=plan):
            return replace(turn, steps=len(plan.steps), steps_done=0)
        case ApprovalAsked():
            return replace(turn, phase=WAITING, stage="Waiting for you")
        case Decided(outcome=outcome):
            return replace(turn, phase=THINKING, stage=_decision(outcome))
        case StepDone():
            return replace(turn, steps_done=turn.steps_done + 1)
        case AnswerReady(detail=detail):
            return _answered(turn, detail)
        case StatusChanged(status=status, message=message):
            return _ended(turn, status, message) if status.is_final else _moved_on(turn, status)
    return turn


def announcement(turn: Turn, event: RunEvent) -> str | None:
    """Return what a screen reader should say after `event`: each stage, the whole answer, a bad end; else None."""
    match event.body:
        case AnswerReady(detail=detail):
            return f"Answer ready. {detail.answer.text if turn.phase == DONE else turn.message}"
        case ApprovalAsked():
            return f"The plan is ready and has {count(turn.steps, 'step')}. Nothing runs until you approve it."
        case ReasoningEntry() if turn.phase == THINKING:
            return turn.stage
        case StatusChanged(status=RunStatus.EXECUTING):
            return turn.stage
        case StatusChanged() if turn.phase in _ENDS.values():
            return turn.message
    return None


def _decision(outcome: object) -> str:
    if isinstance(outcome, Approve):
        return "Approved. Starting"
    return "Checking your plan" if isinstance(outcome, Edit) else "Taking back the plan"


def _moved_on(turn: Turn, status: RunStatus) -> Turn:
    if status is RunStatus.EXECUTING:
        number = min(turn.steps_done + 1, max(turn.steps, 1))
        return replace(turn, phase=EXECUTING, stage=f"Step {number} of {turn.steps}")
    if status is RunStatus.SYNTHESIZING:
        return replace(turn, phase=EXECUTING, stage=f"{count(turn.steps, 'step')} done. Writing the report")
    return replace(turn, stage=_STAGES.get(status, turn.stage)) if turn.kind == RunKind.RESEARCH else turn


def _answered(turn: Turn, detail: AnswerDetail) -> Turn:
    given = detail.answer
    is_report = turn.kind == RunKind.RESEARCH
    text = answer.without_sources(given.text) if is_report else given.text
    verdicts = [claim.verdict for claim in detail.claims]
    return replace(
        turn,
        phase=DONE if given.grounded else NOTHING_FOUND,
        text=answer.to_markdown(turn.run_id, text, given.citations, detail.claims)
        if given.grounded or is_report
        else "",
        message=given.guidance or "",
        missing=[shorten(topic, 200) for topic in detail.not_found],
        supported=verdicts.count(Verdict.SUPPORTED),
        partial=verdicts.count(Verdict.PARTIAL),
        scope=_scope(detail) if given.grounded or not is_report else "",
        sources=[_source(turn.run_id, citation) for citation in given.citations],
    )


def _scope(detail: AnswerDetail) -> str:
    parts = [count(detail.document_count, "document"), count(detail.passage_count, "passage")]
    return ", ".join([*parts, _seconds(detail.seconds)] if detail.seconds else parts)


def _source(run_id: str, citation: Citation) -> SourceLine:
    url = safe_url(citation.url or "")
    page = "" if citation.page is None else f"page {citation.page}"
    return SourceLine(
        number=citation.number,
        target=answer.cite_target(run_id, citation.number),
        title=safe_name(citation.title),
        page=answer.web_place(citation) if url else page,
        url=url,
    )


def _ended(turn: Turn, status: RunStatus, message: str | None) -> Turn:
    if status is RunStatus.COMPLETE:
        return turn
    return replace(turn, phase=_ENDS[status], message=message or "The run ended before it had an answer.")


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s"
