"""One person's documents: the face of this room, used by every door."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from deeptrust.documents.base import DocumentReader
from deeptrust.documents.names import shown_name
from deeptrust.documents.note import read_note
from deeptrust.domain.document import (
    WORKSPACE,
    Document,
    DocumentKind,
    IngestOutcome,
    IngestStage,
    Page,
    Passage,
    Reading,
    ReadStatus,
    Retrieval,
)
from deeptrust.domain.study import PackDocument
from deeptrust.embedding.base import Embedder, Vectors
from deeptrust.errors import BadDocument
from deeptrust.knowledge import catalogue
from deeptrust.knowledge.address import check_address
from deeptrust.knowledge.allowance import Allowance
from deeptrust.knowledge.ingest import BATCH, Ingest, OnProgress, Source, digest
from deeptrust.knowledge.pool import StorePool, parse_owner
from deeptrust.knowledge.replacement import Replacement
from deeptrust.knowledge.retrieval import Query, search
from deeptrust.language.clean import fold_space

_NOTE_LABEL_CHARACTERS = 60


class Library:
    """Everything that the user `owner` may do with documents. It holds no connection: make one at will."""

    def __init__(
        self,
        pool: StorePool,
        owner: str,
        embedder: Embedder,
        reader: DocumentReader,
        allowance: Allowance | None = None,
    ) -> None:
        """Bind the parts to a user, who may keep anything unless there is an `allowance`.

        Raises:
            NotFound: `owner` is not a UUID.
        """
        self._pool = pool
        self._owner = parse_owner(owner)
        self._embedder = embedder
        self._reader = reader
        self._allowance = allowance

    async def add_file(
        self,
        data: bytes,
        name: str,
        *,
        collection: str = WORKSPACE,
        password: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> IngestOutcome:
        """Take in a file; whatever is wrong with it is told in the outcome, so that a batch goes on (ING-10).

        Cancelling the awaiting task stops between two batches of passages and leaves nothing behind.

        Raises:
            Stopped: the document was removed by its id while it came in.
            BadDocument: the library is full.
            ModelUnavailable, StoreUnavailable: no file could be taken in now.
        """
        sha256 = await asyncio.to_thread(digest, data)
        async with self._begin(Source(self._owner, collection, shown_name(name), sha256), on_progress) as ingest:
            if same := await ingest.find_same():
                return same
            reading = await self._reader.read(
                data, name, password, lambda done, total: ingest.report(IngestStage.READING, done, total)
            )
            return await ingest.store_reading(reading)

    async def add_note(self, text: str, label: str | None = None, *, collection: str = WORKSPACE) -> IngestOutcome:
        """Take in a typed note; without a label it is called by its first words.

        Raises:
            BadDocument: the note is empty, or the library is full.
            ModelUnavailable, StoreUnavailable: nothing was stored.
        """
        reading = read_note(text)
        if reading.status is not ReadStatus.OK:
            raise BadDocument("The note is empty. Write something and add it again.")
        name = fold_space(label or "") or reading.title or fold_space(reading.pages[0].text)
        source = Source(self._owner, collection, _shorten(name), digest(reading.pages[0].text.encode()))
        return await self._add(source, reading)

    async def add_url(self, url: str, *, collection: str = WORKSPACE) -> IngestOutcome:
        """Keep an address as a reference with the one passage "URL: …"; nothing is fetched (D46).

        Raises:
            BadDocument: it is not an http or https address, or the library is full.
            ModelUnavailable, StoreUnavailable: nothing was stored.
        """
        address = check_address(url)
        page = Page(number=1, text=f"URL: {address}")
        reading = Reading(status=ReadStatus.OK, kind=DocumentKind.URL, pages=(page,))
        return await self._add(Source(self._owner, collection, address, digest(address.encode()), address), reading)

    async def documents(self, collection: str = WORKSPACE) -> list[Document]:
        """The documents of a collection, oldest first."""
        async with self._pool.lease(self._owner) as store:
            return await store.read(lambda cursor: catalogue.list_documents(cursor, collection))

    async def replace(self, collection: str, documents: Sequence[PackDocument]) -> list[Document]:
        """Make a collection hold exactly these documents, in one transaction; blank ones are left out.

        Where nothing has changed, nothing is done and the ids of passages stay.

        Raises:
            BadDocument: one of them cannot be read; nothing was changed.
            ModelUnavailable, StoreUnavailable: nothing was changed.
        """
        return await Replacement(self._pool, self._owner, self._embedder, self._reader, collection).make(documents)

    async def remove(self, document_id: str) -> None:
        """Remove a document and everything of it, also one that is still coming in.

        Raises:
            NotFound: there is none of that id.
        """
        if not self._pool.intakes.cancel(self._owner, document_id):
            async with self._pool.lease(self._owner) as store:
                await store.remove(document_id)

    async def page(self, document_id: str, number: int) -> Page:
        """A page of a document.

        Raises:
            NotFound: no such document or page.
        """
        async with self._pool.lease(self._owner) as store:
            return await store.read(lambda cursor: catalogue.find_page(cursor, document_id, number))

    async def passage(self, passage_id: str) -> Passage:
        """A passage by id.

        Raises:
            NotFound: there is none of that id.
        """
        async with self._pool.lease(self._owner) as store:
            return await store.read(lambda cursor: catalogue.find_passage(cursor, passage_id))

    async def retrieve(self, question: str, *, collection: str = WORKSPACE, limit: int) -> Retrieval:
        """The `limit` best passages for a question, best first; none from an empty collection.

        Raises:
            ModelUnavailable, StoreUnavailable: nothing can be searched.
        """
        vector = await self._embedder.embed_question(question)
        query = Query(question, vector, self._embedder.fingerprint, self._embedder.name, collection, limit)
        async with self._pool.lease(self._owner) as store:
            return await store.read(lambda cursor: search(cursor, query))

    async def reindex(self, collection: str = WORKSPACE) -> int:
        """Embed anew what another embedder embedded; returns the number of passages. May be stopped and repeated.

        Raises:
            ModelUnavailable, StoreUnavailable: what was done so far stands.
        """
        fingerprint = await self._embedder.identify()
        async with self._pool.lease(self._owner) as store:
            stale = await store.read(lambda cursor: catalogue.list_stale(cursor, collection, fingerprint))
        for start in range(0, len(stale), BATCH):
            ids, texts = zip(*stale[start : start + BATCH], strict=True)
            vectors = await self._embedder.embed(texts)
            await self._replace(ids, vectors)
        return len(stale)

    async def missing(self) -> list[str]:
        """Labels of documents that were stored once and that a crash has taken from the file (STO-06)."""
        async with self._pool.lease(self._owner) as store:
            return store.missing

    async def accept_missing(self) -> None:
        """Do not tell of the missing documents again."""
        async with self._pool.lease(self._owner) as store:
            await store.accept_missing()

    async def _add(self, source: Source, reading: Reading) -> IngestOutcome:
        async with self._begin(source, None) as ingest:
            return await ingest.find_same() or await ingest.store_reading(reading)

    async def _replace(self, ids: tuple[str, ...], vectors: Vectors) -> None:
        async with self._pool.lease(self._owner) as store:
            await store.write(
                lambda cursor: catalogue.replace_vectors(cursor, ids, vectors, self._embedder.fingerprint)
            )

    @asynccontextmanager
    async def _begin(self, source: Source, on_progress: OnProgress | None) -> AsyncGenerator[Ingest, None]:
        if self._allowance:
            kept = len(await self.documents(source.collection)) + self._pool.intakes.count(self._owner)
            self._allowance.check(kept, self._pool.size_bytes(self._owner))
        with self._pool.intakes.begin(self._owner, uuid.uuid4().hex) as intake:
            yield Ingest(self._pool, self._embedder, intake, source, on_progress)


def _shorten(name: str) -> str:
    return name if len(name) <= _NOTE_LABEL_CHARACTERS else name[: _NOTE_LABEL_CHARACTERS - 1].rstrip() + "…"
