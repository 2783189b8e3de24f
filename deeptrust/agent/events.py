"""From a state of the graph to the events of the node that made it: pure, so that a restart can tell them again."""

from collections.abc import Sequence
from datetime import timedelta

from deeptrust.agent.parts import Parts
from deeptrust.agent.rebuilt_state import NODES
from deeptrust.agent.state import ResearchState
from deeptrust.agent.thinker import usable_tools
from deeptrust.agent.tracing import is_traced
from deeptrust.domain.plan import Tool
from deeptrust.domain.run import (
    AnswerReady,
    ApprovalAsked,
    Audited,
    EventBody,
    Evidence,
    PlanProposed,
    ReasoningEntry,
    RunStatus,
    StatusChanged,
    StepDone,
)
from deeptrust.errors import StoreUnavailable
from deeptrust.runs.retries import find_last_end
from deeptrust.trust.plan_rules import allowed_engines


def events_of(state: ResearchState) -> list[EventBody]:
    """What the node that made `state` has done: its product, its line of the trace, and where the run now is."""
    if not state.reasoning:
        return []
    entry = state.reasoning[-1]
    return [*_product(entry.node, state), entry, _status(state)]


def ask_approval(state: ResearchState, interrupt_id: str, message: str, parts: Parts) -> ApprovalAsked:
    """The question that the gate puts; its expiry counts from the audit, so that a restart asks the same."""
    audit = state.audit_result
    if audit is None:
        raise StoreUnavailable("The saved state of this run lacks its audit. Start the run again.")
    return ApprovalAsked(
        approval_id=interrupt_id,
        message=message,
        plan=state.agreed_plan,
        audit=audit,
        plan_hash=state.agreed_plan.hash,
        policy_hash=audit.policy_hash,
        leaves_machine=tuple(list_egress(state, parts)),
        expires_at=state.updated_at + timedelta(days=parts.limits.approval_days),
    )


def list_egress(state: ResearchState, parts: Parts) -> list[str]:
    """What will leave the machine from this state on, in sentences; empty if nothing will (K26)."""
    policy = parts.load_policy()
    engines = allowed_engines([engine.name for engine in parts.engines], policy.rules)
    can_search = Tool.WEB_SEARCH in usable_tools(state, parts, policy)
    sentences = [
        f"The words “{step.input}” go to {', else to '.join(engines)}."
        for step in state.agreed_plan.steps[state.current_step_index :]
        if step.tool is Tool.WEB_SEARCH and can_search
    ]
    if parts.hosted_writer:
        sentences.append(f"Your question and the passages that are found go to {parts.hosted_writer}.")
    if is_traced():
        sentences.append("The run is traced: its question, plan and report go to LangSmith.")
    return sentences


def list_agreed(logged: Sequence[EventBody], approval_id: str) -> set[str]:
    """What a person let leave the machine: by this approval, or when they took the run up again."""
    agreed: set[str] = set()
    for body in logged:
        if isinstance(body, ApprovalAsked) and body.approval_id == approval_id:
            agreed.update(body.leaves_machine)
        elif isinstance(body, ReasoningEntry):
            agreed.update(body.agreed)
    return agreed


def not_yet_logged(state: ResearchState, logged: Sequence[EventBody]) -> list[EventBody]:
    """The events of the node that made `state`, without those that a former process logged before it died.

    Each move logs one line of the trace; what stands behind the line of the move before can be of this one, but not
    the end of a run that was then taken up again, nor the status that opens its second try.
    """
    lines = [at for at, body in enumerate(logged) if isinstance(body, ReasoningEntry) and body.node in NODES]
    former = state.moves - 1
    since = lines[former - 1] + 1 if 0 < former <= len(lines) else 0
    ended = find_last_end(logged)
    since = since if ended is None else max(since, ended + 2)
    return [body for body in events_of(state) if body not in logged[since:]]


def _product(node: str, state: ResearchState) -> list[EventBody]:
    if node == "thinker" and state.plan:
        return [PlanProposed(plan=state.plan, plan_hash=state.plan.hash, origin=state.plan_origin)]
    if node == "auditor" and state.audit_result:
        return [Audited(audit=state.audit_result)]
    if node == "hitl_gate" and state.audit_result is None and state.plan:  # edited, not merely audited again
        return [PlanProposed(plan=state.plan, plan_hash=state.plan.hash, origin=state.plan_origin)]
    if node == "tool_executor" and state.step_results:
        return [StepDone(result=state.step_results[-1])]
    if node == "synthesizer" and state.final_report:
        return [AnswerReady(detail=state.final_report)]
    return []


def _status(state: ResearchState) -> StatusChanged:
    evidence = None
    if state.status is RunStatus.COMPLETE and state.final_report:
        evidence = Evidence.FOUND if state.final_report.answer.citations else Evidence.NONE
    return StatusChanged(status=state.status, evidence=evidence, message=state.error_message)
