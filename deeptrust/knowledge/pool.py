"""The open stores: one owner a file, a limited number of files (K02)."""

import asyncio
import shutil
import uuid
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from deeptrust.errors import NotFound
from deeptrust.knowledge.files import sync, translated
from deeptrust.knowledge.finishing import finish
from deeptrust.knowledge.intake import Intakes
from deeptrust.knowledge.locked import LockedFiles
from deeptrust.knowledge.store import Store

OPEN_AT_MOST = 16

COMPACT_AFTER_SECONDS = 15
"""Wait after a removal, so that many removals cost one copy; removed text is gone well within a minute (STO-20)."""

_FORGOTTEN = ".forgotten-"
_NO_PERSON = "There is no such person here. Reload the page."


@dataclass(slots=True)
class _Slot:
    store: Store
    borrowers: int = 0


class StorePool:
    """Opens a store when it is asked for and closes the one unused for longest when there are too many."""

    def __init__(
        self, users_folder: Path, limit: int = OPEN_AT_MOST, compact_after_seconds: float = COMPACT_AFTER_SECONDS
    ) -> None:
        """`users_folder` holds a folder for each owner."""
        self._users_folder = users_folder
        self._limit = limit
        self.compact_after_seconds = compact_after_seconds
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._changed = asyncio.Condition()
        self._closing: set[str] = set()
        self._gone: set[str] = set()
        self._compactions: dict[str, asyncio.TimerHandle | asyncio.Task[None]] = {}
        self.intakes = Intakes()
        self.locked = LockedFiles()

    @asynccontextmanager
    async def lease(self, owner: str) -> AsyncGenerator[Store, None]:
        """Lend the store of `owner` (a UUID); it is not closed before it is given back.

        With all places lent it waits for one, so borrow for one operation, not for a whole intake.

        Raises:
            NotFound: `owner` is not a UUID, or is gone for good.
            StoreUnavailable: the store cannot be opened.
        """
        folder = self._users_folder / parse_owner(owner)
        async with self._changed:
            slot = await self._take(folder)
        try:
            yield slot.store
        finally:
            await finish(self._take_back(folder.name, slot))

    def size_bytes(self, owner: str) -> int:
        """Bytes of all files of `owner` on the disk."""
        total = 0
        for file in (self._users_folder / parse_owner(owner)).glob("*"):
            with suppress(FileNotFoundError):  # a compaction has just put another in its place
                total += file.stat().st_size
        return total

    async def forget(self, owner: str, *, for_good: bool = False) -> None:
        """Delete everything of `owner`, backups and damaged files too; what is on its way in stays out.

        `for_good`: whatever still arrives for them, such as the rest of an upload, is refused as well.

        Raises:
            NotFound: `owner` is not a UUID.
        """
        name = parse_owner(owner)
        self.intakes.cancel_all(name)
        self.locked.drop_all(name)
        async with self._alone(name):
            await finish(asyncio.to_thread(_erase, self._users_folder / name))
            if for_good:
                self._gone.add(name)

    async def sweep(self) -> None:
        """Finish what `forget` had begun when the process was killed."""
        for folder in self._users_folder.glob(f"{_FORGOTTEN}*"):
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def close(self) -> None:
        """Close every store."""
        for pending in list(self._compactions.values()):
            if isinstance(pending, asyncio.Task):
                await pending
            else:
                pending.cancel()
        self._compactions.clear()
        async with self._changed:
            for owner in list(self._slots):
                await self._drop(owner)

    async def _take(self, folder: Path) -> _Slot:
        while folder.name in self._closing or (folder.name not in self._slots and len(self._slots) >= self._limit):
            idle = None if folder.name in self._closing else self._find_idle()
            if idle is None:
                await self._changed.wait()
            else:
                await self._drop(idle)
        if folder.name in self._gone:
            raise NotFound(_NO_PERSON)
        if folder.name not in self._slots:
            await self._open(folder)
        slot = self._slots[folder.name]
        slot.borrowers += 1
        self._slots.move_to_end(folder.name)
        return slot

    def _find_idle(self) -> str | None:
        idle = (owner for owner, slot in self._slots.items() if slot.borrowers == 0 and owner not in self._closing)
        return next(idle, None)

    async def _open(self, folder: Path) -> None:
        """Open a store to its end, also for a caller who has gone: opened twice at once, a file fails both."""

        async def open_and_keep() -> None:
            self._slots[folder.name] = _Slot(await Store.open(folder))

        await finish(open_and_keep())

    async def _take_back(self, owner: str, slot: _Slot) -> None:
        async with self._changed:
            slot.borrowers -= 1
            if not slot.store.is_open and slot.borrowers == 0:
                await self._drop(owner)
            elif slot.store.holds_deleted_text:
                self._compact_later(owner)
            self._changed.notify_all()

    async def _drop(self, owner: str) -> None:
        if slot := self._slots.get(owner):
            try:
                await finish(slot.store.close())
            finally:
                self._slots.pop(owner, None)

    @asynccontextmanager
    async def _alone(self, owner: str) -> AsyncGenerator[None, None]:
        """Close the store of `owner` once nobody holds it, and let nobody open it within the block."""
        async with self._changed:
            await self._changed.wait_for(lambda: owner not in self._closing)
            self._closing.add(owner)
        try:
            async with self._changed:
                await self._changed.wait_for(lambda: owner not in self._slots or self._slots[owner].borrowers == 0)
            await self._drop(owner)
            yield
        finally:
            await finish(self._open_again(owner))

    async def _open_again(self, owner: str) -> None:
        async with self._changed:
            self._closing.discard(owner)
            self._changed.notify_all()

    def _compact_later(self, owner: str) -> None:
        if owner not in self._compactions:
            loop = asyncio.get_running_loop()
            self._compactions[owner] = loop.call_later(self.compact_after_seconds, self._begin_compaction, owner)

    def _begin_compaction(self, owner: str) -> None:
        task = self._compactions[owner] = asyncio.create_task(self._compact(owner))
        task.add_done_callback(lambda _: self._compactions.pop(owner, None))

    async def _compact(self, owner: str) -> None:
        async with self._alone(owner):  # closing a store is what compacts it; the next caller opens it again
            pass


def parse_owner(owner: str) -> str:
    """The owner's folder name: the hex digits of a UUID, so that no text from outside becomes a path.

    Raises:
        NotFound: `owner` is not a UUID.
    """
    try:
        return uuid.UUID(owner).hex
    except ValueError as error:
        raise NotFound(_NO_PERSON) from error


def _erase(folder: Path) -> None:
    """Remove a folder; killed at any moment, it is either whole or has lost its name and is swept later."""
    if folder.exists():
        with translated():
            going = folder.with_name(f"{_FORGOTTEN}{uuid.uuid4().hex}")
            folder.rename(going)
            sync(folder.parent)
            shutil.rmtree(going)
