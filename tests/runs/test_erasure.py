"""Nothing is left of what a person deletes: all bytes below the home are searched, whatever file they are in."""

import asyncio
import secrets
import string
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest
from sqlmodel import SQLModel

from deeptrust.composition import open_services
from deeptrust.database import runs
from deeptrust.domain.approval import Approve
from deeptrust.domain.document import IngestOutcome
from deeptrust.domain.run import RunKind, RunRequest, RunStatus
from deeptrust.errors import Conflict, NotFound, Unavailable
from deeptrust.knowledge.store import FILE_NAME
from deeptrust.services import Services
from deeptrust.settings import Settings
from tests.waiting import PATIENCE_SECONDS, until


def make_canary() -> str:
    """A word of 64 letters that stands nowhere else."""
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(64))


def files_with(canary: str, home: Path) -> list[str]:
    return [str(path) for path in home.rglob("*") if path.is_file() and canary.encode() in path.read_bytes()]


@asynccontextmanager
async def opened(home: Path, mode: Literal["local", "hosted"] = "local") -> AsyncGenerator[Services]:
    settings = Settings(home=home, mode=mode, embedder="hashing", chat_model="none", offline=True)
    async with open_services(settings) as services:
        yield services


async def add(services: Services, text: str) -> str:
    outcome: IngestOutcome = await services.library(services.local_user).add_file(text.encode(), f"{text[:70]}.txt")
    assert outcome.document is not None
    return outcome.document.id


async def research(services: Services, question: str, *, to_the_end: bool = True) -> str:
    owner = services.local_user
    run_id = await services.runner.start(owner, RunRequest(kind=RunKind.RESEARCH, question=question))
    view = await services.history.wait(owner, run_id)
    if to_the_end and view.status is RunStatus.AWAITING_APPROVAL:
        await services.runner.decide(owner, run_id, Approve())
        await services.history.wait(owner, run_id)
    return run_id


async def test_sto_20_a_deleted_document_leaves_no_byte_within_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    canary = make_canary()
    async with opened(tmp_path) as services:
        services.shelf.pool.compact_after_seconds = 0.1
        library = services.library(services.local_user)
        document_id = await add(services, f"{canary} is the word of the day. " * 40)
        kept = await add(services, "Cats purr when they are content. " * 40)
        async with services.shelf.pool.lease(services.local_user) as store:
            await store.read(lambda cursor: cursor.execute("CHECKPOINT"))
        assert files_with(canary, tmp_path)
        await library.remove(document_id)
        await until(lambda: files_with(canary, tmp_path) == [])
        assert [document.id for document in await library.documents()] == [kept]
        assert (await library.retrieve("Do cats purr?", limit=4)).passages
        assert await library.missing() == []


async def test_sto_20_a_deleted_document_leaves_no_byte_after_a_stop(tmp_path: Path):
    canary = make_canary()
    async with opened(tmp_path) as services:
        document_id = await add(services, f"{canary} is the word of the day. " * 40)
        await services.library(services.local_user).remove(document_id)
    assert files_with(canary, tmp_path) == []


async def test_a_deleted_run_leaves_no_byte_and_other_runs_stay(tmp_path: Path):
    canary = make_canary()
    async with opened(tmp_path) as services:
        owner = services.local_user
        await add(services, "Cats purr when they are content. " * 10)
        kept = await research(services, "Do cats purr?")
        before = await services.history.events(owner, kept)
        gone = await research(services, f"What is {canary}, and do cats purr?")
        assert files_with(canary, tmp_path)
        await services.delete_run(owner, gone)
        assert files_with(canary, tmp_path) == []
        assert await services.history.events(owner, kept) == before
        with pytest.raises(NotFound):
            await services.delete_run(owner, gone)


