"""The thinker: from the question to a plan, by a model if one is at hand, else from the question itself (D12)."""

from dataclasses import dataclass
from uuid import uuid4

from deeptrust.agent.asking import ask_model
from deeptrust.agent.fallback_plan import build_fallback_plan
from deeptrust.agent.json_reply import UnusableReply, parse_reply
from deeptrust.agent.parts import Parts
from deeptrust.agent.plan_sanity import find_faults
from deeptrust.agent.prompts import FittedPrompt, plan_schema, write_plan_prompt
from deeptrust.agent.state import ResearchState, StateUpdate
from deeptrust.answering.calls import join_notes, sum_tokens
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.document import ScoredPassage
from deeptrust.domain.plan import PlanDraft, PlanOrigin, ResearchPlan, ResearchStep, Tool
from deeptrust.domain.run import ReasoningEntry, RunStatus, Sources
from deeptrust.language.clean import clean_text, fold_space
from deeptrust.language.counting import count
from deeptrust.llm.base import ChatModel
from deeptrust.trust.plan_rules import allowed_engines, check_plan
from deeptrust.trust.policy import Policy

_MODEL_REVISIONS = 2
"""A model whose plans the audit turned down this often is not asked again: the plan comes from the question."""
_PASSAGE_TOKENS = 300
_SNIPPETS = 2


@dataclass(frozen=True, slots=True)
class _Drafted:
    draft: PlanDraft
    origin: PlanOrigin
    note: str
    calls: tuple[ModelCall, ...] = ()


async def think(state: ResearchState, parts: Parts) -> StateUpdate:
    """Make a plan, or a better one if the last was turned down."""
    policy = parts.load_policy()
    tools = usable_tools(state, parts, policy)
    drafted = await _ask_planner(state, parts, policy, tools)
    plan = make_plan(drafted.draft, state, parts)
    if drafted.origin is PlanOrigin.QUESTION:
        plan = _without_broken_searches(plan, policy, state, parts)
    entry = ReasoningEntry(node="thinker", summary=drafted.note, status=RunStatus.THINKING, calls=drafted.calls)
    return StateUpdate(
        plan=plan,
        plan_origin=drafted.origin,
        rejection_feedback=None,
        audit_result=None,
        human_approved=False,
        approved_plan_hash=None,
        tokens_used=state.tokens_used + sum_tokens(drafted.calls),
        reasoning=(entry,),
        status=RunStatus.AUDITING,
    )


def usable_tools(state: ResearchState, parts: Parts, policy: Policy) -> tuple[Tool, ...]:
    """What this run may use: the policy's tools, without the web if the person or the machine has none (K28)."""
    has_web = state.sources is Sources.DOCUMENTS_AND_WEB and bool(
        allowed_engines(parts.plan_context(state.sources).engines, policy.rules)
    )
    return tuple(tool for tool in policy.rules.allowed_tools if has_web or tool is not Tool.WEB_SEARCH)


def make_plan(draft: PlanDraft, state: ResearchState, parts: Parts) -> ResearchPlan:
    """Give a draft what the server decides: ids, time, revision, estimated tokens."""
    steps = tuple(
        ResearchStep(
            id=str(uuid4()),
            tool=step.tool,
            input=fold_space(clean_text(step.input)),
            rationale=fold_space(clean_text(step.rationale)),
        )
        for step in draft.steps
    )
    read = len(steps) * parts.limits.passages_per_step * _PASSAGE_TOKENS
    return ResearchPlan(
        objective=fold_space(clean_text(draft.objective)),
        steps=steps,
        estimated_token_budget=read + parts.limits.report_tokens if parts.writer else 0,
        created_at=parts.now(),
        revision=state.plan_revision_count,
    )


async def _ask_planner(state: ResearchState, parts: Parts, policy: Policy, tools: tuple[Tool, ...]) -> _Drafted:
    if parts.planner is None:
        return _from_question(
            state, policy, tools, "No chat model that can plan is in use, so this plan was built from your question."
        )
    if state.plan_revision_count >= _MODEL_REVISIONS:
        note = "The model's plans did not pass the audit, so this plan was built from your question."
        return _from_question(state, policy, tools, note)
    write = await _prompt_writer(state, parts, parts.planner, policy, tools)

    def read(text: str) -> PlanDraft:
        draft = parse_reply(text, PlanDraft)
        faults = find_faults(draft, state.user_query, policy.rules.max_steps)
        faults += [f"{step.tool.value} is not allowed here." for step in draft.steps if step.tool not in tools]
        if faults:
            raise UnusableReply(" ".join(faults))
        return draft

    asked = await ask_model(
        parts.planner,
        write,
        read,
        purpose="plan",
        schema=plan_schema(tools, policy.rules.max_steps),
        max_tokens=parts.limits.plan_tokens,
        timeout_seconds=parts.limits.model_call_seconds,
    )
    if asked.found is None:
        note = f"The model's plan was not usable, so this plan was built from your question. ({asked.reason})"
        return _from_question(state, policy, tools, join_notes(fold_space(note), asked.left_out), asked.calls)
    note = f"{parts.planner.name} planned {count(len(asked.found.steps), 'step')} ({_times(len(asked.calls))})."
    return _Drafted(asked.found, PlanOrigin.MODEL, join_notes(note, asked.left_out), asked.calls)


async def _prompt_writer(
    state: ResearchState, parts: Parts, planner: ChatModel, policy: Policy, tools: tuple[Tool, ...]
):
    documents = await parts.knowledge.documents(state.collection)
    snippets: tuple[ScoredPassage, ...] = ()
    if documents and not planner.reaches_network:  # before approval only titles leave the machine (K26)
        retrieval = await parts.knowledge.retrieve(state.user_query, collection=state.collection, limit=_SNIPPETS)
        snippets = retrieval.passages

    def write(fault: str | None) -> FittedPrompt:
        return write_plan_prompt(
            state.user_query,
            planner,
            reply_tokens=parts.limits.plan_tokens,
            tools=tools,
            max_steps=policy.rules.max_steps,
            titles=[document.label for document in documents],
            snippets=snippets,
            addresses=state.context_urls,
            feedback=state.rejection_feedback,
            fault=fault,
            now=parts.now().astimezone(),  # the zone of the machine: "today" is the person's (WEB-18)
        )

    return write


def _from_question(
    state: ResearchState, policy: Policy, tools: tuple[Tool, ...], note: str, calls: tuple[ModelCall, ...] = ()
) -> _Drafted:
    draft = build_fallback_plan(
        state.user_query, state.rejection_feedback, policy.rules, may_search_web=Tool.WEB_SEARCH in tools
    )
    return _Drafted(draft, PlanOrigin.QUESTION, note, calls)


def _without_broken_searches(plan: ResearchPlan, policy: Policy, state: ResearchState, parts: Parts) -> ResearchPlan:
    """Where a rule forbids what the question's own words would send to the web, ask the documents only."""
    context = parts.plan_context(state.sources)
    local = tuple(step for step in plan.steps if step.tool is not Tool.WEB_SEARCH)
    if not local or all(finding.holds for finding in check_plan(plan, policy, context)):
        return plan
    return plan.model_copy(update={"steps": local})


def _times(attempts: int) -> str:
    return "at the first attempt" if attempts == 1 else f"after {attempts} attempts"
