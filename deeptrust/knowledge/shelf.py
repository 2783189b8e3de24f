"""The libraries of all users, over one pool of stores."""

from deeptrust.documents.reader import FileReader
from deeptrust.embedding.base import Embedder
from deeptrust.knowledge.allowance import Allowance
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool


class Shelf:
    """Hands each user the library that is theirs."""

    def __init__(
        self, pool: StorePool, embedder: Embedder, reader: FileReader, allowance: Allowance | None = None
    ) -> None:
        self.pool = pool
        self._embedder = embedder
        self._reader = reader
        self._allowance = allowance

    def library(self, owner: str) -> Library:
        """Return the documents of `owner`."""
        return Library(self.pool, owner, self._embedder, self._reader, self._allowance)

    async def forget(self, owner: str, *, for_good: bool = False) -> None:
        """Delete every document of `owner`, and the files that held them; see `StorePool.forget`."""
        await self.pool.forget(owner, for_good=for_good)
