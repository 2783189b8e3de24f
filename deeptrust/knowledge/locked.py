"""Locked files that wait for their password, so that nobody has to send them a second time."""

import asyncio
from dataclasses import dataclass

MOST_BYTES = 120 * 1024 * 1024
"""Held at most, over all pages; the oldest go first."""
KEPT_SECONDS = 15 * 60


@dataclass(frozen=True)
class LockedFile:
    """A file as it came in, and whose it is."""

    owner: str
    name: str
    data: bytes


class LockedFiles:
    """Kept in memory only, for a quarter of an hour, and given back to their owner alone."""

    def __init__(self, most_bytes: int = MOST_BYTES, kept_seconds: float = KEPT_SECONDS) -> None:
        """Keep at most so much for at most so long."""
        self._most_bytes = most_bytes
        self._kept_seconds = kept_seconds
        self._files: dict[str, tuple[LockedFile, asyncio.TimerHandle]] = {}

    def keep(self, key: str, file: LockedFile) -> None:
        """Keep a file under the key of its line; call within the event loop."""
        self.drop(key)
        end = asyncio.get_running_loop().call_later(self._kept_seconds, self.drop, key)
        self._files[key] = (file, end)
        while sum(len(kept.data) for kept, _ in self._files.values()) > self._most_bytes:
            self.drop(next(iter(self._files)))

    def find(self, key: str, owner: str) -> LockedFile | None:
        """Return the file, if it is still here and `owner` brought it."""
        file, _ = self._files.get(key, (None, None))
        return file if file and file.owner == owner else None

    def drop(self, key: str) -> None:
        """Let go of a file."""
        if kept := self._files.pop(key, None):
            kept[1].cancel()

    def drop_all(self, owner: str) -> None:
        """Let go of every file of `owner`."""
        for key in [key for key, (file, _) in self._files.items() if file.owner == owner]:
            self.drop(key)
