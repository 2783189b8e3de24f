"""Deleted text leaves the disk only with the file that held it: live rows are copied to a fresh one (STO-20).

DELETE, CHECKPOINT and VACUUM all leave the text of deleted rows in a DuckDB file. So a removal first leaves a mark
beside the file, and whoever opens or closes the store next, be it after a crash, copies what lives and swaps.
"""

import logging
import shutil
from pathlib import Path

import duckdb
from duckdb import DuckDBPyConnection

from deeptrust.knowledge.files import backup_of, log_of, sync, unfinished_backup_of
from deeptrust.knowledge.rows import count_tables

logger = logging.getLogger(__name__)

MARK_NAME = "knowledge.compact"
_FRESH_SUFFIX = ".fresh"
_LIMITS: dict[str, str | bool | int | float | list[str]] = {"threads": 2, "memory_limit": "512MB"}


def leave_mark(folder: Path) -> None:
    """Note, before rows are deleted, that the store in `folder` is about to hold deleted text."""
    (folder / MARK_NAME).touch(mode=0o600)
    sync(folder)


def is_marked(folder: Path) -> bool:
    """Whether deleted text may still be on the disk."""
    return (folder / MARK_NAME).exists()


def sweep(file: Path) -> None:
    """Remove what a process that was killed left half made beside the store."""
    unfinished = (_fresh(file), log_of(_fresh(file)), unfinished_backup_of(file), file.parent / "knowledge.ledger.new")
    for leftover in unfinished:
        leftover.unlink(missing_ok=True)
    shutil.rmtree(file.with_name(file.name + ".tmp"), ignore_errors=True)


def compact_if_marked(file: Path) -> None:
    """Swap `file`, which nobody may have open, for a copy of its live rows, if the mark asks for it.

    What goes wrong is logged and the old file stays, with its mark: the next close or open tries again.
    """
    if not (is_marked(file.parent) and file.exists()):
        return
    try:
        _compact(file)
    except (duckdb.Error, OSError) as error:
        logger.warning("a knowledge store could not be compacted now and will be later: %s", error)


def _compact(file: Path) -> None:
    # A connection of its own: the store's has no access to other files. No text from outside becomes SQL here.
    with duckdb.connect(":memory:", config={**_LIMITS, "temp_directory": f"{file}.tmp"}) as connection:
        connection.execute(f"ATTACH {_quoted(file)} AS old")
        connection.execute("CHECKPOINT old")
        connection.execute("DETACH old")
        # The lock on the old file is held until its name stands for the new one: no other process slips in between.
        connection.execute(f"ATTACH {_quoted(file)} AS old (READ_ONLY)")
        sweep(file)
        try:
            _copy_live_rows(connection, _fresh(file))
            if log_of(file).exists() or log_of(_fresh(file)).exists():
                raise OSError("a write-ahead log was left, and would be replayed into the wrong file")
            _fresh(file).chmod(file.stat().st_mode & 0o777)
            sync(_fresh(file))
            _fresh(file).replace(file)
        finally:
            sweep(file)
    # An upgrade's backup holds the deleted text too, and the file that it guards has been read to its end.
    backup_of(file).unlink(missing_ok=True)
    sync(file.parent)
    (file.parent / MARK_NAME).unlink()
    sync(file.parent)


def _copy_live_rows(connection: DuckDBPyConnection, fresh: Path) -> None:
    connection.execute(f"ATTACH {_quoted(fresh)} AS fresh")
    connection.execute("COPY FROM DATABASE old TO fresh")
    if count_tables(connection, "old") != count_tables(connection, "fresh"):
        raise OSError("the copy does not hold what the store holds")
    connection.execute("CHECKPOINT fresh")
    connection.execute("DETACH fresh")


def _fresh(file: Path) -> Path:
    return file.with_name(file.name + _FRESH_SUFFIX)


def _quoted(file: Path) -> str:
    return "'" + str(file).replace("'", "''") + "'"
