"""A plan as the approval card, the progress card and the Plan tab show it, folded from the run's log alone."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from deeptrust.domain.approval import Approve
from deeptrust.domain.plan import (
    AuditResult,
    PlanOrigin,
    ResearchPlan,
    ResearchStep,
    RuleFinding,
    StepResult,
    StepStatus,
    Tool,
)
from deeptrust.domain.run import (
    ApprovalAsked,
    Audited,
    Decided,
    PlanProposed,
    ReasoningEntry,
    RunEvent,
    RunStatus,
    StatusChanged,
    StepDone,
)
from deeptrust.language.counting import count
from deeptrust.trust.plan_rules import PlanContext
from deeptrust.ui.views.text import clock, safe_name, shorten

TOOL_NAMES = {Tool.KNOWLEDGE_SEARCH: "your documents", Tool.WEB_SEARCH: "web search"}
RUNNING = "running"

_ORIGINS = {
    PlanOrigin.MODEL: "Planned by the chat model.",
    PlanOrigin.QUESTION: "Built from your question, not by a model.",
    PlanOrigin.PERSON: "Edited by you.",
}
_RULE_NAMES = {
    "allowed_tools": "Tools",
    "allowed_engines": "Search engines",
    "max_steps": "Number of steps",
    "max_requests": "Web requests",
    "max_seconds": "Time",
    "max_tokens": "Tokens",
    "max_query_characters": "Length of a search",
    "min_rationale_words": "A reason for each step",
    "personal_data_on_web": "No personal data to the web",
    "private_terms": "No private terms to the web",
    "blocked_domains": "Blocked sites",
    "forbidden_terms": "Forbidden topics",
    "sources": "Sources that you chose",
}
_MOST_REQUESTS = re.compile(r"max_requests:\s*(\d+)")


@dataclass(frozen=True)
class StepLine:
    """One step; `state` says how it stands, empty before it began."""

    id: str
    number: int
    tool: str
    tag: str
    input: str
    why: str
    state: str = ""
    note: str = ""
    tone: str = ""


@dataclass(frozen=True)
class RuleLine:
    """The verdict of one rule, with the policy's own line."""

    name: str
    line: str
    holds: bool
    detail: str


@dataclass(frozen=True)
class PlanView:
    """The latest plan of a run; without an objective there is none yet. `approval_id` is set while it waits."""

    run_id: str = ""
    plan_hash: str = ""
    approval_id: str = ""
    objective: str = ""
    origin: str = ""
    revision: str = ""
    steps: list[StepLine] = field(default_factory=list)
    verdict: str = ""
    tone: str = "off"
    rules: list[RuleLine] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
    opinion: str = ""
    requests: str = ""
    leaves: list[str] = field(default_factory=list)
    leaves_pill: str = ""
    expires: str = ""


def plan_of(events: Iterable[RunEvent]) -> PlanView:
    """Return the plan that a run's log tells."""
    view = PlanView()
    for event in events:
        view = advance_plan(view, event)
    return view


def advance_plan(view: PlanView, event: RunEvent) -> PlanView:
    """Return the view after one more event of its run."""
    match event.body:
        case PlanProposed(plan=plan, plan_hash=plan_hash, origin=origin):
            return _proposed(event.run_id, plan, plan_hash, origin)
        case ReasoningEntry(node="thinker", summary=note) if view.objective:
            return replace(view, origin=shorten(safe_name(note), 240))
        case Audited(audit=audit):
            return _audited(view, audit)
        case ApprovalAsked() as asked:
            return _asked(view, asked)
        case Decided(outcome=outcome):
            pill = view.leaves_pill if isinstance(outcome, Approve) else ""
            return replace(view, approval_id="", leaves_pill=pill)
        case StepDone(result=result):
            return replace(
                view, steps=[_done(step, result) if step.id == result.step_id else step for step in view.steps]
            )
        case StatusChanged(status=RunStatus.EXECUTING):
            return replace(view, steps=_start_next(view.steps))
        case StatusChanged(status=status) if status.is_final:
            return replace(view, approval_id="", steps=[_halted(step) for step in view.steps])
    return view


