"""The human gate: the graph stops here until a person has decided (D16, K23)."""

from langgraph.types import interrupt
from pydantic import ValidationError

from deeptrust.agent.parts import Parts
from deeptrust.agent.state import ResearchState, StateUpdate
from deeptrust.agent.thinker import make_plan
from deeptrust.domain.approval import Approval, ApprovalState, Approve, Edit
from deeptrust.domain.plan import PlanOrigin
from deeptrust.domain.run import ReasoningEntry, RunStatus

MESSAGE = "Look at the plan. Nothing runs until you approve exactly this plan."


async def ask_person(state: ResearchState, parts: Parts) -> StateUpdate:
    """Stop, and go on by what the claimed approval says.

    A resumed node runs again from its top, so nothing with an effect may stand before `interrupt`. And
    `interrupt` stops by an exception: nothing here may catch it.
    """
    answer = interrupt(
        {
            "message": MESSAGE,
            "plan": state.agreed_plan.to_wire(),
            "auditResult": state.audit_result.to_wire() if state.audit_result else None,
        }
    )
    return _act(answer, state, parts)


def _act(answer: object, state: ResearchState, parts: Parts) -> StateUpdate:
    try:
        approval = Approval.model_validate(answer)
    except ValidationError:
        return _close(RunStatus.FAILED, "What came back from the gate is no approval, so nothing was run.")
    is_this_plan = approval.run_id == state.thread_id and approval.plan_hash == state.agreed_plan.hash
    if approval.state is not ApprovalState.CLAIMED or not is_this_plan:
        return _close(
            RunStatus.FAILED, "The approval belongs to another plan, so nothing was run. Start the run again."
        )
    outcome = approval.outcome
    if isinstance(outcome, Approve):
        return _approve(approval, state, parts)
    if isinstance(outcome, Edit):
        plan = make_plan(outcome.plan, state, parts)
        update = _go_on(RunStatus.AUDITING, "You edited the plan; it is audited again.")
        return update | StateUpdate(plan=plan, plan_origin=PlanOrigin.PERSON, audit_result=None)
    if outcome is not None and outcome.words:
        update = _go_on(RunStatus.THINKING, f"You turned the plan down: {outcome.words}")
        return update | StateUpdate(rejection_feedback=outcome.words)
    return _close(RunStatus.REJECTED, "You rejected the plan, so nothing was run.")


def _approve(approval: Approval, state: ResearchState, parts: Parts) -> StateUpdate:
    if parts.load_policy().hash != approval.policy_hash:
        return _go_on(
            RunStatus.AUDITING, "POLICY.md has changed since the audit; the plan is audited again (nothing ran)."
        )
    update = _go_on(RunStatus.EXECUTING, "You approved the plan.")
    return update | StateUpdate(human_approved=True, approved_plan_hash=state.agreed_plan.hash)


def _go_on(status: RunStatus, summary: str) -> StateUpdate:
    entry = ReasoningEntry(node="hitl_gate", summary=summary, status=RunStatus.AWAITING_APPROVAL)
    return StateUpdate(human_approved=False, approved_plan_hash=None, reasoning=(entry,), status=status)


def _close(status: RunStatus, message: str) -> StateUpdate:
    return _go_on(status, message) | StateUpdate(error_message=message)
