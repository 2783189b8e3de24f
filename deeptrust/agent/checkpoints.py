"""The saver: checkpoints in one SQLite file, read back as plain data and nothing else (GRA-11)."""

import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from deeptrust.errors import StoreUnavailable

_PROBE = "start-check"  # no run's id: those are UUIDs
_STILL_THERE = "Deleted text is still in checkpoints.sqlite. {} and try again."
_IN_USE = _STILL_THERE.format("Close the other program that has this file open")
_NO_SPACE = _STILL_THERE.format("Free some disk space")
_UNPROVEN = (
    "Checkpoints cannot be written and read back. Bring the pinned packages back with `make setup`; "
    "if that does not help, move checkpoints.sqlite aside."
)


@contextlib.asynccontextmanager
async def open_saver(file: Path) -> AsyncGenerator[AsyncSqliteSaver]:
    """Open the saver for the running event loop; it must not be used from another one (GRA-17).

    Raises:
        StoreUnavailable: the file is damaged or cannot be written.
    """
    try:
        connection = await aiosqlite.connect(file)
    except aiosqlite.Error as error:
        raise StoreUnavailable(
            f"The checkpoints in {file.name} cannot be opened. Check the rights of the folder."
        ) from error
    try:
        # Strict: only the saver's own plain types are rebuilt, whatever the environment says.
        serializer = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
        saver = AsyncSqliteSaver(connection, serde=serializer)
        try:
            await saver.setup()
            await connection.execute("PRAGMA synchronous=FULL")
            await connection.execute("PRAGMA secure_delete=ON")
            await connection.execute("PRAGMA temp_store=MEMORY")
        except aiosqlite.Error as error:
            raise StoreUnavailable(f"{file.name} is damaged. Move it aside; runs that wait will start anew.") from error
        await _prove(saver)
        yield saver
    finally:
        await connection.close()


async def _prove(saver: AsyncSqliteSaver) -> None:
    """Write a checkpoint and read it back, at each start: a release of the saver that cannot must not meet a run first.

    Raises:
        StoreUnavailable: it does not come back as it was written (DEP-17).
    """
    config: RunnableConfig = {"configurable": {"thread_id": _PROBE, "checkpoint_ns": ""}}
    written = empty_checkpoint()
    written["channel_values"] = {_PROBE: ["plain", 1, None]}
    try:
        await saver.aput(config, written, {}, {})
        found = await saver.aget(config)
        await saver.adelete_thread(_PROBE)
    except Exception as error:  # whatever an unknown release raises, the answer is the same
        raise StoreUnavailable(_UNPROVEN) from error
    if found is None or found["id"] != written["id"] or found["channel_values"] != written["channel_values"]:
        raise StoreUnavailable(_UNPROVEN)


async def list_threads(saver: BaseCheckpointSaver[str]) -> list[str]:
    """Ids of all runs that have a checkpoint, whole or begun."""
    if not isinstance(saver, AsyncSqliteSaver):
        return []
    query = "SELECT thread_id FROM checkpoints UNION SELECT thread_id FROM writes"
    async with saver.lock, saver.conn.execute(query) as cursor:
        return [str(row[0]) for row in await cursor.fetchall()]


async def erase_deleted(saver: BaseCheckpointSaver[str]) -> None:
    """Leave no byte of deleted checkpoints on the disk: rewrite the file, then empty its write-ahead log.

    Raises:
        StoreUnavailable: the disk is full or fails, or another program reads the file; what was deleted stays deleted.
    """
    if not isinstance(saver, AsyncSqliteSaver):
        return
    try:
        async with saver.lock:
            await saver.conn.commit()  # a run that was stopped may have left its last write open
            await saver.conn.execute("VACUUM")
            # A reader in another program keeps the log from being emptied; SQLite waits, then says so in a row.
            async with saver.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)") as cursor:
                row = await cursor.fetchone()
    except aiosqlite.Error as error:
        raise StoreUnavailable(_IN_USE if "locked" in str(error) else _NO_SPACE) from error
    if row is None or row[0]:
        raise StoreUnavailable(_IN_USE)