async def test_delete_all_my_data_stops_what_runs_and_leaves_no_byte(tmp_path: Path):
    canary = make_canary()
    async with opened(tmp_path) as services:
        owner = services.local_user
        document_id = await add(services, f"{canary} purrs when it is content. " * 40)
        (tmp_path / "users" / owner / f"damaged-1-{FILE_NAME}").write_text(canary)
        await services.study.add(owner, f"We look for a {canary} engineer. You know Python.", resume=f"I am {canary}.")
        await services.ask(owner, f"Does {canary} purr?")
        await research(services, f"Does {canary} purr?")
        waiting = await research(services, f"When does {canary} purr?", to_the_end=False)
        following = asyncio.create_task(_drain(services, waiting))
        await services.forget(owner)
        await asyncio.wait_for(following, PATIENCE_SECONDS)
        assert files_with(canary, tmp_path) == []
        assert not (tmp_path / "users" / owner).exists()
        assert await services.history.runs(owner) == []
        assert await services.study.jobs(owner) == []
        assert await services.library(owner).documents() == []
        with pytest.raises(NotFound):
            await services.history.find(owner, waiting)
        assert document_id
        await add(services, "The person goes on with nothing. " * 5)
        assert await research(services, "Who goes on?")
    assert files_with(canary, tmp_path) == []


async def test_what_still_arrives_for_somebody_who_is_gone_is_not_kept(tmp_path: Path):
    async with opened(tmp_path, "hosted") as services:
        owner = await services.admission.enter(services.admission.make_secret())
        library = services.library(owner)
        await library.add_file(b"Cats purr when they are content.", "a.txt")
        await services.forget(owner)
        with pytest.raises(NotFound):
            await library.add_file(b"Dogs bark when they are content.", "b.txt")
        assert not (tmp_path / "users" / owner).exists()


async def test_what_is_asked_while_all_is_deleted_is_refused_and_leaves_nothing(tmp_path: Path):
    canary = make_canary()
    async with opened(tmp_path) as services:
        owner = services.local_user
        await add(services, "Cats purr when they are content. " * 10)
        forgetting = asyncio.create_task(services.forget(owner))
        refused = 0
        while not forgetting.done():
            try:
                await services.ask(owner, f"Does {canary} purr?")
            except (Conflict, Unavailable, NotFound):
                refused += 1
            await asyncio.sleep(0)
        await forgetting
        assert refused
        await services.forget(owner)
        assert files_with(canary, tmp_path) == []
        assert (await services.ask(owner, "Do cats purr?")).answer.grounded is False


async def _drain(services: Services, run_id: str) -> None:
    async for _ in services.history.follow(services.local_user, run_id):
        pass


async def test_a_document_on_its_way_in_does_not_outlive_the_deletion(tmp_path: Path):
    canary = make_canary()
    async with opened(tmp_path) as services:
        library, begun = services.library(services.local_user), asyncio.Event()
        text = f"{canary} is the word of the day. " * 20_000
        adding = library.add_file(text.encode(), "a.txt", on_progress=lambda _: begun.set())
        coming = asyncio.create_task(adding)
        await begun.wait()
        await services.forget(services.local_user)
        await asyncio.wait({coming})
        assert await library.documents() == []
    assert files_with(canary, tmp_path) == []


def test_every_table_is_reached_by_the_deletion_of_a_person():
    """A new table must lead to a person by a foreign key, or their rows would stay."""
    for table in SQLModel.metadata.sorted_tables:
        targets = {key.column.table.name for column in table.columns for key in column.foreign_keys}
        assert table.name == "users" or targets & {"users", "runs"}, table.name


async def test_a_deletion_killed_before_its_checkpoints_went_is_finished_at_the_next_start(tmp_path: Path):
    """Found by `make chaos`: with the checkpoints deleted first, a kill left a run that waits and cannot go on."""
    canary = make_canary()
    async with opened(tmp_path) as services:
        waiting = await research(services, f"When does {canary} purr?", to_the_end=False)
        kept = await research(services, "When do cats purr?", to_the_end=False)
        await services.database.run(lambda session: runs.delete_run(session, waiting))  # and killed
    async with opened(tmp_path) as services:
        await services.runner.decide(services.local_user, kept, Approve())
        assert (await services.history.wait(services.local_user, kept)).status is RunStatus.COMPLETE
    assert [path for path in files_with(canary, tmp_path) if "checkpoints" in path] == []
