"""The tool executor: one step a call, and never a step of a plan that was not approved (D17, HIT-01)."""

from deeptrust.agent.parts import Parts
from deeptrust.agent.state import ResearchState, StateUpdate
from deeptrust.agent.tools import Brought, refuse, search_documents, search_web
from deeptrust.domain.plan import ResearchStep, StepResult, StepStatus, Tool
from deeptrust.domain.run import ReasoningEntry, RunStatus
from deeptrust.trust.plan_rules import check_plan

_NOT_APPROVED = "The plan is not the one that you approved, so nothing more was run. Start the run again."


async def execute_step(state: ResearchState, parts: Parts) -> StateUpdate:
    """Run the next step, unless a former process did already; the plan's hash is computed anew each time."""
    plan = state.agreed_plan
    if not state.human_approved or not plan.hash == state.approved_plan_hash == parts.approved_plan_hash:
        entry = ReasoningEntry(node="tool_executor", summary=_NOT_APPROVED, status=RunStatus.EXECUTING)
        return StateUpdate(reasoning=(entry,), status=RunStatus.FAILED, error_message=_NOT_APPROVED)
    step = plan.steps[state.current_step_index]
    result = await parts.evidence.recorded(state.thread_id, step.id)
    if result is None:
        brought = await _run(step, state, parts)
        result = brought.result
        await parts.evidence.record(state.thread_id, result, brought.passages)
    done = state.current_step_index + 1
    entry = ReasoningEntry(node="tool_executor", summary=_tell(done, step, result), status=RunStatus.EXECUTING)
    return StateUpdate(
        current_step_index=done,
        step_results=(*state.step_results, result),
        requests_used=state.requests_used + result.requests,
        reasoning=(entry,),
        status=RunStatus.EXECUTING if done < len(plan.steps) else RunStatus.SYNTHESIZING,
    )


async def _run(step: ResearchStep, state: ResearchState, parts: Parts) -> Brought:
    policy = parts.load_policy()
    findings = check_plan(state.agreed_plan, policy, parts.plan_context(state.sources))
    if broken := [finding for finding in findings if not finding.holds]:
        return refuse(
            step, f"The policy does not allow this plan now: {broken[0].line} ({broken[0].detail}).", parts.now()
        )
    if step.tool is Tool.WEB_SEARCH:
        return await search_web(step, state, parts, policy)
    return await search_documents(step, state, parts)


def _tell(number: int, step: ResearchStep, result: StepResult) -> str:
    found = f"passages found: {len(result.passage_ids)}" if result.status is StepStatus.OK else result.status.value
    where = f" ({result.engine})" if result.engine else ""
    reason = f" {result.reason}" if result.reason else ""
    return f"Step {number}, {step.tool.value}{where}: {found}.{reason}"
