"""Kill -9 a research run at every write that it makes, start again, approve, and compare with an unbroken run.

Usage: .venv/bin/python -m benchmarks.kill_research [--kills N] [--seed S] [--retry]

A zygote imports everything once and forks a process for each attempt. The process counts its writes (database
transactions, checkpoints, checkpointed writes) and kills itself before or after the chosen one. A second process
recovers. With --retry the run fails at its report and is taken up again (HIT-20); kills fall on both tries.

Prints one JSON object: kills, and how many runs were lost, torn, doubled, or went by another plan than the approved
one; `tools_again` counts tool calls whose result died with the process before it could be stored.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from deeptrust.database.engine import Database
from deeptrust.domain.approval import Approve, Edit
from deeptrust.domain.plan import PlanDraft, StepDraft, Tool
from deeptrust.domain.run import (
    AnswerReady,
    ApprovalAsked,
    Audited,
    Decided,
    PlanProposed,
    ReasoningEntry,
    RunKind,
    RunRequest,
    RunStatus,
    StatusChanged,
    StepDone,
)
from deeptrust.errors import StoreUnavailable
from tests.agent.conftest import NOTE, QUESTION, Bench, open_bench_in

EDIT = Edit(
    plan=PlanDraft(
        objective="Harbour rules",
        steps=tuple(
            StepDraft(tool=Tool.KNOWLEDGE_SEARCH, input=text, rationale="I want to know this.")
            for text in ("Norrvik harbour fines", "Who is the harbour master of Norrvik?")
        ),
    )
)
"""The run under test: planned, edited by a person, audited again, approved, two steps, report."""

EXPECTED = {
    PlanProposed: 2,
    Audited: 2,
    ApprovalAsked: 2,
    Decided: 2,
    StepDone: 2,
    AnswerReady: 1,
    ReasoningEntry: 8,
}
"""How often each event stands in the log of an unbroken run."""

VERDICTS = (
    "kills",
    "lost",
    "torn",
    "doubled",
    "other_plan",
    "not_recovered",
    "not_killed",
    "not_inspected",
    "tools_again",
)

TOOL_CALLS = "tool_calls.txt"
Call = Callable[..., Awaitable[Any]]


class Killer:
    """Counts writes, and kills this process before write `at` if that is whole, after it if it ends in .5."""

    def __init__(self, at: float) -> None:
        self.at = at
        self.count = 0

    def watch(self, call: Call) -> Call:
        async def watched(*args: Any, **kwargs: Any) -> Any:
            self.count += 1
            number = self.count
            if number == self.at:
                os.kill(os.getpid(), signal.SIGKILL)
            result = await call(*args, **kwargs)
            if number + 0.5 == self.at:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return watched


class CountingLibrary:
    """The library, with a line in a file for every search of the tool; broken, it cannot list its documents."""

    def __init__(self, bench: Bench, folder: Path, *, is_broken: bool) -> None:
        self.is_broken = is_broken
        self._library = bench.library
        self._file = folder / TOOL_CALLS
        self.passage = bench.library.passage

    async def documents(self, collection: str) -> Any:
        if self.is_broken:
            raise StoreUnavailable("The knowledge store is locked by another process.")
        return await self._library.documents(collection)

    async def retrieve(self, question: str, *, collection: str, limit: int) -> Any:
        found = await self._library.retrieve(question, collection=collection, limit=limit)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{question}\n")
        return found


async def carry_out(folder: Path, kill_at: float, *, fails_first: bool) -> int:
    """One process: recover what is there, or start a run; decide where it waits; return the number of writes.

    With `fails_first` the report fails until a failure stands in the log; then the run is taken up again.
    """
    async with AsyncExitStack() as stack:
        bench = await open_bench_in(folder, stack)
        known = await bench.runner.history.runs(bench.owner)
        has_failed = bool(known) and await is_failed_before(bench, known[0].id)
        library = CountingLibrary(bench, folder, is_broken=fails_first and not has_failed)
        bench.change(knowledge=library)
        killer = Killer(kill_at)
        saver = bench.producer._saver  # pyright: ignore[reportPrivateUsage]
        saver.aput = killer.watch(saver.aput)  # pyright: ignore[reportAttributeAccessIssue]
        saver.aput_writes = killer.watch(saver.aput_writes)  # pyright: ignore[reportAttributeAccessIssue]
        bench.database.run = killer.watch(Database.run.__get__(bench.database))  # pyright: ignore[reportAttributeAccessIssue]
        await bench.runner.recover()
        request = RunRequest(kind=RunKind.RESEARCH, question=QUESTION)
        run_id = known[0].id if known else await bench.runner.start(bench.owner, request)
        await bench.settle(run_id)
        while (await bench.runner.history.find(bench.owner, run_id)).status is RunStatus.AWAITING_APPROVAL:
            asked = await bench.bodies(run_id, ApprovalAsked)
            await bench.decide(run_id, EDIT if len(asked) == 1 else Approve(), asked[-1].plan_hash)
        if (await bench.runner.history.find(bench.owner, run_id)).status is RunStatus.FAILED:
            library.is_broken = False
            await bench.runner.retry(bench.owner, run_id)
            await bench.settle(run_id)
        return killer.count


async def is_failed_before(bench: Bench, run_id: str) -> bool:
    """Whether a failure stands in the log."""
    return RunStatus.FAILED in [body.status for body in await bench.bodies(run_id, StatusChanged)]


def is_restart_note(body: object) -> bool:
    """Whether it is the runner's own line about a restart."""
    return isinstance(body, ReasoningEntry) and body.node == "runner"


