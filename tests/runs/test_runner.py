import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import pytest

from deeptrust.database import runs
from deeptrust.database.engine import Database
from deeptrust.domain.answer import AnswerDetail, GroundedAnswer
from deeptrust.domain.run import (
    AnswerReady,
    EventBody,
    Evidence,
    ReasoningEntry,
    RunEvent,
    RunKind,
    RunRequest,
    RunStatus,
    StatusChanged,
)
from deeptrust.errors import BadQuestion, Conflict, ModelUnavailable, NotFound
from deeptrust.identity.users import find_local_user
from deeptrust.runs.runner import Runner


class Steps:
    """A producer that takes a step each time it is let go; `failure` is raised after the first."""

    def __init__(self, count: int = 3, failure: Exception | None = None) -> None:
        self.count, self.failure = count, failure
        self.may_go_on = asyncio.Event()
        self.is_closed = False
        self.started = 0

    async def start(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody, None]:
        self.started += 1
        try:
            yield StatusChanged(status=RunStatus.THINKING)
            if self.failure:
                raise self.failure
            await self.may_go_on.wait()
            for step in range(self.count):
                yield ReasoningEntry(node="step", summary=f"step {step + 1}", status=RunStatus.THINKING)
            yield StatusChanged(status=RunStatus.COMPLETE)
        finally:
            self.is_closed = True


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = Database(tmp_path / "deeptrust.sqlite")
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def owner(database: Database) -> str:
    return await find_local_user(database)


def runner_of(database: Database, producer: Steps) -> Runner:
    return Runner(database, {RunKind.ASK: producer}, max_question_characters=100)


async def collect(events: AsyncIterator[RunEvent]) -> list[RunEvent]:
    return [event async for event in events]


def last_status(events: list[RunEvent]) -> StatusChanged:
    body = events[-1].body
    assert isinstance(body, StatusChanged)
    return body


async def test_followers_before_during_and_after_see_the_same_log(database: Database, owner: str):
    producer = Steps()
    runner = runner_of(database, producer)
    run_id = await runner.start(owner, RunRequest(question="Why?"))
    early = asyncio.create_task(collect(runner.history.follow(owner, run_id)))
    await asyncio.sleep(0.02)
    middle = asyncio.create_task(collect(runner.history.follow(owner, run_id)))
    producer.may_go_on.set()
    seen = await asyncio.gather(early, middle)
    late = await collect(runner.history.follow(owner, run_id))
    assert seen[0] == seen[1] == late
    assert [event.sequence for event in late] == [1, 2, 3, 4, 5]
    assert await collect(runner.history.follow(owner, run_id, after=3)) == late[3:]


async def test_a_run_goes_on_when_its_follower_leaves(database: Database, owner: str):
    producer = Steps()
    runner = runner_of(database, producer)
    run_id = await runner.start(owner, RunRequest(question="Why?"))
    leaving = asyncio.create_task(collect(runner.history.follow(owner, run_id)))
    await asyncio.sleep(0.02)
    leaving.cancel()
    producer.may_go_on.set()
    assert last_status(await collect(runner.history.follow(owner, run_id))).status == RunStatus.COMPLETE


async def test_ui_17_cancelled_three_times_fast_is_marked_once(database: Database, owner: str):
    producer = Steps()
    runner = runner_of(database, producer)
    run_id = await runner.start(owner, RunRequest(question="Why?"))
    await asyncio.gather(*(runner.cancel(owner, run_id) for _ in range(3)))
    events = await collect(runner.history.follow(owner, run_id))
    assert [e.body.status for e in events if isinstance(e.body, StatusChanged)].count(RunStatus.CANCELLED) == 1
    assert producer.is_closed


