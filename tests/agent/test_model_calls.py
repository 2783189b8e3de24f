"""Each model call stands in the trace; what a model could not read is said, and never cut silently."""

import pytest

from deeptrust.agent.parts import Limits
from deeptrust.domain.approval import Approve
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.run import AnswerReady, PlanProposed, ReasoningEntry, RunStatus, StatusChanged
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.scripted import ScriptedModel
from tests.agent.conftest import QUESTION, Bench
from tests.agent.test_research_nodes import NO_OBJECTION, plan_json

PLAN = plan_json("harbour Norrvik quay rules")
REPORT = "Fires on the quay are forbidden. [1]"


async def calls_of(bench: Bench, run_id: str) -> list[ModelCall]:
    return [call for entry in await bench.bodies(run_id, ReasoningEntry) for call in entry.calls]


async def test_every_call_of_a_run_is_recorded_with_its_tokens(bench: Bench):
    bench.change(
        planner=ScriptedModel(["no idea", PLAN]),
        reviewer=ScriptedModel([NO_OBJECTION]),
        writer=ScriptedModel([REPORT]),
    )
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    calls = await calls_of(bench, run_id)
    assert [call.purpose for call in calls] == ["plan", "plan", "audit", "report"]
    assert all(call.prompt_tokens > 0 and call.completion_tokens > 0 for call in calls)
    assert {call.model for call in calls} == {"Scripted"}
    assert "no JSON object" in calls[0].note
    assert [call.note for call in calls[1:]] == ["", "", ""]


async def test_a_call_that_fails_is_recorded_too(bench: Bench):
    bench.change(writer=ScriptedModel([ModelUnavailable("The server closed the connection.")]))
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    (call,) = await calls_of(bench, run_id)
    assert call.note == "The server closed the connection."
    assert call.prompt_tokens > 0
    assert call.completion_tokens == 0


async def test_llm_13_a_model_that_failed_at_the_plan_is_not_waited_for_again_at_the_audit(bench: Bench):
    silent = ScriptedModel(["x"], prompt_seconds=600)
    bench.change(planner=silent, reviewer=silent, limits=Limits(model_call_seconds=0.05))
    run_id = await bench.ask()
    assert len(silent.prompts) == 1
    assert "Scripted had just failed" in (await bench.bodies(run_id, ReasoningEntry))[1].summary
    assert (await bench.bodies(run_id, StatusChanged))[-1].status is RunStatus.AWAITING_APPROVAL


async def test_llm_06_an_empty_report_is_asked_for_once_more(bench: Bench):
    bench.change(writer=ScriptedModel(["<think>hm", REPORT]))
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    assert [call.note for call in await calls_of(bench, run_id)] == ["The model gave no answer.", ""]
    assert (await bench.bodies(run_id, AnswerReady))[0].detail.answer.model == "Scripted"


async def test_llm_10_titles_that_do_not_fit_are_counted_in_the_trace(bench: Bench):
    for number in range(30):
        await bench.library.add_note(f"Boat {number} of Norrvik.", f"Boat {number} {'and its long name ' * 6}")
    planner = ScriptedModel([PLAN], context_tokens=1900)
    bench.change(planner=planner)
    told = (await bench.bodies(await bench.ask(), ReasoningEntry))[0]
    assert "of the titles" in told.summary
    assert "Left out of what Scripted reads (1,900 tokens)" in told.calls[0].note
    assert f"Question: {QUESTION}" in planner.prompts[0][-1].content


async def test_llm_10_a_question_too_long_for_the_model_is_said_and_planned_without_it(bench: Bench):
    planner = ScriptedModel([PLAN], context_tokens=1000)
    bench.change(planner=planner)
    run_id = await bench.ask("What does Norrvik forbid? " * 200)
    told = (await bench.bodies(run_id, ReasoningEntry))[0]
    assert "The question does not fit into the 1,000 tokens that Scripted reads." in told.summary
    assert planner.prompts == []
    assert await bench.bodies(run_id, PlanProposed)


async def test_llm_10_half_a_policy_is_not_audited(bench: Bench):
    reviewer = ScriptedModel([NO_OBJECTION], context_tokens=500)
    bench.change(reviewer=reviewer)
    run_id = await bench.ask()
    entries = await bench.bodies(run_id, ReasoningEntry)
    assert "The plan with its policy does not fit" in entries[1].summary
    assert reviewer.prompts == []
    assert (await bench.bodies(run_id, StatusChanged))[-1].status is RunStatus.AWAITING_APPROVAL


async def test_llm_10_a_report_says_what_its_writer_could_not_read(bench: Bench):
    for number in range(8):
        await bench.library.add_note(
            f"The harbour of Norrvik forbids on the quay: rule {number} " * 12, f"Rules {number}"
        )
    writer = ScriptedModel([REPORT], context_tokens=900)
    bench.change(writer=writer, limits=Limits(report_tokens=200))
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    entry = (await bench.bodies(run_id, ReasoningEntry))[-1]
    assert "Left out of what Scripted reads (900 tokens): " in entry.summary
    assert entry.calls[0].note in entry.summary
    assert writer.prompts[0][0].content.startswith("You answer questions from numbered sources")


@pytest.mark.parametrize(
    "text", ['{"verdict": "approved"', '"verdict": "approved", "policyViolations": []', "approved"]
)
async def test_llm_04_nothing_is_approved_by_a_search_in_text(bench: Bench, text: str):
    bench.change(reviewer=(reviewer := ScriptedModel([text])))
    run_id = await bench.ask()
    assert len(reviewer.prompts) == 3
    assert "could not be used" in reviewer.prompts[1][-1].content
    assert "inconclusive" in (await bench.bodies(run_id, ReasoningEntry))[1].summary
