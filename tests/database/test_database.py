import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from deeptrust.database import runs
from deeptrust.database.engine import Database
from deeptrust.database.users import local_user
from deeptrust.domain.run import ReasoningEntry, RunRequest, RunStatus, StatusChanged
from deeptrust.errors import Conflict, NotFound, StoreUnavailable


@pytest.fixture
async def database(tmp_path: Path):
    opened = Database(tmp_path / "deeptrust.sqlite")
    await opened.open()
    yield opened
    await opened.close()


async def test_the_local_user_is_made_once(database: Database):
    assert await database.run(local_user) == await database.run(local_user)


async def test_events_are_numbered_and_move_the_run(database: Database):
    owner = await database.run(local_user)
    await database.run(lambda s: runs.add_run(s, "r", owner, RunRequest(question="Why?")))
    note = ReasoningEntry(node="thinker", summary="Looking.", status=RunStatus.THINKING)
    await database.run(lambda s: runs.append_event(s, "r", note))
    await database.run(lambda s: runs.append_event(s, "r", StatusChanged(status=RunStatus.COMPLETE)))
    events = await database.run(lambda s: runs.events_after(s, "r", 0))
    assert [event.sequence for event in events] == [1, 2]
    assert events[0].body == note
    assert (await database.run(lambda s: runs.find_run(s, "r"))).status == RunStatus.COMPLETE
    assert await database.run(runs.unfinished_runs) == []


async def test_a_failing_transaction_changes_nothing(database: Database):
    owner = await database.run(local_user)

    def fail_half_way(session: object) -> None:
        runs.add_run(session, "r", owner, RunRequest(question="Why?"))  # pyright: ignore[reportArgumentType]
        raise KeyError("half way")

    with pytest.raises(KeyError):
        await database.run(fail_half_way)
    assert await database.run(lambda s: runs.owner_of(s, "r")) is None


async def test_sto_17_times_are_stored_as_utc_and_come_back_equal(database: Database, monkeypatch: pytest.MonkeyPatch):
    owner = await database.run(local_user)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    await database.run(lambda s: runs.add_run(s, "r", owner, RunRequest(question="Why?")))
    stored = (await database.run(lambda s: runs.find_run(s, "r"))).created_at
    assert stored.tzinfo == UTC
    assert abs((datetime.now(ZoneInfo("America/New_York")) - stored).total_seconds()) < 60


async def test_dep_11_a_locked_database_is_said_and_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("deeptrust.database.migrations.LOCK_WAIT_SECONDS", 0.2)
    holder = sqlite3.connect(tmp_path / "deeptrust.sqlite")
    holder.execute("BEGIN EXCLUSIVE")
    blocked = Database(tmp_path / "deeptrust.sqlite")
    with pytest.raises(StoreUnavailable, match="Another program holds the database"):
        await blocked.open()
    holder.close()


async def test_a_damaged_database_is_said(tmp_path: Path):
    (tmp_path / "deeptrust.sqlite").write_bytes(b"not a database, whatever its name says" * 100)
    with pytest.raises(StoreUnavailable, match="damaged"):
        await Database(tmp_path / "deeptrust.sqlite").open()


async def test_what_was_deleted_in_the_same_moment_is_missing_and_no_damage(database: Database):
    note = StatusChanged(status=RunStatus.COMPLETE)
    for work in (
        lambda s: runs.find_run(s, "gone"),
        lambda s: runs.append_event(s, "gone", note),
        lambda s: runs.add_run(s, "r", "gone", RunRequest(question="Why?")),
    ):
        with pytest.raises(NotFound, match="deleted a moment ago"):
            await database.run(work)


async def test_the_second_of_two_that_write_the_same_row_is_told_so(database: Database):
    owner = await database.run(local_user)
    await database.run(lambda s: runs.add_run(s, "r", owner, RunRequest(question="Why?")))
    with pytest.raises(Conflict, match="Try again"):
        await database.run(lambda s: runs.add_run(s, "r", owner, RunRequest(question="Why not?")))
