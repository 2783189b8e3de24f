"""The document reader seam: bytes to pages of clean text."""

from collections.abc import Callable
from typing import Protocol

from deeptrust.domain.document import Reading

OnPage = Callable[[int, int], None]
"""Called on the event loop with (pages read so far, pages in all)."""


class DocumentReader(Protocol):
    """Reads one kind of file. Never raises for a bad file: the outcome is a `Reading` with a reason."""

    async def read(self, data: bytes, name: str, password: str | None = None, on_page: OnPage | None = None) -> Reading:
        """Turn bytes into pages, off the event loop. `name` is data for messages, never a path.

        A reading that is `ok` has a `reason` only if some of it could not be read, or may have been read wrongly.
        """
        ...
