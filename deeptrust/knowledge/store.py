"""One person's knowledge store: one writer, a few readers, none of them on the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import duckdb
from duckdb import DuckDBPyConnection

from deeptrust.errors import NotFound, Stopped
from deeptrust.knowledge import catalogue, compaction
from deeptrust.knowledge.catalogue import NewDocument
from deeptrust.knowledge.connection import Connection
from deeptrust.knowledge.files import translated
from deeptrust.knowledge.ledger import Ledger

Result = TypeVar("Result")

FILE_NAME = "knowledge.duckdb"
LEDGER_NAME = "knowledge.ledger.json"
_READERS = 2


class Store:
    """An open store. Callers hand it functions of a cursor; `Store.open` makes one, the pool owns it."""

    def __init__(self, folder: Path, connection: Connection, ledger: Ledger) -> None:
        """Take over an open connection and its ledger, both of files in `folder`."""
        self._folder = folder
        self._connection = connection
        self._ledger = ledger
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store-write")
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="store-read")
        self.missing = self._compare()

    @classmethod
    async def open(cls, folder: Path) -> "Store":
        """Open or create the store in `folder`.

        Raises:
            StoreUnavailable: held by another process (its PID is named), damaged, or the disk fails.
        """
        return await asyncio.to_thread(cls._open, folder)

    @classmethod
    def _open(cls, folder: Path) -> "Store":
        with translated():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            compaction.compact_if_marked(folder / FILE_NAME)
            connection = Connection(folder / FILE_NAME)
            compaction.sweep(folder / FILE_NAME)  # now that nobody else has the file
            return cls(folder, connection, Ledger(folder / LEDGER_NAME))

    @property
    def is_open(self) -> bool:
        """False once damage was found: open the store anew."""
        return self._connection.is_open

    @property
    def holds_deleted_text(self) -> bool:
        """True from a removal on until the store is closed, which takes the removed text off the disk."""
        return compaction.is_marked(self._folder)

    async def read(self, work: Callable[[DuckDBPyConnection], Result]) -> Result:
        """Call `work` with a reader's cursor.

        Raises:
            StoreUnavailable: DuckDB failed.
        """
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._connection.run, work)

    async def add(self, new: NewDocument, is_wanted: Callable[[], bool]) -> bool:
        """Store a document with all its passages in one transaction; False if its bytes are already there.

        `is_wanted` is asked last, inside the transaction: what was removed or stopped meanwhile stays out (ING-37).

        Raises:
            Stopped: the document is no longer wanted; nothing was stored.
            StoreUnavailable: nothing was stored.
        """
        return await self._write(lambda: self._add(new, is_wanted))

    async def replace(self, collection: str, new: Sequence[NewDocument], is_wanted: Callable[[], bool]) -> None:
        """Remove all documents of `collection` and store `new` in their place, in one transaction.

        Raises:
            Stopped: they are no longer wanted; nothing was changed.
            StoreUnavailable: nothing was changed.
        """
        await self._write(lambda: self._replace(collection, new, is_wanted))

    async def remove(self, document_id: str) -> None:
        """Remove a document with everything of it; its text leaves the disk when the store is closed.

        Raises:
            NotFound: there is none of that id.
        """
        await self._write(lambda: self._remove(document_id))

    async def write(self, work: Callable[[DuckDBPyConnection], None]) -> None:
        """Run a transaction that may be repeated without harm."""
        await self._write(lambda: self._connection.transact(work, is_done=lambda _: False))

    async def accept_missing(self) -> None:
        """Forget the documents in `missing`: the person has been told."""
        await self._write(lambda: self._ledger.keep_only(self._connection.run(catalogue.count_rows)))
        self.missing = []

    async def close(self) -> None:
        """Close once the work in hand is done, and take deleted text off the disk."""
        await asyncio.to_thread(self._close)

    async def _write(self, work: Callable[[], Result]) -> Result:
        def do() -> Result:
            with translated():
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._writer, do)

    def _add(self, new: NewDocument, is_wanted: Callable[[], bool]) -> bool:
        def insert(cursor: DuckDBPyConnection) -> bool:
            if catalogue.find_same(cursor, new.collection, new.sha256):
                return False
            catalogue.insert_document(cursor, new)
            if not is_wanted():
                raise Stopped("The document was removed before it was stored.")
            return True

        is_new = self._connection.transact(insert, is_done=lambda cursor: _exists(cursor, new.id))
        if is_new:
            self._ledger.remember(new.id, new.label, len(new.chunks))
        return is_new

    def _replace(self, collection: str, new: Sequence[NewDocument], is_wanted: Callable[[], bool]) -> None:
        def exchange(cursor: DuckDBPyConnection) -> None:
            for document_id in old:
                catalogue.delete_document(cursor, document_id)
            for document in new:
                catalogue.insert_document(cursor, document)
            if not is_wanted():
                raise Stopped("The documents were no longer wanted before they were stored.")

        old = self._connection.run(lambda cursor: _ids(cursor, collection))
        if old:
            compaction.leave_mark(self._folder)
        for document_id in old:
            self._ledger.forget(document_id)
        wanted = {document.id for document in new}
        self._connection.transact(exchange, is_done=lambda cursor: _ids(cursor, collection) == wanted)
        for document in new:
            self._ledger.remember(document.id, document.label, len(document.chunks))

    def _remove(self, document_id: str) -> None:
        self._connection.run(lambda cursor: catalogue.find_document(cursor, document_id))
        compaction.leave_mark(self._folder)
        self._ledger.forget(document_id)
        self._connection.transact(
            lambda cursor: catalogue.delete_document(cursor, document_id),
            is_done=lambda cursor: not _exists(cursor, document_id),
        )

    def _compare(self) -> list[str]:
        """Labels of documents that the ledger knows and the file has lost; what only the file knows is noted."""
        found = self._connection.run(catalogue.count_rows)
        missing = self._ledger.missing_from({id_: entry.passages for id_, entry in found.items()})
        if not missing:
            self._ledger.keep_only(found)
        return missing

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._connection.close()
        compaction.compact_if_marked(self._folder / FILE_NAME)


def _ids(cursor: DuckDBPyConnection, collection: str) -> set[str]:
    return {document.id for document in catalogue.list_documents(cursor, collection)}


def _exists(cursor: DuckDBPyConnection, document_id: str) -> bool:
    try:
        catalogue.find_document(cursor, document_id)
    except (NotFound, duckdb.Error):
        return False
    return True
