"""What a run is waiting for, once nothing has been heard of it for a while (HIT-07)."""

from deeptrust.domain.chat import ModelPhase, ModelState
from deeptrust.domain.plan import Tool
from deeptrust.domain.run import RunKind
from deeptrust.ui.views.plan import RUNNING, PlanView
from deeptrust.ui.views.run import EXECUTING, THINKING, Turn

QUIET_SECONDS = 10
"""A shorter silence needs no word."""


def is_working(turn: Turn) -> bool:
    """Whether the run does something by itself now: a plan that waits for a person does not."""
    return turn.phase in (THINKING, EXECUTING)


def still_working(turn: Turn, plan: PlanView, writer: ModelState | None, seconds: float) -> str:
    """Return "Still working: waiting for the model (24 s)"; `writer` is the model that plans and writes, if any."""
    what = _waited_for(turn, plan, writer)
    return f"Still working{f': {what}' if what else ''} ({seconds:.0f} s)"


def _waited_for(turn: Turn, plan: PlanView, writer: ModelState | None) -> str:
    running = next((step for step in plan.steps if step.state == RUNNING), None)
    if turn.phase == EXECUTING and running:
        return "waiting for the web search" if running.tool == Tool.WEB_SEARCH.value else "reading your documents"
    if writer is None:
        return "" if turn.kind == RunKind.RESEARCH else "reading your documents"
    if writer.phase is ModelPhase.LOADING and writer.progress < 100:  # a server's model loads unseen
        return f"the model is loading, {writer.progress} %"
    return "waiting for the model"
