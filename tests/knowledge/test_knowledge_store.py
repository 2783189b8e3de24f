import asyncio
import random
import shutil
import subprocess
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from deeptrust.documents.reader import FileReader
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import StoreUnavailable
from deeptrust.knowledge.connection import Connection
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.knowledge.store import FILE_NAME, LEDGER_NAME, Store
from tests.knowledge.conftest import OWNER
from tests.waiting import LONG_SECONDS, PATIENCE_SECONDS

PROJECT = Path(__file__).resolve().parents[2]

ADD_FOR_EVER = """
import asyncio, sys
from pathlib import Path
from deeptrust.documents.reader import FileReader
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool

async def main():
    library = Library(StorePool(Path(sys.argv[1])), sys.argv[2], HashingEmbedder(), FileReader())
    number = int(sys.argv[3])
    while True:
        text = f"Document {number} speaks of lighthouses and storms. " * 60
        outcome = await library.add_file(text.encode(), f"{number}.txt")
        print(outcome.document.id, flush=True)
        number += 1

asyncio.run(main())
"""


def start_adding(users: Path, first: int = 0) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", ADD_FOR_EVER, str(users), OWNER, str(first)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=PROJECT)


def open_library(users: Path) -> tuple[StorePool, Library]:
    pool = StorePool(users)
    return pool, Library(pool, OWNER, HashingEmbedder(), FileReader())


KILL_MANY_TIMES = """
import os, random, signal, time

for number in range(100):
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(into, 1)
        sys.argv[3:] = [str(number * 10_000)]
        exec(ADD_FOR_EVER)
    os.close(into)
    with open(out) as told:
        acknowledged = [told.readline()]
        time.sleep(random.Random(number).uniform(0.05, 0.9))
        os.kill(child, signal.SIGKILL)
        acknowledged += told.readlines()
    os.waitpid(child, 0)
    sys.stdout.writelines(line for line in acknowledged if line.endswith("\\n"))
"""
"""Forks what has imported all that it needs: a hundred kills, 50 to 900 ms into the work, cost a minute or two."""


@pytest.mark.thorough
async def test_sto_05_kill_9_tears_no_document_and_loses_none_that_was_acknowledged(tmp_path: Path):
    imports, _, work = ADD_FOR_EVER.partition("async def main")
    script = imports + f"ADD_FOR_EVER = {'async def main' + work!r}\n" + KILL_MANY_TIMES
    command = [sys.executable, "-c", script, str(tmp_path), OWNER]
    told = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, cwd=PROJECT, timeout=LONG_SECONDS, check=True
    ).stdout
    acknowledged = [line for line in told.splitlines() if len(line) == 32]
    assert len(acknowledged) >= 100
    pool, library = open_library(tmp_path)
    documents = {document.id: document for document in await library.documents()}
    assert set(acknowledged) <= set(documents)
    assert len({document.passage_count for document in documents.values()} - {0}) <= 2
    assert all(document.passage_count and document.page_count == 1 for document in documents.values())
    assert await library.missing() == []
    await pool.close()


