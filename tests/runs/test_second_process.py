"""A command in a second terminal leaves the runs of the first one alone: each run has one process."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

from deeptrust.composition import open_services
from deeptrust.domain.run import EventBody, Evidence, RunKind, RunRequest, RunStatus, StatusChanged
from deeptrust.runs.runner import Runner
from deeptrust.settings import Settings


class Waiting:
    """A producer that ends when it is told to."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()

    async def start(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody, None]:
        """See `Producer`."""
        yield StatusChanged(status=RunStatus.THINKING)
        await self.may_end.wait()
        yield StatusChanged(status=RunStatus.COMPLETE, evidence=Evidence.NONE)


async def test_a_second_process_takes_up_nothing_while_the_first_one_works(tmp_path: Path):
    settings = Settings(home=tmp_path, embedder="hashing", chat_model="none", offline=True)
    producer = Waiting()
    async with open_services(settings) as first:
        runner = Runner(first.database, {RunKind.ASK: producer}, 1000)
        run_id = await runner.start(first.local_user, RunRequest(question="What does it cost?"))
        async with open_services(settings) as second:
            await asyncio.sleep(0.2)
            assert [run.id for run in await second.runner.history.runs(second.local_user)] == [run_id]
        producer.may_end.set()
        await runner.history.wait(first.local_user, run_id)
        bodies = [event.body for event in await runner.history.events(first.local_user, run_id)]
        assert [body.status for body in bodies if isinstance(body, StatusChanged)] == ["thinking", "complete"]
        assert len(bodies) == 2
        await runner.close()


async def test_what_a_process_left_unfinished_is_taken_up_by_the_next(tmp_path: Path):
    settings = Settings(home=tmp_path, embedder="hashing", chat_model="none", offline=True)
    async with open_services(settings) as first:
        runner = Runner(first.database, {RunKind.ASK: Waiting()}, 1000)
        run_id = await runner.start(first.local_user, RunRequest(question="What does it cost?"))
        await asyncio.sleep(0.1)
        await runner.close()
    async with open_services(settings) as second:
        assert (await second.runner.history.wait(second.local_user, run_id)).status is RunStatus.COMPLETE
