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
        self._most_bytes = most_bytes
        self._kept_seconds = kept_seconds
        self._files: dict[str, LockedFile] = {}

    def keep(self, key: str, file: LockedFile) -> None:
        """Keep a file under the key of its line; call within the event loop."""
        self.drop(key)
        self._files[key] = file
        while sum(len(kept.data) for kept in self._files.values()) > self._most_bytes:
            self.drop(next(iter(self._files)))
        asyncio.get_running_loop().call_later(self._kept_seconds, self._drop_same, key, file)

    def find(self, key: str, owner: str) -> LockedFile | None:
        """Return the file, if it is still here and `owner` brought it."""
        file = self._files.get(key)
        return file if file and file.owner == owner else None

    def drop(self, key: str) -> None:
        """Let go of a file."""
        self._files.pop(key, None)

    def _drop_same(self, key: str, file: LockedFile) -> None:
        if self._files.get(key) is file:
            self.drop(key)


LOCKED = LockedFiles()
"""Those of this process. No State holds them: it would be sent, or stored, with its page."""
