from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from deeptrust.domain.approval import Approve, Edit, Reject
from deeptrust.domain.plan import (
    AuditResult,
    AuditVerdict,
    PlanDraft,
    PlanOrigin,
    ResearchPlan,
    ResearchStep,
    RuleFinding,
    StepDraft,
    StepResult,
    StepStatus,
    Tool,
)
from deeptrust.domain.run import (
    ApprovalAsked,
    Audited,
    Decided,
    EventBody,
    PlanProposed,
    ReasoningEntry,
    RunEvent,
    RunKind,
    RunStatus,
    StatusChanged,
    StepDone,
)
from deeptrust.ui.views import run as turns
from deeptrust.ui.views.plan import RUNNING, advance_plan, plan_of
from deeptrust.ui.views.run import Turn

NOW = datetime.now(UTC)
STEPS = (
    ResearchStep(id="s1", tool=Tool.KNOWLEDGE_SEARCH, input="ageing above 45 degrees", rationale="Rates stand there."),
    ResearchStep(id="s2", tool=Tool.WEB_SEARCH, input="lithium plating review", rationale="Work after 2021."),
)
PLAN = ResearchPlan(objective="What ages a battery?", steps=STEPS, estimated_token_budget=0, created_at=NOW, revision=0)
RULES = (
    RuleFinding(rule="max_steps", line="line 12: max_steps: 6", holds=True),
    RuleFinding(rule="max_requests", line="line 13: max_requests: 30", holds=True),
)
AUDIT = AuditResult(verdict=AuditVerdict.APPROVED, audited_at=NOW, findings=RULES, policy_hash="p")
PROPOSED = PlanProposed(plan=PLAN, plan_hash=PLAN.hash, origin=PlanOrigin.QUESTION)
ASKED = ApprovalAsked(
    approval_id="a1",
    message="Look at it.",
    plan=PLAN,
    audit=AUDIT,
    plan_hash=PLAN.hash,
    policy_hash="p",
    leaves_machine=("The words “lithium plating review” go to DuckDuckGo.",),
    expires_at=NOW + timedelta(days=7),
)
AT_THE_GATE: tuple[EventBody, ...] = (
    StatusChanged(status=RunStatus.THINKING),
    PROPOSED,
    StatusChanged(status=RunStatus.AUDITING),
    Audited(audit=AUDIT),
    StatusChanged(status=RunStatus.AWAITING_APPROVAL),
    ASKED,
)
APPROVED: tuple[EventBody, ...] = (
    Decided(approval_id="a1", outcome=Approve()),
    StatusChanged(status=RunStatus.EXECUTING),
)


def events(*bodies: EventBody) -> list[RunEvent]:
    return [RunEvent(run_id="r1", sequence=n, at=NOW, body=body) for n, body in enumerate(bodies, start=1)]


def turn_after(bodies: Iterable[EventBody]) -> Turn:
    turn = Turn(run_id="r1", question="What ages a battery?", kind=RunKind.RESEARCH.value)
    for event in events(*bodies):
        turn = turns.advance(turn, event)
    return turn


def done(step: str, status: StepStatus, **more) -> StepDone:
    return StepDone(result=StepResult(step_id=step, status=status, executed_at=NOW, **more))


def test_ui_16_the_log_alone_tells_the_plan_that_waits():
    view = plan_of(events(*AT_THE_GATE))
    assert (view.run_id, view.approval_id, view.plan_hash) == ("r1", "a1", PLAN.hash)
    assert [(step.number, step.input, step.tag, step.state) for step in view.steps] == [
        (1, "ageing above 45 degrees", "your documents", ""),
        (2, "lithium plating review", "web search", ""),
    ]
    assert (view.verdict, view.tone) == ("Policy: 2 of 2 rules hold", "ok")
    assert view.requests == "at most 4 of 30 requests"
    assert view.leaves_pill == "leaves this machine: 1 text"
    assert view.origin == "Built from your question, not by a model."
    assert view.revision == "revision 1"
    assert turn_after(AT_THE_GATE).phase == turns.WAITING


def test_a_plan_that_asks_the_documents_only_says_that_nothing_leaves():
    local = PLAN.model_copy(update={"steps": STEPS[:1]})
    view = plan_of(
        events(
            PlanProposed(plan=local, plan_hash=local.hash, origin=PlanOrigin.MODEL),
            Audited(audit=AUDIT),
            ASKED.model_copy(update={"plan": local, "leaves_machine": ()}),
        )
    )
    assert (view.requests, view.leaves, view.leaves_pill) == ("no web requests", [], "nothing leaves this machine")


def test_a_broken_rule_is_shown_with_its_line_and_what_broke_it():
    broken = RuleFinding(rule="max_steps", line="line 12: max_steps: 6", holds=False, detail="the plan has 7 steps")
    audit = AUDIT.model_copy(
        update={"findings": (broken,), "policy_violations": ("too long",), "suggestions": ("ask less",)}
    )
    view = plan_of(events(PROPOSED, Audited(audit=audit)))
    assert (view.verdict, view.tone) == ("Policy: 0 of 1 rule hold", "bad")
    assert [(rule.name, rule.holds, rule.detail) for rule in view.rules] == [
        ("Number of steps", False, "the plan has 7 steps")
    ]
    assert (view.violations, view.suggestions) == (["too long"], ["ask less"])


