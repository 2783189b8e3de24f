from datetime import UTC, datetime

import pytest
from langgraph.graph import END

from deeptrust.agent import routing
from deeptrust.agent.state import MAX_REASONING, ResearchState, append_reasoning, read_state
from deeptrust.domain.plan import AuditResult, AuditVerdict, ResearchPlan, ResearchStep, RuleFinding, Tool
from deeptrust.domain.run import RunStatus, Sources
from deeptrust.errors import StoreUnavailable

NOW = datetime.now(UTC)
PLAN = ResearchPlan(
    objective="x",
    steps=tuple(ResearchStep(id=str(n), tool=Tool.KNOWLEDGE_SEARCH, input="x", rationale="y") for n in range(2)),
    estimated_token_budget=0,
    created_at=NOW,
    revision=0,
)


def state(**changes: object) -> ResearchState:
    base = {
        "thread_id": "t",
        "user_query": "q",
        "collection": "workspace",
        "sources": Sources.DOCUMENTS,
        "updated_at": NOW,
        "plan": PLAN,
    }
    return ResearchState.model_validate({**base, **changes})


def audit(verdict: AuditVerdict, violations: tuple[str, ...] = (), *, holds: bool = True) -> AuditResult:
    finding = RuleFinding(rule="r", line="l", holds=holds)
    return AuditResult(
        verdict=verdict, policy_violations=violations, audited_at=NOW, findings=(finding,), policy_hash="p"
    )


APPROVED = audit(AuditVerdict.APPROVED)


def test_the_end_is_the_librarys_own():
    assert routing.END == END


@pytest.mark.parametrize(
    ("changes", "goes_to"),
    [
        ({"audit_result": APPROVED}, "hitl_gate"),
        ({"audit_result": APPROVED, "plan_revision_count": 5}, END),
        ({"audit_result": APPROVED, "status": RunStatus.FAILED}, END),
        ({"audit_result": audit(AuditVerdict.REJECTED)}, "thinker"),
        ({"audit_result": audit(AuditVerdict.NEEDS_REVISION)}, "thinker"),
        ({"audit_result": audit(AuditVerdict.APPROVED, ("x",))}, "thinker"),
        ({"audit_result": audit(AuditVerdict.APPROVED, holds=False)}, "thinker"),
        ({"audit_result": None}, "thinker"),
        ({"audit_result": audit(AuditVerdict.REJECTED), "plan_revision_count": 5}, END),
        ({"audit_result": audit(AuditVerdict.REJECTED), "plan_revision_count": 1, "max_plan_revisions": 1}, END),
    ],
)
def test_after_the_audit(changes: dict[str, object], goes_to: str):
    assert routing.after_audit(state(**changes)) == goes_to


@pytest.mark.parametrize(
    ("changes", "goes_to"),
    [
        ({"human_approved": True, "status": RunStatus.EXECUTING}, "tool_executor"),
        ({"human_approved": False, "status": RunStatus.EXECUTING}, END),
        ({"human_approved": True, "status": RunStatus.AWAITING_APPROVAL}, END),
        ({"status": RunStatus.AUDITING}, "auditor"),
        ({"status": RunStatus.THINKING, "rejection_feedback": "why"}, "thinker"),
        ({"status": RunStatus.THINKING}, END),
        ({"status": RunStatus.REJECTED, "rejection_feedback": "why"}, END),
        ({"status": RunStatus.FAILED}, END),
    ],
)
def test_after_the_gate(changes: dict[str, object], goes_to: str):
    assert routing.after_gate(state(**changes)) == goes_to


@pytest.mark.parametrize(
    ("changes", "goes_to"),
    [
        ({"current_step_index": 1}, "tool_executor"),
        ({"current_step_index": 2}, "synthesizer"),
        ({"current_step_index": 1, "status": RunStatus.FAILED}, END),
    ],
)
def test_after_a_tool(changes: dict[str, object], goes_to: str):
    assert routing.after_tool(state(**changes)) == goes_to


@pytest.mark.parametrize(
    ("changes", "goes_to"), [({}, "auditor"), ({"plan": None}, END), ({"status": RunStatus.FAILED}, END)]
)
def test_after_the_thinker(changes: dict[str, object], goes_to: str):
    assert routing.after_thinker(state(**changes)) == goes_to


def test_the_trace_keeps_its_tail():
    kept: list[dict[str, object]] = []
    for number in range(30):
        kept = append_reasoning(kept, [{"summary": str(number)}])
    assert len(kept) == MAX_REASONING
    assert kept[-1] == {"summary": "29"}


@pytest.mark.parametrize(
    "bad",
    [
        {"approvedByModel": True},
        {"user_query": ""},
        {"plan_revision_count": -1},
        {"status": "done"},
        {"max_plan_revisions": 0},
    ],
)
def test_gra_18_a_state_with_other_keys_or_values_is_refused(bad: dict[str, object]):
    with pytest.raises(StoreUnavailable, match="damaged or was changed"):
        read_state({**state().model_dump(mode="json"), **bad})
