"""The edges: which node comes next (D02-D04, K23). Pure functions of the state."""

from typing import Final, Literal

from deeptrust.agent.state import ResearchState
from deeptrust.domain.run import RunStatus
from deeptrust.trust.audit import is_passed

End = Literal["__end__"]
END: Final = "__end__"
"""Equal to `langgraph.graph.END`, which is typed as any text."""


def after_thinker(state: ResearchState) -> Literal["auditor"] | End:
    """A plan is audited; a run that failed while planning ends."""
    return END if state.status is RunStatus.FAILED or state.plan is None else "auditor"


def after_audit(state: ResearchState) -> Literal["thinker", "hitl_gate"] | End:
    """The ceiling of revisions comes first, then the verdict: whatever is not plainly passed is planned anew."""
    if state.status is RunStatus.FAILED or state.plan_revision_count >= state.max_plan_revisions:
        return END
    return "hitl_gate" if state.audit_result is not None and is_passed(state.audit_result) else "thinker"


def after_gate(state: ResearchState) -> Literal["tool_executor", "auditor", "thinker"] | End:
    """Only a yes leads to the tools; an edited plan is audited, a rejected one with a reason is planned anew."""
    if state.status is RunStatus.EXECUTING and state.human_approved:
        return "tool_executor"
    if state.status is RunStatus.AUDITING:
        return "auditor"
    return "thinker" if state.status is RunStatus.THINKING and state.rejection_feedback else END


def after_tool(state: ResearchState) -> Literal["tool_executor", "synthesizer"] | End:
    """One step after the other, then the report."""
    if state.status is RunStatus.FAILED:
        return END
    return "tool_executor" if state.current_step_index < len(state.agreed_plan.steps) else "synthesizer"
