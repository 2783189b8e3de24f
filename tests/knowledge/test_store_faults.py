"""Disks that are full, fail or lose a byte, and threads that come and go."""

import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from deeptrust.documents.reader import FileReader
from deeptrust.domain.document import IngestStatus
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import StoreUnavailable
from deeptrust.knowledge.connection import Connection
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.knowledge.store import FILE_NAME
from tests.knowledge import failing_disk
from tests.knowledge.conftest import OWNER
from tests.waiting import LONG_SECONDS, PATIENCE_SECONDS

pytestmark = pytest.mark.thorough

PROJECT = Path(__file__).resolve().parents[2]
MOUNT_BYTES = 48 * 1024 * 1024


def open_library(users: Path) -> tuple[StorePool, Library]:
    pool = StorePool(users)
    return pool, Library(pool, OWNER, HashingEmbedder(), FileReader())


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of 48 MB in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MOUNT_BYTES}", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root may mount a file system of 48 MB, and not in every container")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


async def test_sto_12_a_full_disk_is_said_and_loses_no_acknowledged_document(small_disk: Path):
    pool, library = open_library(small_disk / "users")
    acknowledged: dict[str, int] = {}
    words = random.Random(12)
    # Words that compress badly, so that few documents fill the disk.
    texts = {f"{n}.txt": " ".join(f"{words.getrandbits(60):x}" for _ in range(12_000)).encode() for n in range(60)}
    with pytest.raises(StoreUnavailable, match="disk is full"):
        for name, text in texts.items():
            outcome = await library.add_file(text, name)
            assert outcome.document is not None
            acknowledged[name] = outcome.document.passage_count
    assert acknowledged
    assert {one.label: one.passage_count for one in await library.documents()} == acknowledged
    subprocess.run(["mount", "-o", f"remount,size={2 * MOUNT_BYTES}", str(small_disk)], check=True)  # room again
    for name in list(texts)[: len(acknowledged) + 2]:  # what was acknowledged, what was refused, and one more
        again = await library.add_file(texts[name], name)
        assert again.status is (IngestStatus.DUPLICATE if name in acknowledged else IngestStatus.ADDED)
    assert len(await library.documents()) == len(acknowledged) + 2
    assert await library.missing() == []
    await pool.close()


async def test_sto_09_one_flipped_byte_at_150_places_gives_no_wrong_answer(tmp_path: Path):
    pool, library = open_library(tmp_path)
    for number in range(3):
        await library.add_file(f"Document {number} speaks of storms. ".encode() * 30, f"{number}.txt")
    await pool.close()
    file, dice = tmp_path / OWNER / FILE_NAME, random.Random(150)
    good, expected, noticed = file.read_bytes(), _read_all(file), 0
    for _ in range(150):
        at = dice.randrange(len(good))
        file.write_bytes(good[:at] + bytes([good[at] ^ 1 << dice.randrange(8)]) + good[at + 1 :])
        try:
            assert _read_all(file) == expected
        except StoreUnavailable as error:
            noticed += 1
            assert "kept aside" in str(error)
            assert not file.exists()
    assert noticed > 20
    assert len(list(file.parent.glob("damaged-*"))) >= noticed


def _read_all(file: Path) -> list[list[tuple[object, ...]]]:
    """Every row of every table, by the connection that the program uses."""
    tables = ("store", "documents", "pages", "passages", "postings")
    connection = Connection(file)
    try:
        return [
            connection.run(lambda cursor, table=table: cursor.execute(f"FROM {table} ORDER BY ALL").fetchall())
            for table in tables
        ]
    finally:
        connection.close()


def count_passages(cursor: duckdb.DuckDBPyConnection) -> int:
    row = cursor.execute("SELECT count(*) FROM passages").fetchone()
    return row[0] if row else 0


async def test_sto_14_a_write_left_open_stops_no_reader_and_no_checkpoint_is_forced(tmp_path: Path):
    pool, library = open_library(tmp_path)
    await library.add_note("Cats purr.")
    async with pool.lease(OWNER) as store:
        is_open, may_end = threading.Event(), threading.Event()

        def write(cursor: duckdb.DuckDBPyConnection) -> None:
            cursor.execute("INSERT INTO pages VALUES ('x', 1, 'open')")
            is_open.set()
            assert may_end.wait(2 * PATIENCE_SECONDS)

        writing = asyncio.create_task(store.write(write))
        await asyncio.to_thread(is_open.wait, PATIENCE_SECONDS)
        with suppress(StoreUnavailable):  # done or refused, but at once
            await asyncio.wait_for(store.read(lambda cursor: cursor.execute("CHECKPOINT") and None), PATIENCE_SECONDS)
        for _ in range(200):
            assert await asyncio.wait_for(store.read(count_passages), PATIENCE_SECONDS) == 1
        for _ in range(20):
            found = await asyncio.wait_for(library.retrieve("cats", limit=1), PATIENCE_SECONDS)
            assert len(found.passages) == 1
        may_end.set()
        await writing
    await pool.close()
    code = "\n".join(path.read_text() for path in (PROJECT / "deeptrust").rglob("*.py"))
    assert "FORCE CHECKPOINT" not in code


COME_AND_GO = """
import sys, threading, time
from pathlib import Path
from deeptrust.knowledge.connection import Connection

connection = Connection(Path(sys.argv[1]))
until = time.monotonic() + float(sys.argv[2])

def come_and_go():
    while time.monotonic() < until:
        cursor = connection._database.cursor()
        cursor.execute("SELECT count(*) FROM passages").fetchall()
        cursor.close()

threads = [threading.Thread(target=come_and_go) for _ in range(200)]
for thread in threads: thread.start()
for thread in threads: thread.join()
connection.close()
"""


def come_and_go(folder: Path, seconds: float) -> int:
    """200 threads that open and close cursors; the exit code, negative for a signal."""
    command = [sys.executable, "-c", COME_AND_GO, str(folder / FILE_NAME), str(seconds)]
    return subprocess.run(command, cwd=PROJECT, timeout=seconds + PATIENCE_SECONDS).returncode


def test_sto_15_two_hundred_threads_of_cursors_crash_nothing_for_a_minute(tmp_path: Path):
    assert come_and_go(tmp_path, 60) == 0


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The failing disk, compiled."""
    if shutil.which("cc") is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs a C compiler for the failing disk.")
        pytest.skip("no C compiler here")
    return failing_disk.build(tmp_path_factory.mktemp("shim"))


def run_on_failing_disk(shim: Path, folder: Path, *what: str) -> tuple[dict[str, int], str]:
    command = [sys.executable, "-m", "tests.knowledge.failing_disk", str(folder), *what]
    environment = {**os.environ, "LD_PRELOAD": str(shim)}
    finished = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=LONG_SECONDS
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout), finished.stderr


def test_sto_23_a_failing_write_sync_or_truncation_loses_tears_and_doubles_nothing(shim: Path, tmp_path: Path):
    """Every fourth call here, every one by hand: `python -m tests.knowledge.failing_disk` (docs/reliability.md)."""
    counts, faults = run_on_failing_disk(shim, tmp_path, "inject", "4")
    assert counts.pop("injections") > 10
    assert counts == {}, faults


def test_sto_24_each_commit_is_one_sync_of_the_data(shim: Path, tmp_path: Path):
    """A virtual machine that loses its power is not at hand; what is, is that no commit is without its sync."""
    counts, _ = run_on_failing_disk(shim, tmp_path, "count")
    assert counts["syncs"] == counts["commits"] == 10
