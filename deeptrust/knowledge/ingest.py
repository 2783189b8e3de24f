"""The way of a document into the store: read, chunk, embed batch by batch, store in one transaction."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deeptrust.domain.document import (
    Document,
    DocumentKind,
    IngestOutcome,
    IngestProgress,
    IngestStage,
    IngestStatus,
    Reading,
    ReadStatus,
)
from deeptrust.embedding.base import Embedder, Vectors
from deeptrust.errors import BadDocument, ModelUnavailable
from deeptrust.knowledge import catalogue
from deeptrust.knowledge.catalogue import NewDocument
from deeptrust.knowledge.chunking import KNOWLEDGE, Chunk, ChunkProfile, split_pages
from deeptrust.knowledge.intake import Intake
from deeptrust.knowledge.pool import StorePool

BATCH = 32
"""Passages embedded between two looks at Stop: about half a second of one core."""

OnProgress = Callable[[IngestProgress], None]

_FAILURES = {
    ReadStatus.NO_TEXT: IngestStatus.NO_TEXT,
    ReadStatus.NEEDS_PASSWORD: IngestStatus.NEEDS_PASSWORD,
    ReadStatus.FAILED: IngestStatus.FAILED,
}


@dataclass(frozen=True, slots=True)
class Source:
    """What is being taken in: where it goes and what it is called."""

    owner: str
    collection: str
    label: str
    sha256: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Ingest:
    """Takes in one document at a time for a `Library`; `on_progress` is called on the event loop."""

    pool: StorePool
    embedder: Embedder
    intake: Intake
    source: Source
    on_progress: OnProgress | None = None
    profile: ChunkProfile = KNOWLEDGE

    async def find_same(self) -> IngestOutcome | None:
        """The outcome `duplicate` if the collection has these bytes already: nothing need be read then."""
        async with self.pool.lease(self.source.owner) as store:
            document = await store.read(
                lambda cursor: catalogue.find_same(cursor, self.source.collection, self.source.sha256)
            )
        return None if document is None else self._outcome(IngestStatus.DUPLICATE, document)

    async def store_reading(self, reading: Reading) -> IngestOutcome:
        """Chunk, embed and store what was read. A document without text leaves nothing behind.

        Raises:
            Stopped: it was removed meanwhile; nothing was stored.
            ModelUnavailable, StoreUnavailable: nothing was stored.
        """
        self.intake.check()
        if reading.status is not ReadStatus.OK:
            return self._outcome(_FAILURES[reading.status], reason=reading.reason)
        try:
            new = await self.prepare(reading)
        except BadDocument as refusal:
            return self._outcome(IngestStatus.FAILED, reason=str(refusal))
        if new is None:
            return self._outcome(IngestStatus.NO_TEXT, reason="There is no text in this document.")
        return await self._commit(new, reading.reason)

    async def prepare(self, reading: Reading) -> NewDocument | None:
        """Chunk and embed what was read, and store nothing; None where there is no text.

        Raises:
            BadDocument: a passage does not fit the embedder.
            Stopped: it was removed meanwhile.
            ModelUnavailable: the embedder fails, or is not the same at the end.
        """
        chunks = await asyncio.to_thread(self._split, reading)
        if not chunks:
            return None
        fingerprint = await self.embedder.identify()
        vectors = await self._embed(chunks)
        if self.embedder.fingerprint != fingerprint:
            raise ModelUnavailable(
                f"{self.embedder.name} was replaced by another version while it embedded. Add the document again."
            )
        return NewDocument(
            id=self.intake.document_id,
            collection=self.source.collection,
            kind=DocumentKind.URL if self.source.url else reading.kind,
            label=self.source.label,
            url=self.source.url,
            sha256=self.source.sha256,
            pages=reading.pages,
            chunks=tuple(chunks),
            vectors=vectors,
            fingerprint=fingerprint,
        )

    def report(self, stage: IngestStage, done: int, total: int) -> None:
        """Tell the listener, if there is one."""
        if self.on_progress:
            progress = IngestProgress(
                document_id=self.intake.document_id, name=self.source.label, stage=stage, done=done, total=total
            )
            self.on_progress(progress)

    def _split(self, reading: Reading) -> list[Chunk]:
        return list(
            split_pages(
                reading.pages,
                reading.kind,
                profile=self.profile,
                max_tokens=self.embedder.max_tokens,
                count_tokens=self.embedder.count_tokens,
            )
        )

    async def _embed(self, chunks: list[Chunk]) -> Vectors:
        batches: list[Vectors] = []
        for start in range(0, len(chunks), BATCH):
            self.intake.check()
            self.report(IngestStage.EMBEDDING, start, len(chunks))
            batches.append(await self.embedder.embed([chunk.text for chunk in chunks[start : start + BATCH]]))
        self.report(IngestStage.EMBEDDING, len(chunks), len(chunks))
        return np.concatenate(batches)

    async def _commit(self, new: NewDocument, remark: str | None) -> IngestOutcome:
        self.report(IngestStage.STORING, 0, 1)
        async with self.pool.lease(self.source.owner) as store:
            is_new = await store.add(new, lambda: self.intake.is_wanted)
            document = await store.read(lambda cursor: catalogue.find_same(cursor, new.collection, new.sha256))
        self.report(IngestStage.STORING, 1, 1)
        return self._outcome(IngestStatus.ADDED if is_new else IngestStatus.DUPLICATE, document, remark)

    def _outcome(
        self, status: IngestStatus, document: Document | None = None, reason: str | None = None
    ) -> IngestOutcome:
        return IngestOutcome(name=self.source.label, status=status, document=document, reason=reason)


def digest(data: bytes) -> str:
    """The identity of a document within a collection: the hash of all its bytes (ING-19)."""
    return hashlib.sha256(data).hexdigest()
