"""One SQLite file, one thread that owns it: callers hand it functions and await the result."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from sqlalchemy import event
from sqlalchemy.exc import DatabaseError, IntegrityError, NoResultFound
from sqlmodel import Session, create_engine

from deeptrust.database import migrations
from deeptrust.errors import Conflict, NotFound, StoreUnavailable

Result = TypeVar("Result")

_GONE = "This was deleted a moment ago, so nothing was done. Reload the page."
_TAKEN = "Somebody else changed the same thing in this moment, so nothing was done. Try again."


class Database:
    """The database of one home. Every call is one transaction: it commits whole or not at all."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="database")
        self._engine = create_engine(f"sqlite:///{file}", connect_args={"timeout": migrations.LOCK_WAIT_SECONDS})
        event.listen(self._engine, "connect", _configure)

    async def open(self) -> None:
        """Create the tables, or bring those of an older release up to date.

        Raises:
            StoreUnavailable: the file is locked, damaged, cannot be written, or a newer DeepTrust made it.
        """
        await self._in_thread(lambda: migrations.prepare(self._file))

    async def run(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in one transaction on the database's own thread and return what it returns.

        Raises:
            NotFound: what `work` works on was deleted in the same moment; nothing was changed.
            Conflict: somebody else wrote the same row first; nothing was changed.
            StoreUnavailable: the file is locked, damaged or its disk is full; nothing was changed.
        """
        return await self._in_thread(lambda: self._transact(work))

    async def erase(self) -> None:
        """Leave no byte of deleted rows on the disk: rewrite the file, empty the write-ahead log, drop the backup.

        Zeros over deleted rows (secure_delete) are not enough: rows that SQLite moved to another page before they
        were deleted leave a copy behind.

        Raises:
            StoreUnavailable: the file is locked or the disk is full; what was deleted stays deleted.
        """
        await self._in_thread(self._rewrite)

    async def close(self) -> None:
        """Wait for the running transaction, then let go of the file."""
        await self._in_thread(self._engine.dispose)
        self._thread.shutdown()

    def _transact(self, work: Callable[[Session], Result]) -> Result:
        with Session(self._engine, expire_on_commit=False) as session, session.begin():
            return work(session)

    def _rewrite(self) -> None:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM")
            # A reader in another program keeps the log from being emptied; SQLite says so in a row, not by an error.
            if connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar_one():
                raise sqlite3.OperationalError("database is locked")
        migrations.backup_of(self._file).unlink(missing_ok=True)

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except NoResultFound as error:
            raise NotFound(_GONE) from error
        except IntegrityError as error:
            is_gone = "FOREIGN KEY" in str(error.orig)
            raise NotFound(_GONE) if is_gone else Conflict(_TAKEN) from error
        except DatabaseError as error:
            raise StoreUnavailable(_explain(error.orig or error)) from error
        except sqlite3.DatabaseError as error:
            raise StoreUnavailable(_explain(error)) from error


def _configure(connection: sqlite3.Connection, _record: object) -> None:
    """Write-ahead log with a sync at each commit: an acknowledged event survives a power cut."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


def _explain(error: BaseException) -> str:
    cause = str(error).lower()
    if "locked" in cause or "busy" in cause:
        return "Another program holds the database in your DeepTrust home. Close it, then try again."
    if "full" in cause:
        return "The disk is full, so nothing was saved. Free some space, then try again."
    if "readonly" in cause or "unable to open" in cause:
        return "The database in your DeepTrust home cannot be written. Check the rights of the folder."
    return "The database in your DeepTrust home is damaged. Move deeptrust.sqlite aside or restore a backup."