async def test_sto_06_a_cut_log_is_noticed_and_told(tmp_path: Path):
    child = start_adding(tmp_path)
    assert child.stdout is not None
    for _ in range(6):
        child.stdout.readline()
    child.kill()
    child.wait(timeout=PATIENCE_SECONDS)
    log = tmp_path / OWNER / (FILE_NAME + ".wal")
    data = log.read_bytes()
    log.write_bytes(data[: len(data) // 2])
    pool, library = open_library(tmp_path)
    missing = await library.missing()
    assert missing
    assert all(name.endswith(".txt") for name in missing)
    await pool.close()
    assert await library.missing() == missing
    await library.accept_missing()
    await pool.close()
    assert await library.missing() == []
    await pool.close()


@pytest.mark.parametrize("is_frozen", [False, True])
async def test_sto_02_a_second_process_is_told_who_holds_the_store(tmp_path: Path, is_frozen: bool):
    child = start_adding(tmp_path)
    assert child.stdout is not None
    child.stdout.readline()
    if is_frozen:
        child.send_signal(19)
    pool, library = open_library(tmp_path)
    with pytest.raises(StoreUnavailable, match=rf"PID {child.pid}\)"):
        await library.documents()
    child.kill()
    child.wait(timeout=PATIENCE_SECONDS)
    assert await library.documents()
    await pool.close()


async def test_sto_03_many_questions_to_a_cold_store_share_one_owner(tmp_path: Path):
    pool, library = open_library(tmp_path)
    await library.add_note("Cats purr.")
    await pool.close()
    retrievals = await asyncio.gather(*(library.retrieve("cats", limit=1) for _ in range(20)))
    assert all(len(retrieval.passages) == 1 for retrieval in retrievals)
    await pool.close()


async def test_the_pool_closes_the_store_unused_for_longest_and_never_one_in_use(tmp_path: Path):
    pool = StorePool(tmp_path, limit=2)
    owners = [uuid.uuid4().hex for _ in range(5)]
    async with pool.lease(owners[0]) as held:
        for owner in owners[1:]:
            async with pool.lease(owner) as store:
                assert store.is_open
            assert held.is_open
        async with pool.lease(owners[1]):
            waiting = asyncio.create_task(Library(pool, owners[2], HashingEmbedder(), FileReader()).documents())
            await asyncio.sleep(0.05)
            assert not waiting.done()
        assert await waiting == []
    await pool.close()


@pytest.mark.thorough
async def test_sto_09_damage_is_named_kept_aside_and_survived(tmp_path: Path):
    pool, library = open_library(tmp_path)
    for number in range(5):
        await library.add_file(f"Document {number} speaks of storms. ".encode() * 100, f"{number}.txt")
    expected = await library.retrieve("storms", limit=8)
    await pool.close()
    folder = tmp_path / OWNER
    good = (folder / FILE_NAME).read_bytes()
    dice = random.Random(9)
    damages = [good[: len(good) // 2], good[:100], b"plain text, no database\n" * 400]
    for _ in range(20):
        at = dice.randrange(len(good))
        damages.append(good[:at] + bytes([good[at] ^ 1 << dice.randrange(8)]) + good[at + 1 :])
    for damage in damages:
        (folder / FILE_NAME).write_bytes(damage)
        try:
            assert await library.retrieve("storms", limit=8) == expected  # a byte that nothing uses
        except StoreUnavailable as error:
            assert "kept aside" in str(error)
            aside = list(folder.glob("damaged-*"))
            assert [path.read_bytes() == damage for path in aside] == [True]
            assert len(await library.missing()) == 5
            assert await library.documents() == []
        await pool.close()
        for path in [*folder.glob("damaged-*"), folder / FILE_NAME]:
            path.unlink()


async def test_sto_11_there_is_no_vector_index_on_disk(pool: StorePool, library: Library):
    await library.add_note("Cats purr.")
    async with pool.lease(OWNER) as store:
        indexes = await store.read(lambda cursor: cursor.execute("SELECT index_name FROM duckdb_indexes()").fetchall())
    assert indexes == []


@pytest.mark.parametrize(
    "query", ["SELECT * FROM read_text('/etc/hostname')", "ATTACH '/tmp/x.duckdb'", "COPY documents TO '/tmp/x.csv'",
              "SET enable_external_access = true", "SET memory_limit = '9GB'", "INSTALL fts"],
)  # fmt: skip
async def test_sto_18_sql_reaches_no_other_file(pool: StorePool, library: Library, query: str):
    async with pool.lease(OWNER) as store:
        with pytest.raises(StoreUnavailable):
            await store.read(lambda cursor: cursor.execute(query).fetchall())
    assert await library.documents() == []


async def test_limits_are_set_on_every_open(pool: StorePool):
    query = "SELECT current_setting('threads'), current_setting('memory_limit')"
    async with pool.lease(OWNER) as store:
        rows = await store.read(lambda cursor: cursor.execute(query).fetchall())
    assert rows[0][0] == 2
    assert rows[0][1].startswith("488")  # 512 MB in MiB


def test_ret_19_each_thread_gets_its_own_rows(tmp_path: Path):
    connection = Connection(tmp_path / FILE_NAME)
    barrier = threading.Barrier(8)

    def look_up(number: int) -> int:
        barrier.wait(timeout=PATIENCE_SECONDS)
        return sum(
            connection.run(lambda cursor: cursor.execute("SELECT ?::INTEGER", [number]).fetchall()) != [(number,)]
            for _ in range(300)
        )

    with ThreadPoolExecutor(8) as executor:
        assert sum(executor.map(look_up, range(8))) == 0
    connection.close()


@pytest.mark.parametrize("is_durable", [True, False])
def test_sto_21_a_commit_that_raised_is_looked_up_before_it_is_called_lost(tmp_path: Path, is_durable: bool):
    connection = Connection(tmp_path / FILE_NAME)
    row = "INSERT INTO pages VALUES ('d', 1, 'text')"

    class FailingCursor:
        def __init__(self, cursor: duckdb.DuckDBPyConnection):
            self._cursor = cursor

        def __getattr__(self, name: str):
            return getattr(self._cursor, name)

        def commit(self):
            if is_durable:
                self._cursor.commit()
            else:
                self._cursor.rollback()
            raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    connection._local.cursor = FailingCursor(connection._cursor())  # the fault is in DuckDB's own call

    def write():
        connection.transact(
            lambda cursor: cursor.execute(row),
            is_done=lambda cursor: cursor.execute("SELECT 1 FROM pages WHERE document_id = 'd'").fetchall() == [(1,)],
        )

    if is_durable:
        write()
    else:
        with pytest.raises(StoreUnavailable, match="disk is full"):
            write()
    count = connection.run(lambda cursor: cursor.execute("SELECT count(*) FROM pages").fetchall())
    assert count == [(int(is_durable),)]
    connection.close()


async def test_sto_17_times_are_utc_whatever_the_zone(tmp_path: Path):
    pool, library = open_library(tmp_path)
    outcome = await library.add_note("Cats purr.")
    await pool.close()
    code = (
        "import asyncio, sys\nfrom pathlib import Path\n"
        "from deeptrust.documents.reader import FileReader\nfrom deeptrust.embedding.hashing import HashingEmbedder\n"
        "from deeptrust.knowledge.library import Library\nfrom deeptrust.knowledge.pool import StorePool\n"
        "library = Library(StorePool(Path(sys.argv[1])), sys.argv[2], HashingEmbedder(), FileReader())\n"
        "print(asyncio.run(library.documents())[0].created_at.isoformat())\n"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path), OWNER]
    zone = {"TZ": "Asia/Tokyo", "PATH": "/usr/bin:/bin"}
    shown = subprocess.run(
        arguments, env=zone, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=PATIENCE_SECONDS
    ).stdout
    assert outcome.document is not None
    assert shown.strip() == outcome.document.created_at.isoformat()


async def test_sto_08_the_schema_survives_a_kill_right_after_it_was_made(tmp_path: Path):
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom deeptrust.knowledge.connection import Connection\n"
        "Connection(Path(sys.argv[1]))\nos.kill(os.getpid(), 9)\n"
    )
    folder = tmp_path / OWNER
    folder.mkdir()
    arguments = [sys.executable, "-c", code, str(folder / FILE_NAME)]
    subprocess.run(arguments, cwd=PROJECT, check=False, timeout=PATIENCE_SECONDS)
    assert (folder / FILE_NAME).exists()
    pool, library = open_library(tmp_path)
    assert (await library.add_note("Cats purr.")).document is not None
    await pool.close()


async def test_a_store_of_a_newer_program_is_left_alone(tmp_path: Path):
    store = await Store.open(tmp_path)
    await store.write(lambda cursor: cursor.execute("UPDATE store SET version = 99") and None)
    await store.close()
    with pytest.raises(StoreUnavailable, match="newer DeepTrust"):
        await Store.open(tmp_path)
    assert not list(tmp_path.glob("damaged-*"))


async def test_a_lost_or_broken_ledger_only_costs_the_alarm(tmp_path: Path):
    pool, library = open_library(tmp_path)
    await library.add_note("Cats purr.")
    await pool.close()
    (tmp_path / OWNER / LEDGER_NAME).write_text("{broken")
    assert await library.missing() == []
    await pool.close()
    shutil.rmtree(tmp_path / OWNER)
    assert await library.documents() == []
    await pool.close()
