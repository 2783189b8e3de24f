import asyncio
import uuid

import pytest

from deeptrust.documents.reader import FileReader
from deeptrust.domain.document import DocumentKind, IngestProgress, IngestStage, IngestStatus
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import BadDocument, NotFound, Stopped
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool

BOOK = ("The lighthouse keeper wrote a letter to his sister about the storm. " * 1500).encode()


async def test_a_file_can_be_found_read_and_removed(library: Library):
    outcome = await library.add_file(b"# Tea\n\nGreen tea is steeped at 75 degrees.", "tea.md")
    assert outcome.status is IngestStatus.ADDED
    document = outcome.document
    assert document is not None
    assert (document.kind, document.label, document.passage_count) == (DocumentKind.MARKDOWN, "tea.md", 1)
    found = (await library.retrieve("How hot is green tea steeped?", limit=3)).passages[0].passage
    page = await library.page(document.id, found.page)
    assert found.text == page.text[found.start : found.end]
    assert (found.section, found.title) == ("Tea", "tea.md")
    assert await library.passage(found.id) == found
    await library.remove(document.id)
    assert await library.documents() == []
    for lost in (library.passage(found.id), library.page(document.id, 1), library.remove(document.id)):
        with pytest.raises(NotFound):
            await lost


async def test_every_passage_is_a_stretch_of_its_page(library: Library):
    text = "Ein Absatz über Wäscheleinen 👩‍👩‍👧 und Zahlen. " * 60 + "\n\n" + "東京の人口は多い。" * 80
    await library.add_file(text.encode(), "mixed.txt")
    retrieval = await library.retrieve("Wäscheleinen 人口", limit=50)
    assert len(retrieval.passages) == retrieval.passage_count
    for scored in retrieval.passages:
        page = await library.page(scored.passage.document_id, scored.passage.page)
        assert scored.passage.text == page.text[scored.passage.start : scored.passage.end]


async def test_a_note_is_named_by_its_first_words_and_an_empty_one_refused(library: Library):
    outcome = await library.add_note("The code is 7431.\n\n" + "More words follow here. " * 10)
    assert outcome.document is not None
    assert outcome.document.kind is DocumentKind.NOTE
    assert outcome.document.label.startswith("The code is 7431.")
    assert len(outcome.document.label) <= 60
    with pytest.raises(BadDocument, match="empty"):
        await library.add_note(" \n ")


async def test_an_address_is_a_reference_and_nothing_is_fetched(library: Library):
    outcome = await library.add_url(" https://example.org/lighthouse?id=1 ")
    assert outcome.document is not None
    assert outcome.document.url == "https://example.org/lighthouse?id=1"
    best = (await library.retrieve("lighthouse", limit=1)).passages[0].passage
    assert best.text == "URL: https://example.org/lighthouse?id=1"
    assert best.url == outcome.document.url


@pytest.mark.parametrize(
    "address",
    ["", "example.org", "ftp://example.org", "javascript:alert(1)", "https://", "http://a b.org", "http://[::1",
     "https://me:secret@example.org", "https://example.org/" + "a" * 3000, "https://example.org:99999999/"],
)  # fmt: skip
async def test_what_is_no_address_is_refused(library: Library, address: str):
    with pytest.raises(BadDocument):
        await library.add_url(address)


async def test_collections_do_not_see_each_other(library: Library):
    await library.add_note("Apples are red.", collection="one")
    assert (await library.retrieve("apples", collection="two", limit=5)).passages == ()
    assert (await library.add_note("Apples are red.", collection="two")).status is IngestStatus.ADDED


async def test_an_owner_that_is_no_uuid_never_becomes_a_path(pool: StorePool):
    for owner in ("", "..", "../../etc", "user", uuid.uuid4().hex + "/x"):
        with pytest.raises(NotFound):
            Library(pool, owner, HashingEmbedder(), FileReader())


async def test_ret_18_an_empty_store_gives_no_passage(library: Library):
    retrieval = await library.retrieve("Who won the 1998 final?", limit=8)
    assert (retrieval.passages, retrieval.document_count, retrieval.passage_count) == ((), 0, 0)


async def test_ing_10_a_bad_file_does_not_stop_the_others(library: Library):
    files = [f"Text number {number}.".encode() for number in range(10)]
    files[3] = b"Bad \xed\xa0\x80 surrogate."
    outcomes = [await library.add_file(data, f"{number}.txt") for number, data in enumerate(files)]
    assert [outcome.name for outcome in outcomes] == [f"{number}.txt" for number in range(10)]
    assert sum(outcome.status is IngestStatus.ADDED for outcome in outcomes) >= 9


