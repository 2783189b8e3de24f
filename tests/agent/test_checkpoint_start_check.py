"""A saver that cannot keep its promise is found at the start, not by the first run that waits."""

import sqlite3
from pathlib import Path

import pytest

from deeptrust.agent.checkpoints import open_saver
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
