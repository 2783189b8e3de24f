"""One DuckDB file, opened with its limits set; DuckDB's errors become sentences here."""

import re
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import duckdb
from duckdb import DuckDBPyConnection

from deeptrust.errors import StoreUnavailable
from deeptrust.knowledge import schema
from deeptrust.knowledge.files import back_up, log_of

Result = TypeVar("Result")

# Without limits each open file takes a thread a core and 80 % of the memory. External access off keeps SQL
# from reading any other file (STO-18); the lock keeps SQL from turning it on again.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "512MB",
    "enable_external_access": "false",
    "lock_configuration": "true",
}
_DAMAGE = re.compile(r"corrupt|not a valid DuckDB|could not read enough bytes|replaying WAL|checksum", re.IGNORECASE)
_HOLDER = re.compile(r"PID (\d+)")


class Connection:
    """The one connection to a file in this process. Each thread gets a cursor of its own: a shared one
    returned other callers' rows in a quarter of the look-ups tried (RET-19).
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or create it.

        Raises:
            StoreUnavailable: another process holds the file, it is damaged (and then kept aside), or the disk fails.
        """
        self._path = path
        self._guard = threading.Lock()
        with self._translated():
            self._open()

    @property
    def is_open(self) -> bool:
        """False after `close`, or once damage was found and the file was moved aside."""
        return self._database is not None

    def run(self, work: Callable[[DuckDBPyConnection], Result]) -> Result:
        """Call `work` with this thread's cursor.

        Raises:
            StoreUnavailable: DuckDB failed.
        """
        with self._translated():
            return work(self._cursor())

    def transact(
        self, work: Callable[[DuckDBPyConnection], Result], is_done: Callable[[DuckDBPyConnection], bool]
    ) -> Result:
        """Call `work` inside one transaction. Only one thread may write.

        A commit that raises may still be on the disk: the file is then opened afresh and `is_done` decides
        whether the work stands (STO-21).

        Raises:
            StoreUnavailable: the work is not in the file.
        """
        with self._translated():
            cursor = self._cursor()
            cursor.begin()
            try:
                result = work(cursor)
            except BaseException:  # whatever ends the work, its transaction must not stay open; raised again below
                cursor.rollback()
                raise
            try:
                cursor.commit()
            except duckdb.Error:
                self.close()
                self._open()
                if not is_done(self._cursor()):
                    raise
            return result

    def close(self) -> None:
        """Close every cursor and the file; DuckDB folds its log into the file."""
        with self._guard:
            for cursor in self._cursors:
                cursor.close()
            self._cursors.clear()
            if self._database is not None:
                self._database.close()
            self._database = None
            self._local = threading.local()

    def _open(self) -> None:
        self._local = threading.local()
        self._cursors: list[DuckDBPyConnection] = []
        self._database: DuckDBPyConnection | None = None
        self._database = duckdb.connect(str(self._path), config=_CONFIG)
        try:
            if schema.is_old(self._database):
                self._database.close()  # which folds the log into the file, so that the copy is whole
                back_up(self._path)
                self._database = duckdb.connect(str(self._path), config=_CONFIG)
            schema.prepare(self._database)
        except BaseException:  # a file left open could not be opened again; raised again below
            self.close()
            raise

    def _cursor(self) -> DuckDBPyConnection:
        cursor: DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            with self._guard:
                if self._database is None:
                    raise StoreUnavailable("The knowledge store is closed. Try again.")
                cursor = self._local.cursor = self._database.cursor()
                self._cursors.append(cursor)
        return cursor

    @contextmanager
    def _translated(self) -> Generator[None, None, None]:
        try:
            yield
        except duckdb.Error as error:
            if _DAMAGE.search(str(error)):
                self._keep_aside()
            elif isinstance(error, duckdb.FatalException | duckdb.InternalException):
                self.close()  # DuckDB refuses all further work on this instance; the pool opens a new one
            raise StoreUnavailable(_sentence(str(error))) from error

    def _keep_aside(self) -> None:
        """Move a damaged file out of the way, log and all, so that nothing overwrites what could be rescued."""
        self.close()
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        for path in (self._path, log_of(self._path)):
            if path.exists():
                path.rename(path.with_name(f"damaged-{moment}-{path.name}"))


def _sentence(message: str) -> str:
    if "Could not set lock" in message or "Conflicting lock" in message:
        holder = _HOLDER.search(message)
        who = f"another program (PID {holder[1]})" if holder else "another program"
        return f"The knowledge store is in use by {who}. Close that program, then try again."
    if _DAMAGE.search(message):
        return (
            "The knowledge store was damaged and has been kept aside as a `damaged-` file beside it. "
            "Add your documents again."
        )
    if "No space left" in message:
        return "The disk is full, so nothing was stored. Free some space, then try again."
    return "The knowledge store failed and nothing was changed. Try again; `deeptrust doctor` says more."
