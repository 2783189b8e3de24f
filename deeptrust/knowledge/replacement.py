"""A collection exchanged as a whole: a job's prep pack is one (H15)."""

import uuid
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from deeptrust.documents.base import DocumentReader
from deeptrust.domain.document import Document, ReadStatus
from deeptrust.domain.study import PackDocument
from deeptrust.embedding.base import Embedder
from deeptrust.errors import BadDocument
from deeptrust.knowledge import catalogue
from deeptrust.knowledge.catalogue import NewDocument
from deeptrust.knowledge.chunking import PACK
from deeptrust.knowledge.ingest import Ingest, Source, digest
from deeptrust.knowledge.intake import Intake
from deeptrust.knowledge.pool import StorePool


@dataclass(frozen=True, slots=True)
class Replacement:
    """Puts new documents in the place of all that `collection` holds."""

    pool: StorePool
    owner: str
    embedder: Embedder
    reader: DocumentReader
    collection: str

    async def make(self, documents: Sequence[PackDocument]) -> list[Document]:
        """See `Library.replace`."""
        # The title is part of the hash, for two documents of a pack may have the same text.
        wanted = {digest(f"{document.title}\n{document.markdown}".encode()): document for document in documents}
        if not await self._is_current(set(wanted)):
            await self._exchange(wanted)
        async with self.pool.lease(self.owner) as store:
            return await store.read(lambda cursor: catalogue.list_documents(cursor, self.collection))

    async def _is_current(self, wanted: set[str]) -> bool:
        fingerprint = await self.embedder.identify()
        async with self.pool.lease(self.owner) as store:
            present = await store.read(lambda cursor: catalogue.list_documents(cursor, self.collection))
            stale = await store.read(lambda cursor: catalogue.list_stale(cursor, self.collection, fingerprint))
        return not stale and {document.sha256 for document in present} == wanted

    async def _exchange(self, wanted: dict[str, PackDocument]) -> None:
        with ExitStack() as stack:
            begun = [
                (stack.enter_context(self.pool.intakes.begin(self.owner, uuid.uuid4().hex)), sha256, document)
                for sha256, document in wanted.items()
            ]
            prepared = [await self._prepare(intake, sha256, document) for intake, sha256, document in begun]
            new = [document for document in prepared if document]
            async with self.pool.lease(self.owner) as store:
                await store.replace(self.collection, new, lambda: all(intake.is_wanted for intake, _, _ in begun))

    async def _prepare(self, intake: Intake, sha256: str, document: PackDocument) -> NewDocument | None:
        reading = await self.reader.read(document.markdown.encode(), document.name)
        if reading.status is ReadStatus.FAILED:
            raise BadDocument(f"“{document.title}” cannot be read. {reading.reason or ''}".strip())
        if reading.status is not ReadStatus.OK:
            return None
        source = Source(self.owner, self.collection, document.title, sha256)
        return await Ingest(self.pool, self.embedder, intake, source, profile=PACK).prepare(reading)
