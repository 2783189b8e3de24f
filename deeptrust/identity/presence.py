"""Connections that stand open, and by what secret they came in: they end at once when it is worth nothing any more."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager


class Presences:
    """Streams, uploads and websockets under way, by the digest of the cookie or token that let them in."""

    def __init__(self) -> None:
        self._open: dict[str, set[asyncio.Event]] = {}

    @contextmanager
    def stay(self, digest: str) -> Generator[asyncio.Event]:
        """Be present within the block; the event is set once that secret was revoked."""
        ended = asyncio.Event()
        present = self._open.setdefault(digest, set())
        present.add(ended)
        try:
            yield ended
        finally:
            present.discard(ended)
            if not present and self._open.get(digest) is present:
                del self._open[digest]

    def end(self, digest: str) -> None:
        """Send everybody away who came in by that secret."""
        for ended in self._open.pop(digest, set()):
            ended.set()
