"""The history of the tables: `PRAGMA user_version` says how much of it a file has been through.

A file of version 0 was made by the first release. Each change is one transaction that also moves the version, so
that a kill at any moment leaves the file before it or after it; then the write-ahead log is folded in.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from deeptrust.database import tables
from deeptrust.errors import StoreUnavailable

LOCK_WAIT_SECONDS = 10
"""Longest wait for another program that holds the file (DEP-11)."""

BACKUP_SUFFIX = ".before-upgrade"

Change = Callable[[sqlite3.Connection], None]


def _add_sessions(connection: sqlite3.Connection) -> None:
    """Who is who in hosted mode."""
    connection.execute(
        "CREATE TABLE sessions (digest VARCHAR NOT NULL, owner VARCHAR NOT NULL, created_at DATETIME NOT NULL, "
        "seen_at DATETIME NOT NULL, admitted_by VARCHAR NOT NULL, is_revoked BOOLEAN NOT NULL, "
        "PRIMARY KEY (digest), FOREIGN KEY(owner) REFERENCES users (id))"
    )
    connection.execute("CREATE INDEX ix_sessions_owner ON sessions (owner)")
    connection.execute(
        "CREATE TABLE tokens (owner VARCHAR NOT NULL, digest VARCHAR NOT NULL, created_at DATETIME NOT NULL, "
        "PRIMARY KEY (owner), FOREIGN KEY(owner) REFERENCES users (id))"
    )
    connection.execute("CREATE UNIQUE INDEX ix_tokens_digest ON tokens (digest)")


CHANGES: tuple[Change, ...] = (_add_sessions,)
"""In order. One that was released never changes, nor leans on what does: there are files that went through it."""


def prepare(file: Path, changes: Sequence[Change] = CHANGES) -> None:
    """Create the tables in a new file, or bring an old one up to date; the old one is copied beside it before.

    Raises:
        StoreUnavailable: a newer DeepTrust made the file, or a change would lose rows; the file is as it was.
        sqlite3.DatabaseError: the file is locked, damaged or cannot be written.
    """
    with closing(sqlite3.connect(file, timeout=LOCK_WAIT_SECONDS, isolation_level=None)) as connection:
        version = _version(connection)
        if version > len(changes):
            raise StoreUnavailable("A newer DeepTrust made the database in your home. Update DeepTrust to open it.")
        if version == len(changes):
            return
        connection.execute("PRAGMA secure_delete = ON")
        if any(count_rows(connection).values()):
            back_up(connection, file)
            for number, change in enumerate(changes[version:], start=version + 1):
                _move_to(connection, number, partial(_apply, connection, change))
        else:
            _move_to(connection, len(changes), partial(_create, connection))


def back_up(connection: sqlite3.Connection, file: Path) -> None:
    """Copy the database to a file beside it, whole or not at all."""
    unfinished = file.with_name(f"{file.name}{BACKUP_SUFFIX}.new")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as copy:
        connection.backup(copy)
    unfinished.chmod(0o600)
    unfinished.replace(backup_of(file))


def backup_of(file: Path) -> Path:
    """Where the copy from before the last upgrade stands; it goes with the first deletion that a person asks for."""
    return file.with_name(file.name + BACKUP_SUFFIX)


def count_rows(connection: sqlite3.Connection) -> dict[str, int]:
    """Number of rows by table."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in names.fetchall()}  # noqa: S608 - names of our own


def _move_to(connection: sqlite3.Connection, version: int, work: Callable[[], None]) -> None:
    """Do `work` and set the version in one transaction, unless another process was faster; then fold the log in."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) < version:
            work()
            connection.execute(f"PRAGMA user_version = {version:d}")
    except BaseException:  # whatever ends the work, the file must be as it was; raised again below
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _apply(connection: sqlite3.Connection, change: Change) -> None:
    before = count_rows(connection)
    change(connection)
    after = count_rows(connection)
    is_broken = connection.execute("PRAGMA foreign_key_check").fetchone() is not None
    if is_broken or any(after.get(name, 0) < count for name, count in before.items()):
        raise StoreUnavailable(
            "Bringing the database in your home up to date would lose some of it, so nothing was changed. "
            "Go on with the DeepTrust that you had, and report this."
        )


def _create(connection: sqlite3.Connection) -> None:
    """Create all tables; empty ones may be there, where a first start was cut short."""
    for name in count_rows(connection):
        connection.execute(f'DROP TABLE "{name}"')
    for table in tables.SQLModel.metadata.sorted_tables:
        connection.execute(str(CreateTable(table).compile(dialect=sqlite.dialect())))
        for index in table.indexes:
            connection.execute(str(CreateIndex(index).compile(dialect=sqlite.dialect())))


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