async def set_up(folder: Path) -> None:
    """A library with one note."""
    async with AsyncExitStack() as stack:
        bench = await open_bench_in(folder, stack)
        await bench.library.add_note(NOTE, "Harbour rules of Norrvik")


async def inspect(folder: Path) -> Counter[str]:
    """What is wrong with the one run in `folder`, judged by its log alone."""
    faults: Counter[str] = Counter()
    async with AsyncExitStack() as stack:
        bench = await open_bench_in(folder, stack)
        runs = await bench.runner.history.runs(bench.owner)
        if len(runs) != 1:
            faults["lost" if not runs else "doubled"] += 1
            return faults
        events = await bench.events(runs[0].id)
        bodies = [
            event.body
            for event in events
            if not (isinstance(event.body, ReasoningEntry) and event.body.node == "runner")
        ]
        kinds = Counter(type(body) for body in bodies)
        faults["doubled"] += any(kinds[kind] > count for kind, count in EXPECTED.items())
        faults["lost"] += any(kinds[kind] < count for kind, count in EXPECTED.items())
        last = bodies[-1]
        is_whole = isinstance(last, StatusChanged) and last.status is RunStatus.COMPLETE
        faults["torn"] += not is_whole or [event.sequence for event in events] != list(range(1, len(events) + 1))
        asked = [body for body in bodies if isinstance(body, ApprovalAsked)]
        done = [body.result.step_id for body in bodies if isinstance(body, StepDone)]
        faults["other_plan"] += not asked or done != [step.id for step in asked[-1].plan.steps]
        calls = Counter((folder / TOOL_CALLS).read_text(encoding="utf-8").splitlines())
        faults["tools_again"] += sum(calls.values()) - len(calls)
    return faults


def in_fork(work: Callable[[], Awaitable[Any]]) -> tuple[int, Any]:
    """Run `work` in a process of its own; returns (wait status, what it returned)."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            answer = asyncio.run(work())  # pyright: ignore[reportArgumentType]
            os.write(write_end, json.dumps(answer).encode())
            os._exit(0)
        except BaseException as error:  # noqa: BLE001 - a fork must never return into its parent's code
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(1)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        said = pipe.read()
    _, wait_status = os.waitpid(pid, 0)
    return wait_status, json.loads(said) if said else None


def kill_once(at: float, *, fails_first: bool) -> Counter[str]:
    """One kill in a fresh home, one recovery, and the verdict."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        in_fork(lambda: set_up(folder))
        wait_status, _ = in_fork(lambda: carry_out(folder, at, fails_first=fails_first))
        if not os.WIFSIGNALED(wait_status):
            return Counter(not_killed=1)
        wait_status, _ = in_fork(lambda: carry_out(folder, 0, fails_first=fails_first))
        if wait_status:
            return Counter(kills=1, not_recovered=1)
        wait_status, faults = in_fork(lambda: inspect(folder))
        return Counter(kills=1, not_inspected=bool(wait_status)) + Counter(faults)


def count_writes(*, fails_first: bool) -> int:
    """Writes of an unbroken run."""
    with tempfile.TemporaryDirectory() as name:
        in_fork(lambda: set_up(Path(name)))
        return in_fork(lambda: carry_out(Path(name), 0, fails_first=fails_first))[1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=0, help="how many points, evenly chosen; all by default")
    parser.add_argument("--seed", type=int, default=0, help="shuffles which points are chosen")
    parser.add_argument("--retry", action="store_true", help="let the report fail first, then take the run up again")
    options = parser.parse_args()
    writes = count_writes(fails_first=options.retry)
    points = list(itertools.chain.from_iterable((n, n + 0.5) for n in range(1, writes + 1)))
    if options.kills:
        points = sorted(random.Random(options.seed).sample(points, min(options.kills, len(points))))
    total: Counter[str] = Counter()
    for at in points:
        found = kill_once(at, fails_first=options.retry)
        if set(found) - {"kills", "tools_again"}:
            sys.stderr.write(f"write {at}: {dict(found)}\n")
        total += found
    print(json.dumps({"writes": writes, **{name: total[name] for name in VERDICTS}}))


if __name__ == "__main__":
    main()
