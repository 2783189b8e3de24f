import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.agent.fallback_plan import build_fallback_plan
from deeptrust.agent.plan_sanity import EXAMPLE_INPUTS, find_faults
from deeptrust.domain.plan import PlanDraft, StepDraft, Tool
from deeptrust.trust.policy import load_policy

QUESTION = "What does the Digital Millennium Copyright Act forbid?"
RULES = load_policy().rules


def draft(*inputs: str, objective: str = "What the Copyright Act forbids") -> PlanDraft:
    return PlanDraft(
        objective=objective,
        steps=tuple(
            StepDraft(tool=Tool.KNOWLEDGE_SEARCH, input=text, rationale="Says what is forbidden.") for text in inputs
        ),
    )


def faults(*inputs: str, question: str = QUESTION) -> list[str]:
    return find_faults(draft(*inputs), question, RULES.max_steps)


@pytest.mark.parametrize(
    "inputs",
    [
        ("Digital Millennium Copyright Act prohibitions",),
        ("DMCA forbidden acts", "copyright act circumvention rules"),
    ],
)
def test_a_sane_plan_has_no_fault(inputs: tuple[str, ...]):
    assert faults(*inputs) == []


@pytest.mark.parametrize("copied", EXAMPLE_INPUTS)
def test_gra_03_a_step_copied_from_the_prompt_is_refused(copied: str):
    assert "example" in " ".join(faults(copied))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("best pizza in Naples", "too little to do with the question"),
        ("act of kindness", "too little to do with the question"),
        ("search for information on the topic", "nothing about what"),
        ("research step 1", "nothing about what"),
        ("<query>", "placeholder"),
        ("what is ...", "placeholder"),
        ("your query about {topic}", "placeholder"),
        ("copyright act act act act act", "repeats itself"),
        ("digital copyright " + " ".join(f"word{n}" for n in range(50)), "too long"),
    ],
)
def test_filler_and_strangers_are_refused(text: str, says: str):
    assert says in " ".join(faults(text))


def test_steps_that_repeat_one_another_are_refused():
    assert "same thing" in " ".join(faults("digital copyright act", "find information on the Digital Copyright Act"))


def test_an_objective_of_another_question_is_refused():
    assert "objective" in find_faults(draft("copyright act", objective="Pizza in Naples"), QUESTION, 6)[0]


def test_too_many_steps_are_refused():
    assert "at most 1" in find_faults(draft("copyright act", "digital millennium"), QUESTION, 1)[0]


def test_a_question_of_stop_words_only_can_be_planned():
    assert find_faults(draft("what is it", objective="What is it"), "What is it?", 6) == []


@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        "Who wrote the Harbour Act and when was it signed?",
        "norrvik",
        "What is it?",
        "数字千年版权法禁止什么?",
        "Was verbietet das Gesetz?",
        "supercalifragilistic " * 40,
    ],
)
def test_the_plan_from_the_question_is_sane_and_within_the_policy(question: str):
    plan = build_fallback_plan(question, None, RULES, may_search_web=True)
    faults = find_faults(plan, question, RULES.max_steps)
    assert [fault for fault in faults if "too long" not in fault] == []
    assert plan.steps[-1].tool is Tool.WEB_SEARCH
    assert all(len(step.input) <= RULES.max_query_characters for step in plan.steps)


def test_without_the_web_every_step_stays_in_the_documents():
    plan = build_fallback_plan(QUESTION, None, RULES, may_search_web=False)
    assert {step.tool for step in plan.steps} == {Tool.KNOWLEDGE_SEARCH}


def test_a_persons_reason_becomes_a_step():
    plan = build_fallback_plan(QUESTION, "Look for the penalties too", RULES, may_search_web=False)
    assert any("penalties" in step.input for step in plan.steps)


@given(
    st.text(min_size=1, max_size=400).filter(lambda text: any(map(str.isalnum, text))),
    st.one_of(st.none(), st.text(max_size=200)),
)
def test_every_question_gets_a_plan(question: str, feedback: str | None):
    plan = build_fallback_plan(question.strip(), feedback, RULES, may_search_web=True)
    assert 1 <= len(plan.steps) <= RULES.max_steps


def test_a_question_behind_a_wall_of_marks_gets_a_plan():
    plan = build_fallback_plan("… " * 3_000 + QUESTION, None, RULES, may_search_web=True)
    assert QUESTION in [step.input for step in plan.steps]


def test_real_questions_get_sane_plans(shared_data: Path):
    file = next((shared_data / "qa" / "clapnq").glob("*.jsonl"))
    questions = [json.loads(line)["question"] for line in file.read_text(encoding="utf-8").splitlines()[:100]]
    bad = [one for one in questions if find_faults(build_fallback_plan(one, None, RULES, may_search_web=True), one, 6)]
    assert bad == []