async def test_a_run_stopped_before_its_first_step_still_ends(database: Database, owner: str):
    runner = runner_of(database, Steps())
    run_id = await runner.start(owner, RunRequest(question="Why?"))
    await runner.cancel(owner, run_id)
    assert last_status(await collect(runner.history.follow(owner, run_id))).status == RunStatus.CANCELLED
    with pytest.raises(Conflict, match="ended already"):
        await runner.cancel(owner, run_id)


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (ModelUnavailable("The model file is damaged."), "The model file is damaged."),
        (KeyError("x"), "inside DeepTrust"),
    ],
)
async def test_ui_14_a_failing_producer_ends_the_run_with_a_sentence(
    database: Database, owner: str, failure: Exception, message: str
):
    runner = runner_of(database, Steps(failure=failure))
    run_id = await runner.start(owner, RunRequest(question="Why?"))
    ended = last_status(await collect(runner.history.follow(owner, run_id)))
    assert ended.status == RunStatus.FAILED
    assert message in (ended.message or "")


async def test_a_restart_takes_up_an_unfinished_run(database: Database, owner: str):
    former = runner_of(database, Steps())
    run_id = await former.start(owner, RunRequest(question="Why?"))
    await former.close()
    producer = Steps()
    producer.may_go_on.set()
    runner = runner_of(database, producer)
    await runner.recover()
    events = await collect(runner.history.follow(owner, run_id))
    assert last_status(events).status == RunStatus.COMPLETE
    assert any("restarted" in e.body.summary for e in events if isinstance(e.body, ReasoningEntry))
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))


async def test_hit_08_a_stranger_sees_and_stops_nothing(database: Database, owner: str):
    runner = runner_of(database, Steps())
    run_id = await runner.start(owner, RunRequest(question="Why?"))
    for attempt in (
        runner.cancel("stranger", run_id),
        runner.history.find("stranger", run_id),
        collect(runner.history.follow("x", run_id)),
    ):
        with pytest.raises(NotFound):
            await attempt
    await runner.cancel(owner, run_id)


@pytest.mark.parametrize("question", ["", "  \n ", "\u200b", "。", "\U0001f3e0?", "_", "\ud800", "x" * 101])
async def test_a_bad_question_starts_nothing(database: Database, owner: str, question: str):
    producer = Steps()
    runner = runner_of(database, producer)
    with pytest.raises(BadQuestion):
        await runner.start(owner, RunRequest(question=question))
    assert producer.started == 0
    assert await runner.history.runs(owner) == []


async def test_a_conversation_keeps_its_runs_in_order(database: Database, owner: str):
    producer = Steps()
    producer.may_go_on.set()
    runner = runner_of(database, producer)
    first = await runner.start(owner, RunRequest(question="One?"))
    thread_id = (await runner.history.find(owner, first)).thread_id
    second = await runner.start(owner, RunRequest(question="Two?", thread_id=thread_id))
    assert [run.id for run in await runner.history.runs_of_thread(owner, thread_id)] == [first, second]
    with pytest.raises(NotFound):
        await runner.start(owner, RunRequest(question="Three?", thread_id="no such conversation"))
    await runner.forget(owner, first)
    assert [run.id for run in await runner.history.runs(owner)] == [second]


async def test_a_run_cut_off_between_its_answer_and_its_end_is_not_answered_again(database: Database, owner: str):
    """Found by `make chaos`: the answer stood twice in the log."""
    run_id = "00000000-0000-0000-0000-000000000001"
    answer = GroundedAnswer(text="They purr. [1]", grounded=True, embedder="hashing")
    ready = AnswerReady(detail=AnswerDetail(answer=answer))
    await database.run(lambda session: runs.add_run(session, run_id, owner, RunRequest(question="Why?")))
    await database.run(lambda session: runs.append_event(session, run_id, ready))
    producer = Steps()
    runner = runner_of(database, producer)
    await runner.recover()
    events = await collect(runner.history.follow(owner, run_id))
    assert producer.started == 0
    assert [event.body for event in events if isinstance(event.body, AnswerReady)] == [ready]
    assert last_status(events) == StatusChanged(status=RunStatus.COMPLETE, evidence=Evidence.FOUND)
