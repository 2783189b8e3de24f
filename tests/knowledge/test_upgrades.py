"""A store that an older release made is brought up to date, or stays as it was; also through kill -9."""

import subprocess
import sys
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from deeptrust.documents.reader import FileReader
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import StoreUnavailable
from deeptrust.knowledge import schema
from deeptrust.knowledge.files import backup_of
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.knowledge.rows import count_tables
from deeptrust.knowledge.store import FILE_NAME
from deeptrust.samples import sample_files
from tests.knowledge.conftest import OWNER
from tests.waiting import PATIENCE_SECONDS

PROJECT = Path(__file__).resolve().parents[2]


def add_second_vector(cursor: DuckDBPyConnection) -> None:
    """A change of the kind that a later release may bring: a column of vectors, filled from another."""
    cursor.execute("ALTER TABLE passages ADD COLUMN second FLOAT[384]")
    cursor.execute("UPDATE passages SET second = vector")


def lose_what_is_no_text(cursor: DuckDBPyConnection) -> None:
    cursor.execute("DELETE FROM documents WHERE kind = 'pdf'")


def open_library(users: Path) -> tuple[StorePool, Library]:
    pool = StorePool(users)
    return pool, Library(pool, OWNER, HashingEmbedder(), FileReader())


async def counts_of(pool: StorePool) -> dict[str, int]:
    async with pool.lease(OWNER) as store:
        return await store.read(count_tables)


async def fill(users: Path) -> dict[str, int]:
    """A store of the first version with PDF, Markdown and text; returns its counts."""
    pool, library = open_library(users)
    for file in sample_files():
        await library.add_file(file.read_bytes(), file.name)
    await library.add_file(b"Cats purr when they are content. " * 80, "cats.txt")
    await library.add_note("The bridge was painted green in 1998.")
    kinds = {document.kind.value for document in await library.documents()}
    assert {"pdf", "markdown", "text", "note"} <= kinds
    counts = await counts_of(pool)
    await pool.close()
    return counts


async def test_dep_16_an_upgrade_keeps_every_row_and_a_copy_of_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    before = await fill(tmp_path)
    file = tmp_path / OWNER / FILE_NAME
    old = file.read_bytes()
    monkeypatch.setattr(schema, "CHANGES", (add_second_vector,))
    pool, library = open_library(tmp_path)
    assert await counts_of(pool) == before
    assert (await library.retrieve("When was the bridge painted?", limit=1)).passages
    assert await library.missing() == []
    assert backup_of(file).read_bytes() == old
    await pool.close()


async def test_dep_16_an_upgrade_that_drops_documents_is_stopped_and_the_old_file_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    before = await fill(tmp_path)
    pool, library = open_library(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "CHANGES", (add_second_vector, lose_what_is_no_text))
        with pytest.raises(StoreUnavailable, match="would lose some of it, so nothing was changed"):
            await library.documents()
        patch.setattr(schema, "CHANGES", (add_second_vector,))
        assert await counts_of(pool) == before
        await pool.close()
    backup_of(tmp_path / OWNER / FILE_NAME).replace(tmp_path / OWNER / FILE_NAME)  # the way back to the old release
    assert await counts_of(pool) == before
    assert len(await library.documents()) == before["documents"]
    await pool.close()


UPGRADE_AND_DIE = """
import os, sys
from pathlib import Path
from deeptrust.knowledge import schema
from deeptrust.knowledge.connection import Connection
from tests.knowledge.test_upgrades import add_second_vector

when = sys.argv[2]

def die():
    os.kill(os.getpid(), 9)

class Watched:
    def __init__(self, cursor):
        self._cursor = cursor
    def __getattr__(self, name):
        return getattr(self._cursor, name)
    def commit(self):
        when == "before the commit" and die()
        self._cursor.commit()
        when == "before the checkpoint" and die()
    def execute(self, query, *more):
        done = self._cursor.execute(query, *more)
        query == "CHECKPOINT" and when == "after the checkpoint" and die()
        query.startswith("UPDATE passages") and when == "inside" and die()
        return done

schema.CHANGES = (add_second_vector,)
prepare = schema.prepare
schema.prepare = lambda cursor: prepare(Watched(cursor))
Connection(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("when", ["inside", "before the commit", "before the checkpoint", "after the checkpoint"])
async def test_sto_08_a_change_of_vector_columns_survives_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
):
    before = await fill(tmp_path)
    command = [sys.executable, "-c", UPGRADE_AND_DIE, str(tmp_path / OWNER / FILE_NAME), when]
    assert subprocess.run(command, cwd=PROJECT, check=False, timeout=PATIENCE_SECONDS).returncode == -9
    monkeypatch.setattr(schema, "CHANGES", (add_second_vector,))
    pool, library = open_library(tmp_path)
    assert await counts_of(pool) == before
    same = "SELECT count(*) FROM passages WHERE second = vector"
    async with pool.lease(OWNER) as store:
        assert await store.read(lambda cursor: cursor.execute(same).fetchall()) == [(before["passages"],)]
    assert (await library.retrieve("When was the bridge painted?", limit=1)).passages
    await pool.close()