def _proposed(run_id: str, plan: ResearchPlan, plan_hash: str, origin: PlanOrigin) -> PlanView:
    return PlanView(
        run_id=run_id,
        plan_hash=plan_hash,
        objective=safe_name(plan.objective),
        origin=_ORIGINS[origin],
        revision=f"revision {plan.revision + 1}",
        steps=[_step(number, step) for number, step in enumerate(plan.steps, start=1)],
    )


def _step(number: int, step: ResearchStep) -> StepLine:
    return StepLine(
        id=step.id,
        number=number,
        tool=step.tool.value,
        tag=TOOL_NAMES[step.tool],
        input=safe_name(step.input),
        why=safe_name(step.rationale),
    )


def _audited(view: PlanView, audit: AuditResult) -> PlanView:
    held = sum(finding.holds for finding in audit.findings)
    is_passed = held == len(audit.findings) and not audit.policy_violations
    return replace(
        view,
        verdict=f"Policy: {held} of {count(len(audit.findings), 'rule')} hold",
        tone="ok" if is_passed else "bad",
        rules=[_rule(finding) for finding in audit.findings],
        violations=[safe_name(text) for text in audit.policy_violations],
        suggestions=[safe_name(text) for text in audit.suggestions],
        opinion=safe_name(audit.model_opinion),
        requests=_requests(view.steps, audit.findings),
    )


def _rule(finding: RuleFinding) -> RuleLine:
    name = _RULE_NAMES.get(finding.rule, finding.rule)
    return RuleLine(name=name, line=safe_name(finding.line), holds=finding.holds, detail=safe_name(finding.detail))


def _requests(steps: Sequence[StepLine], findings: Sequence[RuleFinding]) -> str:
    """The most requests that the plan can lead to, of those that the policy allows."""
    searches = sum(step.tool == Tool.WEB_SEARCH.value for step in steps)
    limit = next((match[1] for finding in findings if (match := _MOST_REQUESTS.search(finding.line))), "")
    if not searches:
        return "no web requests"
    needed = searches * PlanContext().requests_per_search
    return f"at most {needed} of {limit} requests" if limit else f"at most {count(needed, 'request')}"


def _asked(view: PlanView, asked: ApprovalAsked) -> PlanView:
    leaves = [safe_name(sentence) for sentence in asked.leaves_machine]
    return replace(
        view,
        approval_id=asked.approval_id,
        plan_hash=asked.plan_hash,
        leaves=leaves,
        leaves_pill=f"leaves this machine: {count(len(leaves), 'text')}" if leaves else "nothing leaves this machine",
        expires=f"waits until {clock(asked.expires_at)}",
    )


def _start_next(steps: Sequence[StepLine]) -> list[StepLine]:
    first = next((step.number for step in steps if not step.state), None)
    return [replace(step, state=RUNNING, tone="busy") if step.number == first else step for step in steps]


def _done(step: StepLine, result: StepResult) -> StepLine:
    state, tone = _outcome(result)
    note = safe_name(result.reason or "") if result.status in (StepStatus.OK, StepStatus.EMPTY) else ""
    return replace(step, state=state, tone=tone, note=note, tag=safe_name(result.engine or step.tag))


def _outcome(result: StepResult) -> tuple[str, str]:
    match result.status:
        case StepStatus.OK:
            return f"found {count(len(result.passage_ids), 'passage')}", "ok"
        case StepStatus.EMPTY:
            return "nothing found", "off"
        case status:
            reason = safe_name(result.reason or "no reason was given")
            return f"{status.value}: {reason}", "bad" if status is StepStatus.FAILED else "warn"


def _halted(step: StepLine) -> StepLine:
    return replace(step, state="not finished", tone="off") if step.state == RUNNING else step
