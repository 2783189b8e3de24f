"""The tables of one person's knowledge store, and their history."""

from collections.abc import Callable, Sequence
from functools import partial

from duckdb import DuckDBPyConnection

from deeptrust.embedding.base import DIMENSIONS
from deeptrust.errors import StoreUnavailable
from deeptrust.knowledge.rows import count_tables, first_row

FIRST_VERSION = 1

# No vector index: DuckDB's HNSW on disk has lost files after a crash (STO-11); every search is an exact scan.
# `passages.key` is a small number so that the many rows of `postings` stay small; the text of a passage is
# cut out of its page, which is stored once.
_TABLES = f"""
CREATE TABLE store (version INTEGER NOT NULL);
CREATE TABLE documents (
    id VARCHAR PRIMARY KEY, collection VARCHAR NOT NULL, kind VARCHAR NOT NULL, label VARCHAR NOT NULL,
    url VARCHAR, sha256 VARCHAR NOT NULL, created_at TIMESTAMP NOT NULL, UNIQUE (collection, sha256)
);
CREATE TABLE pages (document_id VARCHAR NOT NULL, number INTEGER NOT NULL, text VARCHAR NOT NULL);
CREATE TABLE passages (
    key BIGINT NOT NULL, id VARCHAR NOT NULL, document_id VARCHAR NOT NULL, page INTEGER NOT NULL,
    start_at INTEGER NOT NULL, end_at INTEGER NOT NULL, section VARCHAR, term_count INTEGER NOT NULL,
    fingerprint VARCHAR NOT NULL, vector FLOAT[{DIMENSIONS}] NOT NULL
);
CREATE TABLE postings (term VARCHAR NOT NULL, passage_key BIGINT NOT NULL, occurrences INTEGER NOT NULL);
"""


Change = Callable[[DuckDBPyConnection], None]

CHANGES: tuple[Change, ...] = ()
"""What brings a file of version 1 up to date, in order. One that was released never changes."""


def prepare(cursor: DuckDBPyConnection, changes: Sequence[Change] | None = None) -> None:
    """Create the tables in a new file, or bring those of an old one up to date, each change in one transaction.

    The CHECKPOINT after each keeps table definitions out of the write-ahead log, whose replay is where DuckDB has
    failed after schema changes (STO-08).

    Raises:
        StoreUnavailable: a newer DeepTrust made the file, or a change would lose rows; the file is as it was.
    """
    changes = CHANGES if changes is None else changes
    version = find_version(cursor)
    if version > FIRST_VERSION + len(changes):
        raise StoreUnavailable("A newer DeepTrust made this knowledge store. Update DeepTrust to open it.")
    if version == 0:
        _move_to(cursor, FIRST_VERSION, lambda: cursor.execute(_TABLES))
        version = FIRST_VERSION
    for number, change in enumerate(changes[version - FIRST_VERSION :], start=version + 1):
        _move_to(cursor, number, partial(_apply, cursor, change))


def is_old(cursor: DuckDBPyConnection) -> bool:
    """Whether `prepare` would change a file that holds something."""
    return 0 < find_version(cursor) < FIRST_VERSION + len(CHANGES)


def find_version(cursor: DuckDBPyConnection) -> int:
    """How much of its history the file has been through; 0 for a new one."""
    if not first_row(cursor, "SELECT 1 FROM duckdb_tables() WHERE table_name = 'store'"):
        return 0
    row = first_row(cursor, "SELECT max(version) FROM store")
    return 0 if row is None or row[0] is None else int(row[0])


def _move_to(cursor: DuckDBPyConnection, version: int, work: Callable[[], object]) -> None:
    cursor.begin()
    try:
        work()
        cursor.execute("DELETE FROM store")
        cursor.execute("INSERT INTO store VALUES (?)", [version])
    except BaseException:  # whatever ends the work, the file must be as it was; raised again below
        cursor.rollback()
        raise
    cursor.commit()
    cursor.execute("CHECKPOINT")


def _apply(cursor: DuckDBPyConnection, change: Change) -> None:
    before = count_tables(cursor)
    change(cursor)
    after = count_tables(cursor)
    if any(after.get(name, 0) < count for name, count in before.items()):
        raise StoreUnavailable(
            "Bringing this knowledge store up to date would lose some of it, so nothing was changed. "
            "Go on with the DeepTrust that you had, and report this."
        )
