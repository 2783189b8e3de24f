"""A whole research bench: real database, real DuckDB library, hashing embedder, scripted models and engines."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deeptrust.agent.evidence import DatabaseEvidence
from deeptrust.agent.parts import Parts
from deeptrust.agent.producer import ResearchProducer, open_research
from deeptrust.database.engine import Database
from deeptrust.documents.reader import FileReader
from deeptrust.domain.run import RunEvent, RunKind, RunRequest, Sources
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.identity.users import find_local_user
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.runs.runner import Runner
from deeptrust.trust.policy import Policy, load_policy

NOTE = """# Harbour rules of Norrvik

The harbour of Norrvik opens at six in the morning from May to September.
Boats longer than 14 metres must call the harbour master before they enter.
Fires on the quay are forbidden, and a fine of 200 crowns is due for each one.
The harbour master of Norrvik is Ingrid Halvorsen.
"""
QUESTION = "What does the harbour of Norrvik forbid on the quay?"


@dataclass
class Clock:
    """A clock that tests may set."""

    ahead: timedelta = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass
class Bench:
    """The working parts of one process, and what tests change in them."""

    database: Database
    owner: str
    library: Library
    parts: Parts
    clock: Clock
    producer: ResearchProducer
    runner: Runner
    policy: list[Policy] = field(default_factory=list[Policy])

    def change(self, **changes: object) -> None:
        """Give the nodes other parts from now on."""
        self.parts = replace(self.parts, **changes)  # pyright: ignore[reportArgumentType]

    async def ask(self, question: str = QUESTION, sources: Sources = Sources.DOCUMENTS, **more: object) -> str:
        """Start a run, wait until it stops of itself, return its id."""
        request = RunRequest(kind=RunKind.RESEARCH, question=question, sources=sources, **more)  # pyright: ignore[reportArgumentType]
        run_id = await self.runner.start(self.owner, request)
        await self.settle(run_id)
        return run_id

    async def settle(self, run_id: str) -> None:
        """Wait until nothing runs for this run."""
        await self.runner._tasks.join(run_id)  # pyright: ignore[reportPrivateUsage]

    async def decide(self, run_id: str, outcome: object, plan_hash: str | None = None) -> None:
        """Decide, then wait until the run stops of itself."""
        await self.runner.decide(self.owner, run_id, outcome, plan_hash)
        await self.settle(run_id)

    async def die(self) -> None:
        """End as a process ends: tasks are gone, and so is what was written and not committed."""
        await self.runner.close()
        await self.producer._saver.conn.rollback()  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]

    async def events(self, run_id: str) -> list[RunEvent]:
        return await self.runner.history.events(self.owner, run_id)

    async def bodies(self, run_id: str, kind: type) -> list:
        return [event.body for event in await self.events(run_id) if isinstance(event.body, kind)]


OpenBench = Callable[[], Awaitable[Bench]]


@pytest.fixture
async def open_bench(tmp_path: Path) -> AsyncIterator[OpenBench]:
    """Open the same home as often as wanted: a second one is a restart, once the first has been let go."""
    async with AsyncExitStack() as stack:

        async def open_one() -> Bench:
            return await open_bench_in(tmp_path, stack)

        yield open_one


async def open_bench_in(folder: Path, stack: AsyncExitStack) -> Bench:
    database = Database(folder / "deeptrust.sqlite")
    await database.open()
    stack.push_async_callback(database.close)
    owner = await find_local_user(database)
    embedder = HashingEmbedder()
    pool = StorePool(folder / "users")
    stack.push_async_callback(pool.close)
    library = Library(pool, owner, embedder, FileReader())
    clock = Clock()
    policies: list[Policy] = []
    parts = Parts(
        knowledge=library,
        embedder=embedder,
        evidence=DatabaseEvidence(database),
        engines=(),
        load_policy=lambda: policies[-1] if policies else load_policy(),
        planner=None,
        reviewer=None,
        writer=None,
        now=clock,
    )
    bench: Bench
    producer = await stack.enter_async_context(open_research(folder / "checkpoints.sqlite", lambda _: bench.parts))
    runner = Runner(database, {RunKind.RESEARCH: producer}, 8000, clock)
    stack.push_async_callback(runner.close)
    bench = Bench(database, owner, library, parts, clock, producer, runner, policies)
    return bench


@pytest.fixture
async def bench(open_bench: OpenBench) -> Bench:
    """One process with one note in its library."""
    opened = await open_bench()
    await opened.library.add_note(NOTE, "Harbour rules of Norrvik")
    return opened