def test_steps_show_what_they_brought_and_which_one_runs():
    running = plan_of(events(*AT_THE_GATE, *APPROVED))
    assert [step.state for step in running.steps] == [RUNNING, ""]
    assert running.approval_id == ""
    first = (*AT_THE_GATE, *APPROVED, done("s1", StepStatus.OK, engine="your documents", passage_ids=("p1", "p2")))
    second = plan_of(events(*first, StatusChanged(status=RunStatus.EXECUTING)))
    assert [step.state for step in second.steps] == ["found 2 passages", RUNNING]
    assert turn_after((*first, StatusChanged(status=RunStatus.EXECUTING))).stage == "Step 2 of 2"
    stopped = plan_of(events(*first, APPROVED[1], StatusChanged(status=RunStatus.CANCELLED, message="Stopped by you.")))
    assert [step.state for step in stopped.steps] == ["found 2 passages", "not finished"]


def test_each_outcome_of_a_step_has_its_words_and_a_fallback_is_announced():
    reason = "DuckDuckGo is blocking this machine. Wikipedia answered instead."
    view = plan_of(events(PROPOSED, done("s2", StepStatus.OK, engine="Wikipedia", reason=reason, passage_ids=("w",))))
    assert (view.steps[1].state, view.steps[1].tag, view.steps[1].note) == ("found 1 passage", "Wikipedia", reason)
    states = [
        (StepStatus.EMPTY, "None of 63 passages answers this.", "nothing found", "off"),
        (StepStatus.FAILED, "The network is off.", "failed: The network is off.", "bad"),
        (StepStatus.REFUSED, "The policy forbids it.", "refused: The policy forbids it.", "warn"),
    ]
    for status, why, words, tone in states:
        step = plan_of(events(PROPOSED, done("s1", status, reason=why))).steps[0]
        assert (step.state, step.tone) == (words, tone)


def test_a_decision_takes_the_card_away_whoever_made_it():
    draft = PlanDraft(objective="x", steps=(StepDraft(tool=Tool.KNOWLEDGE_SEARCH, input="y", rationale="z"),))
    for outcome in (Approve(), Edit(plan=draft), Reject(), Reject(reason="more")):
        decided = Decided(approval_id="a1", outcome=outcome)
        assert plan_of(events(*AT_THE_GATE, decided)).approval_id == ""
        assert turn_after((*AT_THE_GATE, decided)).phase == turns.THINKING


def test_a_new_plan_takes_the_place_of_the_old_one_whole():
    old = plan_of(events(*AT_THE_GATE))
    new = PLAN.model_copy(update={"revision": 1})
    [event] = events(PlanProposed(plan=new, plan_hash=new.hash, origin=PlanOrigin.PERSON))
    view = advance_plan(old, event)
    assert (view.origin, view.revision, view.approval_id, view.rules, view.leaves) == (
        "Edited by you.",
        "revision 2",
        "",
        [],
        [],
    )


def test_each_end_has_its_own_phase_and_sentence():
    for status, phase in (
        (RunStatus.REJECTED, turns.REJECTED),
        (RunStatus.EXPIRED, turns.EXPIRED),
        (RunStatus.CANCELLED, turns.STOPPED),
        (RunStatus.FAILED, turns.FAILED),
    ):
        turn = turn_after((*AT_THE_GATE, StatusChanged(status=status, message="So it ended.")))
        assert (turn.phase, turn.message) == (phase, "So it ended.")
        assert plan_of(events(*AT_THE_GATE, StatusChanged(status=status))).approval_id == ""


def test_ui_20_the_gate_and_each_step_are_announced():
    said: list[str | None] = []
    turn = Turn(run_id="r1", question="?", kind=RunKind.RESEARCH.value)
    for event in events(*AT_THE_GATE, *APPROVED):
        turn = turns.advance(turn, event)
        said.append(turns.announcement(turn, event))
    assert "The plan is ready and has 2 steps. Nothing runs until you approve it." in said
    assert said[-1] == "Step 1 of 2"


def test_the_planner_s_own_word_says_how_the_plan_came_about():
    note = "The model's plan was not usable, so this plan was built from your question. (no JSON)"
    entry = ReasoningEntry(node="thinker", summary=note, status=RunStatus.THINKING)
    assert plan_of(events(PROPOSED, entry)).origin == note
    edited = PlanProposed(plan=PLAN, plan_hash=PLAN.hash, origin=PlanOrigin.PERSON)
    turned = ReasoningEntry(node="hitl_gate", summary="You edited the plan.", status=RunStatus.AWAITING_APPROVAL)
    assert plan_of(events(PROPOSED, entry, edited, turned)).origin == "Edited by you."


def test_direction_marks_in_a_plan_cannot_reorder_the_card():
    step = STEPS[0].model_copy(update={"input": "a\u202eb"})
    plan = PLAN.model_copy(update={"steps": (step,)})
    view = plan_of(events(PlanProposed(plan=plan, plan_hash=plan.hash, origin=PlanOrigin.MODEL)))
    assert view.steps[0] == replace(view.steps[0], input="a⟨U+202E⟩b")
