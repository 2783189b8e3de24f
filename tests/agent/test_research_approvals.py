"""The matrix of wrong approvals: each is refused, and nothing runs."""

import asyncio
from datetime import timedelta

import pytest

from deeptrust.domain.approval import Approve, Edit, Reject
from deeptrust.domain.plan import PlanDraft, StepDraft, Tool
from deeptrust.domain.run import (
    AnswerReady,
    ApprovalAsked,
    Decided,
    RunKind,
    RunRequest,
    RunStatus,
    StatusChanged,
    StepDone,
)
from deeptrust.errors import BadInput, Conflict, NotFound
from deeptrust.search.scripted import ScriptedEngine
from tests.agent.conftest import QUESTION, Bench, OpenBench


async def status(bench: Bench, run_id: str) -> RunStatus:
    return (await bench.runner.history.find(bench.owner, run_id)).status


async def assert_nothing_ran(bench: Bench, run_id: str) -> None:
    assert not await bench.bodies(run_id, StepDone)
    assert not await bench.bodies(run_id, AnswerReady)


@pytest.mark.parametrize(
    "value",
    [
        "no", "yes", "approve", "true", 1, 0, True, False, None, [], {}, [True],
        {"action": "Approve"}, {"action": True}, {"approved": True},
        {"action": "approve", "update": {"plan": {"objective": "evil"}}},
        {"action": "approve", "humanApproved": True},
        {"action": "edit"}, {"action": "edit", "plan": None},
        {"action": "edit", "plan": {"objective": "x", "steps": []}},
        {"action": "edit", "plan": {"objective": "x", "steps": [{"tool": "sh", "input": "x", "rationale": "y"}]}},
        {"action": "reject", "reason": 7},
    ],
)  # fmt: skip
async def test_hit_19_what_is_no_decision_is_bad_input(bench: Bench, value: object):
    run_id = await bench.ask()
    before = await bench.events(run_id)
    with pytest.raises(BadInput):
        await bench.decide(run_id, value)
    assert await bench.events(run_id) == before
    assert await status(bench, run_id) is RunStatus.AWAITING_APPROVAL


@pytest.mark.parametrize("run_id", ["00000000-0000-4000-8000-000000000000", "", "\x00", "../../etc", "' OR 1=1 --"])
async def test_hit_04_an_unknown_run_starts_nothing(bench: Bench, run_id: str):
    with pytest.raises(NotFound):
        await bench.decide(run_id, Approve())
    assert await bench.runner.history.runs(bench.owner) == []


async def test_hit_08_a_stranger_decides_nothing(bench: Bench):
    run_id = await bench.ask()
    with pytest.raises(NotFound):
        await bench.runner.decide("stranger", run_id, Approve())
    assert await status(bench, run_id) is RunStatus.AWAITING_APPROVAL
    await assert_nothing_ran(bench, run_id)


async def test_hit_05_a_finished_run_is_not_replayed(bench: Bench):
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    before = await bench.events(run_id)
    with pytest.raises(Conflict, match="already finished"):
        await bench.decide(run_id, Approve())
    assert await bench.events(run_id) == before


async def test_gra_21_nothing_is_left_to_go_back_to(bench: Bench):
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    saved = [one async for one in bench.producer._saver.alist({"configurable": {"thread_id": run_id}})]  # pyright: ignore[reportPrivateUsage]
    assert saved == []


async def test_a_stale_plan_is_not_approved(bench: Bench):
    run_id = await bench.ask()
    seen = (await bench.bodies(run_id, ApprovalAsked))[0].plan_hash
    step = StepDraft(tool=Tool.KNOWLEDGE_SEARCH, input="Norrvik fines", rationale="I want to know this.")
    await bench.decide(run_id, Edit(plan=PlanDraft(objective="Fines", steps=(step,))), seen)
    with pytest.raises(Conflict, match="has changed since you saw it"):
        await bench.decide(run_id, Approve(), seen)
    await assert_nothing_ran(bench, run_id)
    assert await status(bench, run_id) is RunStatus.AWAITING_APPROVAL


async def test_hit_11_a_month_old_plan_does_not_run(bench: Bench):
    run_id = await bench.ask()
    bench.clock.ahead = timedelta(days=30)
    with pytest.raises(Conflict, match="Nobody decided in time"):
        await bench.decide(run_id, Approve())
    assert await status(bench, run_id) is RunStatus.EXPIRED
    await assert_nothing_ran(bench, run_id)


