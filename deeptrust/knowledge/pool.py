"""The open stores: one owner a file, a limited number of files (K02)."""

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from deeptrust.errors import NotFound
from deeptrust.knowledge.intake import Intakes
from deeptrust.knowledge.store import Store

OPEN_AT_MOST = 16


@dataclass(slots=True)
class _Slot:
    store: Store
    borrowers: int = 0


class StorePool:
    """Opens a store when it is asked for and closes the one unused for longest when there are too many."""

    def __init__(self, users_folder: Path, limit: int = OPEN_AT_MOST) -> None:
        """`users_folder` holds a folder for each owner."""
        self._users_folder = users_folder
        self._limit = limit
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._changed = asyncio.Condition()
        self.intakes = Intakes()

    @asynccontextmanager
    async def lease(self, owner: str) -> AsyncGenerator[Store, None]:
        """Lend the store of `owner` (a UUID); it is not closed before it is given back.

        With all places lent it waits for one, so borrow for one operation, not for a whole intake.

        Raises:
            NotFound: `owner` is not a UUID.
            StoreUnavailable: the store cannot be opened.
        """
        folder = self._users_folder / parse_owner(owner)
        async with self._changed:
            slot = await self._take(folder)
        try:
            yield slot.store
        finally:
            async with self._changed:
                slot.borrowers -= 1
                if not slot.store.is_open and slot.borrowers == 0:
                    await self._drop(folder.name)
                self._changed.notify_all()

    async def close(self) -> None:
        """Close every store."""
        async with self._changed:
            for owner in list(self._slots):
                await self._drop(owner)

    async def _take(self, folder: Path) -> _Slot:
        while folder.name not in self._slots and len(self._slots) >= self._limit:
            idle = next((owner for owner, slot in self._slots.items() if slot.borrowers == 0), None)
            if idle is None:
                await self._changed.wait()
            else:
                await self._drop(idle)
        if folder.name not in self._slots:
            await self._open(folder)
        slot = self._slots[folder.name]
        slot.borrowers += 1
        self._slots.move_to_end(folder.name)
        return slot

    async def _open(self, folder: Path) -> None:
        """Open a store to its end, also for a caller who has gone: opened twice at once, a file fails both."""
        opening = asyncio.create_task(Store.open(folder))
        try:
            await asyncio.shield(opening)
        finally:
            self._slots[folder.name] = _Slot(await opening)

    async def _drop(self, owner: str) -> None:
        slot = self._slots.pop(owner, None)
        if slot is not None:
            await slot.store.close()


def parse_owner(owner: str) -> str:
    """The owner's folder name: the hex digits of a UUID, so that no text from outside becomes a path.

    Raises:
        NotFound: `owner` is not a UUID.
    """
    try:
        return uuid.UUID(owner).hex
    except ValueError as error:
        raise NotFound("There is no such person here. Reload the page.") from error
