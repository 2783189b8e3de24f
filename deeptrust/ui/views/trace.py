"""What each part of a run did, as the Trace tab lists it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from deeptrust.domain.run import ReasoningEntry, RunEvent, RunStatus, StatusChanged
from deeptrust.ui.views.calls import CallLine, call_line

_NODES = {"hitl_gate": "You", "thinker": "Planner", "tool_executor": "Step", "synthesizer": "Report"}


@dataclass(frozen=True)
class TraceLine:
    """One line of the trace."""

    node: str
    summary: str
    tone: str
    calls: list[CallLine] = field(default_factory=list)


def trace_of(events: Iterable[RunEvent]) -> list[TraceLine]:
    """Return what each part of the run did, in order."""
    return [line for event in events if (line := _line(event))]


def _line(event: RunEvent) -> TraceLine | None:
    match event.body:
        case ReasoningEntry(node=node, summary=summary, calls=calls):
            name = _NODES.get(node, node.replace("_", " ").capitalize())
            return TraceLine(node=name, summary=summary, tone="ok", calls=[call_line(call) for call in calls])
        case StatusChanged(status=RunStatus.AWAITING_APPROVAL):
            return TraceLine(node="Waiting", summary="Nothing runs until you approve the plan.", tone="warn")
        case StatusChanged(status=status, message=message) if status.is_final:
            tone = "ok" if status is RunStatus.COMPLETE else "bad" if status is RunStatus.FAILED else "off"
            return TraceLine(node=status.value.capitalize(), summary=message or "The run has ended.", tone=tone)
    return None
