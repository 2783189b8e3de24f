"""Times written in one zone and read in another, by real processes, in both stores (STO-17)."""

import asyncio
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from sqlmodel import col, select

from deeptrust.database.engine import Database
from deeptrust.database.runs import add_run
from deeptrust.database.tables import RunRow
from deeptrust.database.users import local_user
from deeptrust.documents.reader import FileReader
from deeptrust.domain.run import RunRequest
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.knowledge import catalogue
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from tests.knowledge.conftest import OWNER
from tests.waiting import PATIENCE_SECONDS

PROJECT = Path(__file__).resolve().parents[2]

TIMES = [
    "2026-03-08T06:59:59+00:00",  # the last second before New York's clocks jump
    "2026-11-01T05:30:00+00:00",  # half past one in New York, for the first time
    "2026-11-01T06:30:00+00:00",  # half past one in New York, an hour later
    "2040-01-01T00:00:00+00:00",
]


async def write(home: Path) -> list[str]:
    """Store a document and a run at each of the times, newest first."""
    database, pool = Database(home / "deeptrust.sqlite"), StorePool(home / "users")
    await database.open()
    owner = await database.run(local_user)
    library = Library(pool, OWNER, HashingEmbedder(), FileReader())
    for time in reversed(TIMES):
        moment = datetime.fromisoformat(time).astimezone()  # as a program would have it: in the zone of the machine

        class Clock(datetime):
            @classmethod
            def now(cls, tz=None, moment=moment):
                return moment.astimezone(tz)

        catalogue.datetime = Clock
        await library.add_note(f"Written at {time}.")
        await database.run(lambda session, time=time: add_run(session, time, owner, RunRequest(question="When?")))
        await database.run(lambda session, time=time, moment=moment: _set(session.get_one(RunRow, time), moment))
    await pool.close()
    await database.close()
    return []


def _set(row: RunRow, moment: datetime) -> None:
    row.created_at = moment


async def read(home: Path) -> list[str]:
    """The times of the documents, then of the runs, each in the order that the store gives."""
    database, pool = Database(home / "deeptrust.sqlite"), StorePool(home / "users")
    await database.open()
    library = Library(pool, OWNER, HashingEmbedder(), FileReader())
    documents = [document.created_at for document in await library.documents()]
    query = select(RunRow).order_by(col(RunRow.created_at))
    runs = await database.run(lambda session: [row.created_at for row in session.exec(query)])
    await pool.close()
    await database.close()
    assert all(time.tzinfo is UTC for time in documents + runs)
    return [time.isoformat() for time in documents + runs]


def in_zone(zone: str, what: str, home: Path) -> list[str]:
    command = [sys.executable, "-m", "tests.knowledge.test_stored_times", what, str(home)]
    environment = {**os.environ, "TZ": zone}
    finished = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_sto_17_times_written_in_tokyo_are_read_in_new_york_equal_and_in_order(tmp_path: Path):
    in_zone("Asia/Tokyo", "write", tmp_path)
    assert in_zone("America/New_York", "read", tmp_path) == TIMES + TIMES


if __name__ == "__main__":
    print(json.dumps(asyncio.run({"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2])))))
