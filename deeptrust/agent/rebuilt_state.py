"""The state of a run that has ended, made anew from its log: its checkpoints are gone, its approval still binds."""

from collections.abc import Sequence

from deeptrust.agent.state import ResearchState
from deeptrust.answering.calls import sum_tokens
from deeptrust.domain.approval import Approval
from deeptrust.domain.plan import StepResult
from deeptrust.domain.run import Audited, EventBody, PlanProposed, ReasoningEntry, RunStatus, StepDone
from deeptrust.errors import StoreUnavailable

NODES = frozenset({"thinker", "auditor", "hitl_gate", "tool_executor", "synthesizer"})


def rebuild_state(first: ResearchState, approval: Approval, logged: Sequence[EventBody]) -> ResearchState:
    """Put the run where its log leaves it: the approved plan, and the results of the steps that were done.

    Tokens and requests count on; the policy's seconds begin anew, since a person asked for more.

    Raises:
        StoreUnavailable: the log lacks the plan that was approved.
    """
    plans = [body for body in logged if isinstance(body, PlanProposed) and body.plan.hash == approval.plan_hash]
    if not plans:
        raise StoreUnavailable("The log of this run lacks the plan that was approved. Ask the question again.")
    plan = plans[-1].plan
    by_step = {body.result.step_id: body.result for body in logged if isinstance(body, StepDone)}
    results: list[StepResult] = []
    for step in plan.steps:
        if step.id not in by_step:
            break
        results.append(by_step[step.id])
    lines = [body for body in logged if isinstance(body, ReasoningEntry) and body.node in NODES]
    audits = [body.audit for body in logged if isinstance(body, Audited)]
    return first.model_copy(
        update={
            "plan": plan,
            "plan_origin": plans[-1].origin,
            "plan_revision_count": plan.revision,
            "audit_result": audits[-1] if audits else None,
            "human_approved": True,
            "approved_plan_hash": approval.plan_hash,
            "current_step_index": len(results),
            "step_results": tuple(results),
            "requests_used": sum(result.requests for result in results),
            "tokens_used": sum(sum_tokens(line.calls) for line in lines),
            "moves": len(lines),
            "status": RunStatus.EXECUTING if len(results) < len(plan.steps) else RunStatus.SYNTHESIZING,
        }
    )
