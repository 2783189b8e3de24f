"""The auditor: the policy's rules decide on the plan, a model may object (D13, K09)."""

from deeptrust.agent.asking import Asked, ask_model
from deeptrust.agent.json_reply import parse_reply
from deeptrust.agent.parts import Parts
from deeptrust.agent.prompts import AUDIT_SCHEMA, write_audit_prompt
from deeptrust.agent.state import ResearchState, StateUpdate
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.plan import AuditResult, PlanOrigin, RuleFinding
from deeptrust.domain.run import ReasoningEntry, RunStatus
from deeptrust.language.clean import fold_space
from deeptrust.llm.base import ChatModel
from deeptrust.trust.audit import ModelOpinion, combine, is_passed
from deeptrust.trust.plan_rules import check_plan
from deeptrust.trust.policy import Policy


async def audit(state: ResearchState, parts: Parts) -> StateUpdate:
    """Audit the plan; what is not passed goes back with the reasons, up to the ceiling of revisions (K11)."""
    policy = parts.load_policy()
    findings = check_plan(state.agreed_plan, policy, parts.plan_context(state.sources))
    asked = await _ask_reviewer(state, parts, policy, findings)
    is_human_edit = state.plan_origin is PlanOrigin.PERSON
    result = combine(
        findings,
        asked.found if asked else None,
        policy_hash=policy.hash,
        audited_at=parts.now(),
        was_asked=asked is not None,
        is_human_edit=is_human_edit,
    )
    update = StateUpdate(
        audit_result=result,
        named_writer=parts.hosted_writer,
        tokens_used=state.tokens_used + (asked.tokens if asked else 0),
    )
    calls = asked.calls if asked else ()
    if is_passed(result):
        return update | _pass(result, calls, asked.reason if asked else "")
    return update | _turn_down(state, result, calls, counts=not is_human_edit)


async def _ask_reviewer(
    state: ResearchState, parts: Parts, policy: Policy, findings: tuple[RuleFinding, ...]
) -> Asked[ModelOpinion] | None:
    """A model's opinion; not asked for where a rule is broken already, since it could change nothing."""
    if parts.reviewer is None or not all(finding.holds for finding in findings):
        return None
    if _has_just_failed(state, parts.reviewer):
        return Asked(None, (), f"{parts.reviewer.name} had just failed, so it was not asked again.")
    reviewer, reply_tokens = parts.reviewer, parts.limits.audit_tokens
    return await ask_model(
        reviewer,
        lambda fault: write_audit_prompt(
            state.user_query, state.agreed_plan, policy, reviewer, reply_tokens=reply_tokens, fault=fault
        ),
        lambda text: parse_reply(text, ModelOpinion),
        purpose="audit",
        schema=AUDIT_SCHEMA,
        max_tokens=reply_tokens,
        timeout_seconds=parts.limits.model_call_seconds,
    )


def _has_just_failed(state: ResearchState, model: ChatModel) -> bool:
    """Whether the plan before this audit was asked of the same model in vain; waiting twice helps nobody (LLM-13)."""
    entry = state.reasoning[-1] if state.reasoning else None
    last = entry.calls[-1] if entry and entry.node == "thinker" and entry.calls else None
    return last is not None and last.model == model.name and not last.completion_tokens


def _pass(result: AuditResult, calls: tuple[ModelCall, ...], problem: str) -> StateUpdate:
    opinion = f"; {result.model_opinion}" if result.model_opinion else ""
    opinion += f" ({fold_space(problem)})" if problem else ""
    summary = f"The plan keeps all {len(result.findings)} rules{opinion}. It waits for your decision."
    entry = ReasoningEntry(node="auditor", summary=summary, status=RunStatus.AUDITING, calls=calls)
    return StateUpdate(rejection_feedback=None, reasoning=(entry,), status=RunStatus.AWAITING_APPROVAL)


def _turn_down(state: ResearchState, result: AuditResult, calls: tuple[ModelCall, ...], *, counts: bool) -> StateUpdate:
    violations = " ".join(result.policy_violations)
    revisions = state.plan_revision_count + counts
    summary = f"The plan was turned down: {violations}"
    entry = ReasoningEntry(node="auditor", summary=summary, status=RunStatus.AUDITING, calls=calls)
    update = StateUpdate(
        rejection_feedback=" ".join((violations, *result.suggestions)),
        plan_revision_count=revisions,
        reasoning=(entry,),
        status=RunStatus.THINKING,
    )
    if revisions >= state.max_plan_revisions:
        message = (
            f"No plan passed the audit after {revisions} revisions. The last one was turned down for: {violations} "
            "Ask in other words, or change POLICY.md."
        )
        update |= StateUpdate(status=RunStatus.FAILED, error_message=message)
    return update
