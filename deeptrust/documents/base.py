"""The document reader seam: bytes to pages of clean text."""

from typing import Protocol

from deeptrust.domain.document import Reading


class DocumentReader(Protocol):
    """Reads one kind of file. Never raises for a bad file: the outcome is a `Reading` with a reason."""

    async def read(self, data: bytes, name: str, password: str | None = None) -> Reading:
        """Turn bytes into pages, off the event loop. `name` is data for messages, never a path."""
        ...
