"""Runs as the list of recent questions shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from deeptrust.domain.run import Evidence, RunKind, RunStatus, RunSummary
from deeptrust.ui.views.text import day, safe_name, shorten


@dataclass(frozen=True)
class RunLine:
    """A conversation in the list of recent questions."""

    thread_id: str
    title: str
    state: str
    tone: str


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
    when, is_research = day(run.updated_at), run.kind is RunKind.RESEARCH
    match run.status:
        case RunStatus.COMPLETE if run.evidence is Evidence.NONE:
            return f"{'no findings' if is_research else 'not in your documents'}, {when}", "off"
        case RunStatus.COMPLETE:
            return f"{'report' if is_research else 'answered'} {when}", "ok"
        case RunStatus.CANCELLED:
            return f"stopped {when}", "off"
        case RunStatus.REJECTED | RunStatus.EXPIRED as ended:
            return f"{ended.value} {when}", "off"
        case RunStatus.FAILED:
            return f"failed {when}", "bad"
        case RunStatus.AWAITING_APPROVAL:
            return "waiting for you", "warn"
        case RunStatus.EXECUTING | RunStatus.SYNTHESIZING:
            return "running the plan", "busy"
    return ("planning" if is_research else "working"), "busy"
