"""A run that ended badly after its yes is taken up where it stopped, with the models of now (HIT-20)."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from deeptrust.agent.research import retry_and_follow
from deeptrust.domain.approval import Approve, Reject
from deeptrust.domain.plan import StepResult
from deeptrust.domain.run import (
    AnswerReady,
    ApprovalAsked,
    ReasoningEntry,
    RunStatus,
    StatusChanged,
    StepDone,
    StillWorking,
)
from deeptrust.errors import Conflict, ModelUnavailable, NotFound, StoreUnavailable
from deeptrust.knowledge.library import Library
from deeptrust.llm.reply import ChatRequest, Reply
from deeptrust.llm.scripted import ScriptedModel
from deeptrust.runs.retries import RetryPoint
from deeptrust.trust.policy import parse_policy
from deeptrust.trust.policy_default import DEFAULT_POLICY
from tests.agent.conftest import NOTE, QUESTION, Bench, OpenBench
from tests.agent.test_research_nodes import Remote, edit_of
from tests.waiting import until

REPORT = "Fires on the quay are forbidden. [1]"
DEAD = ModelUnavailable("Ollama closed the connection. Start it again.")


@dataclass
class Shelf:
    """A library that counts what the tools look for, and whose list of documents may be out of reach."""

    library: Library
    is_broken: bool = True
    searches: int = 0

    async def documents(self, collection: str) -> Any:
        if self.is_broken:
            raise StoreUnavailable("The knowledge store is locked by another process.")
        return await self.library.documents(collection)

    async def passage(self, passage_id: str) -> Any:
        return await self.library.passage(passage_id)

    async def retrieve(self, question: str, *, collection: str, limit: int) -> Any:
        self.searches += 1
        return await self.library.retrieve(question, collection=collection, limit=limit)


class HeldModel(ScriptedModel):
    """Says nothing before it is let go."""

    def __init__(self, script: list[str]) -> None:
        super().__init__(script)
        self.may_say = asyncio.Event()

    async def reply(self, request: ChatRequest) -> Reply:
        await self.may_say.wait()
        async for item in super().reply(request):
            yield item


async def fail_at_the_report(bench: Bench) -> tuple[str, Shelf]:
    """A run that was approved, did its steps, and failed at the first thing after them."""
    shelf = Shelf(bench.library)
    bench.change(knowledge=shelf)
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    assert await ended(bench, run_id) is RunStatus.FAILED
    return run_id, shelf


async def ended(bench: Bench, run_id: str) -> RunStatus:
    return (await bench.runner.history.find(bench.owner, run_id)).status


async def retry(bench: Bench, run_id: str, **more: bool) -> None:
    await bench.runner.retry(bench.owner, run_id, **more)
    await bench.settle(run_id)


async def test_hit_20_a_run_that_failed_after_the_yes_goes_on_and_runs_no_tool_twice(bench: Bench):
    run_id, shelf = await fail_at_the_report(bench)
    before, searches = await bench.events(run_id), shelf.searches
    shelf.is_broken = False
    bench.change(writer=ScriptedModel([REPORT]))
    await retry(bench, run_id)
    events = await bench.events(run_id)
    assert events[: len(before)] == before
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert await ended(bench, run_id) is RunStatus.COMPLETE
    assert (await bench.bodies(run_id, AnswerReady))[0].detail.answer.model == "Scripted"
    assert shelf.searches == searches
    assert len(await bench.bodies(run_id, StepDone)) == len(await bench.bodies(run_id, ApprovalAsked)) == 1


async def test_hit_20_the_steps_that_are_left_are_run_under_the_same_approval(bench: Bench):
    run_id = await bench.ask()
    await bench.decide(run_id, edit_of("Norrvik fines", "Who is the harbour master of Norrvik?"))
    asked = (await bench.bodies(run_id, ApprovalAsked))[-1]
    evidence = bench.parts.evidence
    record = evidence.record

    async def fail_at_the_second(run_id: str, result: StepResult, passages: Any) -> None:
        if result.step_id == asked.plan.steps[1].id:
            raise StoreUnavailable("The disk is full. Free some space and try again.")
        await record(run_id, result, passages)

    evidence.record = fail_at_the_second  # pyright: ignore[reportAttributeAccessIssue]
    await bench.decide(run_id, Approve(), asked.plan_hash)
    assert await ended(bench, run_id) is RunStatus.FAILED
    evidence.record = record
    assert (await bench.runner.history.view(bench.owner, run_id)).retry is RetryPoint.STEP
    await retry(bench, run_id)
    done = [body.result.step_id for body in await bench.bodies(run_id, StepDone)]
    assert done == [step.id for step in asked.plan.steps]
    assert await ended(bench, run_id) is RunStatus.COMPLETE


async def test_a_report_that_fell_back_to_quotes_is_written_by_another_model(bench: Bench):
    shelf = Shelf(bench.library, is_broken=False)
    bench.change(knowledge=shelf, writer=ScriptedModel([DEAD]))
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    view = await bench.runner.history.view(bench.owner, run_id)
    assert (view.status, view.model, view.retry) == (RunStatus.COMPLETE, None, RetryPoint.REPORT)
    searches = shelf.searches
    bench.change(writer=ScriptedModel([REPORT]))
    await retry(bench, run_id)
    view = await bench.runner.history.view(bench.owner, run_id)
    assert (view.status, view.model, view.retry) == (RunStatus.COMPLETE, "Scripted", None)
    assert view.final_report
    assert REPORT.removesuffix(" [1]") in view.final_report
    assert shelf.searches == searches
    assert len(await bench.bodies(run_id, AnswerReady)) == 2


async def test_two_clicks_take_a_run_up_once(bench: Bench):
    run_id, shelf = await fail_at_the_report(bench)
    shelf.is_broken = False
    writer = HeldModel([REPORT])
    bench.change(writer=writer)
    clicks = [bench.runner.retry(bench.owner, run_id) for _ in range(3)]
    outcomes = await asyncio.gather(*clicks, return_exceptions=True)
    writer.may_say.set()
    await bench.settle(run_id)
    assert [type(outcome) for outcome in outcomes].count(Conflict) == 2
    assert "going on" in str(next(outcome for outcome in outcomes if outcome))
    assert len(await bench.bodies(run_id, AnswerReady)) == 1


async def test_who_follows_again_sees_the_second_try_and_who_replays_sees_both(bench: Bench):
    run_id, shelf = await fail_at_the_report(bench)
    shelf.is_broken = False
    seen = len(await bench.events(run_id))
    rest = [event async for event in retry_and_follow(bench.runner, bench.owner, run_id)]
    assert rest[0].sequence == seen + 1
    assert rest[0].body == StatusChanged(status=RunStatus.EXECUTING)
    whole = [event async for event in bench.runner.history.follow(bench.owner, run_id)]
    assert whole[seen:] == rest
    assert [event async for event in bench.runner.history.follow(bench.owner, run_id, after=len(whole))] == []


async def test_a_second_failure_can_be_tried_again(bench: Bench):
    run_id, shelf = await fail_at_the_report(bench)
    await retry(bench, run_id)
    assert await ended(bench, run_id) is RunStatus.FAILED
    shelf.is_broken = False
    await retry(bench, run_id)
    assert await ended(bench, run_id) is RunStatus.COMPLETE


async def test_what_was_not_approved_or_went_well_is_not_taken_up(bench: Bench):
    waiting, rejected, done = await bench.ask(), await bench.ask(), await bench.ask()
    await bench.decide(rejected, Reject())
    await bench.decide(done, Approve())
    forbidden = await bench.ask("What is the home address of Ingrid Halvorsen?")
    for run_id in (waiting, rejected, done, forbidden):
        before = await bench.events(run_id)
        with pytest.raises(Conflict):
            await bench.runner.retry(bench.owner, run_id)
        assert await bench.events(run_id) == before
    with pytest.raises(NotFound):
        await bench.runner.retry("somebody else", done)


async def test_hit_10_steps_do_not_go_on_under_another_policy(bench: Bench):
    run_id = await bench.ask()
    bench.parts.evidence.record = _raise  # pyright: ignore[reportAttributeAccessIssue]
    await bench.decide(run_id, Approve())
    del bench.parts.evidence.record
    bench.policy.append(parse_policy(DEFAULT_POLICY.replace("forbidden_terms: []", "forbidden_terms: [medical]")))
    with pytest.raises(Conflict, match=r"POLICY\.md has changed"):
        await bench.runner.retry(bench.owner, run_id)
    assert not await bench.bodies(run_id, StepDone)


async def test_k26_nothing_goes_to_a_model_that_the_approval_did_not_name(bench: Bench):
    run_id, shelf = await fail_at_the_report(bench)
    shelf.is_broken = False
    bench.change(writer=(remote := Remote([REPORT])))
    offer = await bench.runner.offer_retry(bench.owner, run_id)
    assert offer.leaves_machine == ("Your question and the passages that are found go to Scripted.",)
    with pytest.raises(Conflict, match="go to Scripted"):
        await bench.runner.retry(bench.owner, run_id)
    assert remote.prompts == []
    await retry(bench, run_id, may_leave=True)
    assert len(remote.prompts) == 1


class AnotherRemote(Remote):
    """A second hosted model."""

    @property
    def name(self) -> str:
        return "Another"


@pytest.mark.parametrize(("kind", "prompts"), [(Remote, 1), (AnotherRemote, 0)], ids=["same", "another"])
async def test_k26_a_second_try_cut_by_a_restart_goes_on_only_with_the_model_agreed_to(
    open_bench: OpenBench, kind: type[Remote], prompts: int
):
    bench = await open_bench()
    await bench.library.add_note(NOTE, "Harbour rules")
    run_id, _ = await fail_at_the_report(bench)
    bench.change(knowledge=bench.library, writer=Remote([REPORT], prompt_seconds=600))
    await bench.runner.retry(bench.owner, run_id, may_leave=True)
    await bench.die()
    again = await open_bench()
    again.change(writer=(remote := kind([REPORT])))
    await again.runner.recover()
    await again.settle(run_id)
    assert len(remote.prompts) == prompts
    assert await ended(again, run_id) is (RunStatus.COMPLETE if prompts else RunStatus.FAILED)
    if not prompts:
        assert (await again.bodies(run_id, StatusChanged))[-1].message == (
            "Your question and the passages that are found go to Another. You did not agree to that when you took the "
            "run up, before DeepTrust was restarted. Take it up again if it may."
        )
        assert (await again.runner.offer_retry(again.owner, run_id)).leaves_machine


async def test_k26_a_hosted_model_that_comes_between_card_and_yes_reads_nothing(bench: Bench):
    run_id = await bench.ask()
    assert (await bench.bodies(run_id, ApprovalAsked))[0].leaves_machine == ()
    bench.change(writer=(remote := Remote([REPORT])))
    await bench.decide(run_id, Approve())
    assert remote.prompts == []
    answer = (await bench.bodies(run_id, AnswerReady))[0].detail.answer
    assert (answer.grounded, answer.model) == (True, None)
    assert answer.guidance.startswith("Your approval did not name Scripted")
    with pytest.raises(Conflict, match="go to Scripted"):
        await bench.runner.retry(bench.owner, run_id)
    await retry(bench, run_id, may_leave=True)
    assert len(remote.prompts) == 1
    assert (await bench.bodies(run_id, AnswerReady))[1].detail.answer.model == "Scripted"


async def test_k26_the_hosted_model_that_the_card_names_writes_the_report(bench: Bench):
    bench.change(writer=(remote := Remote([REPORT])))
    run_id = await bench.ask()
    named = (await bench.bodies(run_id, ApprovalAsked))[0].leaves_machine
    assert named == ("Your question and the passages that are found go to Scripted.",)
    assert remote.prompts == []
    await bench.decide(run_id, Approve())
    assert len(remote.prompts) == 1
    assert (await bench.bodies(run_id, AnswerReady))[0].detail.answer.model == "Scripted"


async def test_a_report_is_not_quoted_a_second_time(bench: Bench):
    bench.change(writer=ScriptedModel([DEAD]))
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    bench.change(writer=None)
    with pytest.raises(Conflict, match="Choose a model that writes"):
        await bench.runner.retry(bench.owner, run_id)
    assert await ended(bench, run_id) is RunStatus.COMPLETE


@pytest.mark.parametrize("cut_at", range(1, 7))
async def test_a_second_try_that_is_cut_at_any_event_reaches_the_same_end(open_bench: OpenBench, cut_at: int):
    bench = await open_bench()
    await bench.library.add_note(NOTE, "Harbour rules")
    run_id, shelf = await fail_at_the_report(bench)
    shelf.is_broken, seen = False, len(await bench.events(run_id))
    await bench.runner.retry(bench.owner, run_id)
    async for event in bench.runner.history.follow(bench.owner, run_id, after=seen):
        if event.sequence == seen + cut_at:
            break
    await bench.die()
    again = await open_bench()
    await again.runner.recover()
    await again.settle(run_id)
    rest = [event.body for event in (await again.events(run_id))[seen:]]
    kinds = [type(body) for body in rest if not (isinstance(body, ReasoningEntry) and body.node == "runner")]
    assert kinds == [StatusChanged, AnswerReady, ReasoningEntry, StatusChanged]
    assert await ended(again, run_id) is RunStatus.COMPLETE
    assert len(await again.bodies(run_id, StepDone)) == 1


async def test_hit_07_who_watches_is_told_that_a_run_is_still_at_work(bench: Bench):
    planner = ScriptedModel(["x"], prompt_seconds=600)
    bench.change(planner=planner)
    run_id = await bench.runner.start(bench.owner, _request())
    await until(lambda: bool(planner.prompts))  # from now on nothing comes
    seen = len(await bench.events(run_id))
    watching = bench.runner.history.watch(bench.owner, run_id, after=seen, quiet_seconds=0.05)
    notices = [await anext(watching), await anext(watching)]
    await watching.aclose()
    assert notices == [
        StillWorking(run_id=run_id, status=RunStatus.THINKING, seconds=seconds) for seconds in (0.05, 0.1)
    ]
    await bench.runner.cancel(bench.owner, run_id)


async def test_hit_07_a_run_that_waits_for_a_person_is_not_late(bench: Bench):
    run_id = await bench.ask()
    watching = bench.runner.history.watch(
        bench.owner, run_id, after=len(await bench.events(run_id)), quiet_seconds=0.02
    )
    coming = asyncio.ensure_future(anext(watching))
    await asyncio.sleep(0.2)
    assert not coming.done()
    await bench.decide(run_id, Approve())
    await coming
    await watching.aclose()


def _request():
    from deeptrust.domain.run import RunKind, RunRequest

    return RunRequest(kind=RunKind.RESEARCH, question=QUESTION)


async def _raise(*_: object) -> None:
    raise StoreUnavailable("The disk is full. Free some space and try again.")
