"""A saver that cannot keep its promise is found at the start, not by the first run that waits."""

import sqlite3
from pathlib import Path

import pytest

from deeptrust.agent.checkpoints import erase_deleted, open_saver
from deeptrust.errors import StoreUnavailable


async def test_dep_17_start_writes_and_reads_a_checkpoint_and_leaves_none(tmp_path: Path):
    file = tmp_path / "checkpoints.sqlite"
    async with open_saver(file):
        pass
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)


async def test_dep_17_saver_that_loses_what_it_is_given_is_refused(tmp_path: Path):
    """As after a release that expects other columns: tables are there, so its setup is content."""
    file = tmp_path / "checkpoints.sqlite"
    async with open_saver(file):
        pass
    with sqlite3.connect(file) as database:
        database.execute("ALTER TABLE checkpoints RENAME COLUMN checkpoint TO body")
    with pytest.raises(StoreUnavailable, match="make setup"):
        async with open_saver(file):
            pass


async def test_a_reader_elsewhere_keeps_deleted_checkpoints_on_the_disk_and_that_is_said(tmp_path: Path):
    file = tmp_path / "checkpoints.sqlite"
    async with open_saver(file) as saver:
        await saver.conn.execute("PRAGMA busy_timeout = 50")
        with sqlite3.connect(file) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM checkpoints").fetchone()
            with pytest.raises(StoreUnavailable, match="Close the other program"):
                await erase_deleted(saver)
        reader.close()
        await erase_deleted(saver)
    wal = tmp_path / "checkpoints.sqlite-wal"
    assert not wal.exists() or wal.stat().st_size == 0