async def test_ing_19_identity_is_the_hash_of_all_bytes(library: Library):
    start = b"The same beginning of two files. " * 40
    first = await library.add_file(start + b"One.", "a.txt")
    second = await library.add_file(start + b"Two.", "b.txt")
    again = await library.add_file(start + b"One.", "renamed.txt")
    assert (first.status, second.status) == (IngestStatus.ADDED, IngestStatus.ADDED)
    assert (again.status, again.document) == (IngestStatus.DUPLICATE, first.document)
    empties = [await library.add_file(blank, "blank.txt") for blank in (b" \n", b"\n\n ")]
    assert [outcome.status for outcome in empties] == [IngestStatus.NO_TEXT] * 2
    assert len(await library.documents()) == 2


async def test_ing_20_uploads_of_one_name_at_one_moment_are_all_kept(library: Library):
    files = [f"Report number {number} about topic{number}x.".encode() for number in range(20)]
    outcomes = await asyncio.gather(*(library.add_file(data, "report.txt") for data in files))
    ids = {outcome.document.id for outcome in outcomes if outcome.document}
    assert len(ids) == 20
    for number, outcome in enumerate(outcomes):
        assert outcome.document is not None
        assert (await library.page(outcome.document.id, 1)).text == files[number].decode()


async def test_the_same_bytes_at_one_moment_make_one_document(library: Library):
    outcomes = await asyncio.gather(*(library.add_file(b"One text.", "a.txt") for _ in range(8)))
    assert sorted(outcome.status for outcome in outcomes) == [IngestStatus.ADDED] + [IngestStatus.DUPLICATE] * 7
    assert len(await library.documents()) == 1


async def test_ing_29_a_book_is_embedded_in_batches_with_progress(pool: StorePool):
    sizes: list[int] = []

    class Counting(HashingEmbedder):
        async def embed(self, texts):
            sizes.append(len(texts))
            return await super().embed(texts)

    seen: list[IngestProgress] = []
    library = Library(pool, uuid.uuid4().hex, Counting(), FileReader())
    outcome = await library.add_file(BOOK, "book.txt", on_progress=seen.append)
    assert outcome.document is not None
    assert max(sizes) <= 32
    assert sum(sizes) == outcome.document.passage_count > 200
    embedding = [progress.done for progress in seen if progress.stage is IngestStage.EMBEDDING]
    assert embedding == sorted(embedding)
    assert embedding[-1] == outcome.document.passage_count


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
async def test_ing_37_a_document_removed_on_its_way_in_stays_out(pool: StorePool, library: Library, share: float):
    removed = asyncio.Event()
    tasks: set[asyncio.Task[None]] = set()

    def remove_at(progress: IngestProgress) -> None:
        if progress.stage is IngestStage.EMBEDDING and progress.done >= share * progress.total and not tasks:
            tasks.add(asyncio.create_task(library.remove(progress.document_id)))
            removed.set()

    with pytest.raises(Stopped):
        await library.add_file(BOOK, "book.txt", on_progress=remove_at)
    await asyncio.gather(*tasks)
    assert removed.is_set()
    await assert_nothing_is_stored(pool, library)
    await pool.close()
    await assert_nothing_is_stored(pool, library)


async def test_ing_37_a_cancelled_intake_leaves_nothing(pool: StorePool, library: Library):
    begun = asyncio.Event()
    task = asyncio.create_task(library.add_file(BOOK, "book.txt", on_progress=lambda _: begun.set()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await pool.close()
    await assert_nothing_is_stored(pool, library)


async def test_a_commit_under_way_when_the_task_is_cancelled_is_whole_or_not_at_all(pool: StorePool, library: Library):
    tasks: list[asyncio.Task[object]] = []

    def cancel_at_storing(progress: IngestProgress) -> None:
        if progress.stage is IngestStage.STORING:
            asyncio.get_running_loop().call_soon(tasks[0].cancel)

    tasks.append(asyncio.create_task(library.add_file(BOOK, "book.txt", on_progress=cancel_at_storing)))
    with pytest.raises(asyncio.CancelledError):
        await tasks[0]
    await pool.close()
    for document in await library.documents():
        assert document.passage_count > 200


async def assert_nothing_is_stored(pool: StorePool, library: Library) -> None:
    assert await library.documents() == []
    async with pool.lease(uuid.UUID(int=7).hex) as store:
        for table in ("documents", "pages", "passages", "postings"):
            query = f"SELECT count(*) FROM {table}"
            assert await store.read(lambda cursor, query=query: cursor.execute(query).fetchall()) == [(0,)]