async def test_hit_11_the_sweep_closes_what_is_overdue_and_nothing_else(bench: Bench):
    old = await bench.ask()
    bench.clock.ahead = timedelta(days=6)
    young = await bench.ask()
    bench.clock.ahead = timedelta(days=8)
    await bench.runner.expire_overdue()
    assert await status(bench, old) is RunStatus.EXPIRED
    assert await status(bench, young) is RunStatus.AWAITING_APPROVAL
    ended = (await bench.bodies(old, StatusChanged))[-1]
    assert "Nobody decided in time" in (ended.message or "")


@pytest.mark.parametrize(("first", "second"), [(Reject(), Approve()), (Approve(), Reject()), (Reject(), Reject())])
async def test_hit_17_the_first_decision_stands(bench: Bench, first: object, second: object):
    run_id = await bench.ask()
    await bench.decide(run_id, first)
    with pytest.raises(Conflict):
        await bench.decide(run_id, second)
    if isinstance(first, Reject):
        assert await status(bench, run_id) is RunStatus.REJECTED
        await assert_nothing_ran(bench, run_id)
    else:
        assert await status(bench, run_id) is RunStatus.COMPLETE


async def test_a_run_that_was_stopped_at_the_gate_is_not_approved(bench: Bench):
    run_id = await bench.ask()
    await bench.runner.cancel(bench.owner, run_id)
    assert await status(bench, run_id) is RunStatus.CANCELLED
    with pytest.raises(Conflict):
        await bench.decide(run_id, Approve())
    await assert_nothing_ran(bench, run_id)
    bench.clock.ahead = timedelta(days=30)
    await bench.runner.expire_overdue()
    assert await status(bench, run_id) is RunStatus.CANCELLED


async def test_hit_16_an_approval_within_a_millisecond_of_the_question_is_kept(bench: Bench):
    run_id = await bench.runner.start(bench.owner, RunRequest(kind=RunKind.RESEARCH, question=QUESTION))
    async for event in bench.runner.history.follow(bench.owner, run_id):
        if isinstance(event.body, ApprovalAsked):
            await bench.runner.decide(bench.owner, run_id, Approve())
    assert await status(bench, run_id) is RunStatus.COMPLETE
    assert len(await bench.bodies(run_id, StepDone)) == 1


async def test_hit_02_two_approvals_at_once_run_the_tool_once(bench: Bench):
    bench.change(engines=(engine := ScriptedEngine.of_hits(name="DuckDuckGo"),))
    for _ in range(10):
        run_id = await bench.ask(f"{QUESTION}")
        results = await asyncio.gather(
            *(bench.runner.decide(bench.owner, run_id, Approve()) for _ in range(2)), return_exceptions=True
        )
        await bench.settle(run_id)
        assert sorted(type(result).__name__ for result in results) == ["Conflict", "NoneType"]
        assert len(await bench.bodies(run_id, StepDone)) == 1
        assert len(await bench.bodies(run_id, Decided)) == 1
    assert engine.queries == []


async def test_hit_14_after_a_cut_the_log_tells_all(bench: Bench):
    run_id = await bench.ask()
    follower = asyncio.create_task(anext(bench.runner.history.follow(bench.owner, run_id, after=8)))
    await bench.runner.decide(bench.owner, run_id, Approve())
    follower.cancel()
    await bench.settle(run_id)
    assert (await bench.bodies(run_id, AnswerReady))[0].detail.answer.text


async def test_gra_09_each_question_is_a_thread_of_its_own(bench: Bench):
    waiting = await bench.ask()
    thread = (await bench.runner.history.find(bench.owner, waiting)).thread_id
    second = await bench.ask("Who is the harbour master of Norrvik?", thread_id=thread)
    await bench.decide(second, Approve())
    assert await status(bench, waiting) is RunStatus.AWAITING_APPROVAL
    await assert_nothing_ran(bench, waiting)
    await bench.decide(waiting, Approve())
    assert await status(bench, waiting) is RunStatus.COMPLETE


async def test_deleting_a_run_leaves_nothing_of_it(open_bench: OpenBench):
    bench = await open_bench()
    await bench.library.add_note("The harbour forbids fires.", "Rules")
    run_id = await bench.ask(retrieved_context="A secret that the caller supplied.")
    await bench.runner.forget(bench.owner, run_id)
    with pytest.raises(NotFound):
        await bench.decide(run_id, Approve())
    assert await bench.parts.evidence.get(run_id, ["x"]) == []
    saved = [one async for one in bench.producer._saver.alist({"configurable": {"thread_id": run_id}})]  # pyright: ignore[reportPrivateUsage]
    assert saved == []
