"""A short soak: what a run leaves behind in the process is nothing (DEP-14)."""

import asyncio
import gc
from collections import Counter
from pathlib import Path

import pytest

from deeptrust.composition import open_services
from deeptrust.domain.approval import Approve
from deeptrust.domain.run import RunKind, RunRequest, RunStatus
from deeptrust.services import Services
from deeptrust.settings import Settings
from tests.waiting import until

pytestmark = pytest.mark.thorough

WARM_UP, ROUNDS = 10, 60


async def run_one(services: Services, number: int) -> None:
    """One run in three is research; one in ten is stopped half-way."""
    owner, runner = services.local_user, services.runner
    kind = RunKind.RESEARCH if number % 3 == 0 else RunKind.ASK
    run_id = await runner.start(owner, RunRequest(kind=kind, question=f"Do {number} cats purr?"))
    if number % 10 == 9:
        await asyncio.gather(runner.cancel(owner, run_id), return_exceptions=True)
    view = await runner.history.wait(owner, run_id)
    if view.status is RunStatus.AWAITING_APPROVAL:
        await runner.decide(owner, run_id, Approve())
        view = await runner.history.wait(owner, run_id)
    assert view.status.is_final


def count_left(services: Services) -> Counter[str]:
    gc.collect()
    runner = services.runner
    return Counter(
        {
            "descriptors": len(list(Path("/proc/self/fd").glob("*"))),
            "tasks": len(asyncio.all_tasks()),
            "runs": len(runner._tasks),  # pyright: ignore[reportPrivateUsage]
            "followers": len(runner._log._news),  # pyright: ignore[reportPrivateUsage]
        }
    )


async def test_dep_14_runs_leave_no_task_no_descriptor_and_no_follower(tmp_path: Path):
    """Sixty runs in place of the 24 hours of the report: what leaks, leaks with each run."""
    settings = Settings(home=tmp_path, embedder="hashing", chat_model="none", offline=True)
    async with open_services(settings) as services:
        await services.library(services.local_user).add_note("Cats purr when they are content.")
        for number in range(WARM_UP):
            await run_one(services, number)
        before = count_left(services)
        for number in range(ROUNDS):
            await run_one(services, number)
        # What the last run leaves is let go in the loop's own time; what leaks is never let go.
        await until(lambda: not count_left(services) - before)
