"""Deleted text leaves the disk only with the file that held it: live rows are copied to a fresh one (STO-20).

DELETE, CHECKPOINT and VACUUM all leave the text of deleted rows in a DuckDB file. So a removal first leaves a mark
beside the file, and whoever opens or closes the store next, be it after a crash, copies what lives and swaps.
"""

import logging
import os
import shutil
from pathlib import Path

import duckdb
from duckdb import DuckDBPyConnection

logger = logging.getLogger(__name__)

MARK_NAME = "knowledge.compact"
BACKUP_SUFFIX = ".before-upgrade"
_FRESH_SUFFIX = ".fresh"
_LIMITS: dict[str, str | bool | int | float | list[str]] = {"threads": 2, "memory_limit": "512MB"}


def leave_mark(folder: Path) -> None:
    """Note, before rows are deleted, that the store in `folder` is about to hold deleted text."""
    (folder / MARK_NAME).touch(mode=0o600)
    sync_folder(folder)


def is_marked(folder: Path) -> bool:
    """Whether deleted text may still be on the disk."""
    return (folder / MARK_NAME).exists()


def sweep(file: Path) -> None:
    """Remove what a process that was killed left half made beside the store."""
    for leftover in (_fresh(file), _log_of(_fresh(file)), file.parent / "knowledge.ledger.new"):
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
        sweep(file)


def sync_folder(folder: Path) -> None:
    """Make names that were created, replaced or removed in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _compact(file: Path) -> None:
    sweep(file)
    _copy_live_rows(file, _fresh(file))
    if _log_of(file).exists() or _log_of(_fresh(file)).exists():
        raise OSError("a write-ahead log was left, and would be replayed into the wrong file")
    _fresh(file).chmod(file.stat().st_mode & 0o777)
    _fresh(file).replace(file)
    # An upgrade's backup holds the deleted text too, and the file that it guards has been read to its end.
    file.with_name(file.name + BACKUP_SUFFIX).unlink(missing_ok=True)
    sync_folder(file.parent)
    (file.parent / MARK_NAME).unlink()
    sync_folder(file.parent)


def _copy_live_rows(old: Path, fresh: Path) -> None:
    # A connection of its own: the store's has no access to other files. No text from outside becomes SQL here.
    with duckdb.connect(":memory:", config={**_LIMITS, "temp_directory": str(old) + ".tmp"}) as connection:
        connection.execute(f"ATTACH {_quoted(old)} AS old")
        connection.execute("CHECKPOINT old")
        connection.execute(f"ATTACH {_quoted(fresh)} AS fresh")
        connection.execute("COPY FROM DATABASE old TO fresh")
        if count_tables(connection, "old") != count_tables(connection, "fresh"):
            raise OSError("the copy does not hold what the store holds")
        connection.execute("CHECKPOINT fresh")
        connection.execute("DETACH fresh")
        connection.execute("DETACH old")


def count_tables(connection: DuckDBPyConnection, database: str) -> dict[str, int]:
    """Number of rows by table of an attached database; `database` is never a text from outside."""
    query = "SELECT table_name FROM duckdb_tables() WHERE database_name = ?"
    names = [name for (name,) in connection.execute(query, [database]).fetchall()]
    counts = {name: connection.execute(f"SELECT count(*) FROM {database}.{name}").fetchall() for name in names}  # noqa: S608
    return {name: int(rows[0][0]) for name, rows in counts.items()}


def _fresh(file: Path) -> Path:
    return file.with_name(file.name + _FRESH_SUFFIX)


def _log_of(file: Path) -> Path:
    return file.with_name(file.name + ".wal")


def _quoted(file: Path) -> str:
    return "'" + str(file).replace("'", "''") + "'"
