"""A collection exchanged as a whole, as a job's prep pack is."""

import asyncio

import pytest

from deeptrust.domain.document import WORKSPACE
from deeptrust.domain.study import PackDocument
from deeptrust.embedding.base import Vectors
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import ModelUnavailable
from deeptrust.knowledge.chunking import PACK
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from tests.knowledge.conftest import OWNER


def pack(*texts: str) -> list[PackDocument]:
    return [
        PackDocument(name=f"{number}.md", title=f"Part {number}", markdown=f"# Part {number}\n\n{text}")
        for number, text in enumerate(texts, start=1)
    ]


async def passage_ids(library: Library, question: str, collection: str = "job-1") -> list[str]:
    retrieval = await library.retrieve(question, collection=collection, limit=20)
    return [found.passage.id for found in retrieval.passages]


async def test_h15_a_second_time_changes_nothing(library: Library):
    documents = pack("The ATS is Workday.", "Learn SQL first.")
    first = await library.replace("job-1", documents)
    ids = await passage_ids(library, "Workday SQL")
    assert await library.replace("job-1", documents) == first
    assert await passage_ids(library, "Workday SQL") == ids
    assert [document.label for document in first] == ["Part 1", "Part 2"]


async def test_h15_a_changed_pack_leaves_nothing_of_the_old_one(library: Library):
    await library.replace("job-1", pack("The ATS is Workday.", "Learn SQL first.", "Bring a portfolio."))
    await library.replace("job-1", pack("The ATS is Greenhouse.", "Learn SQL first."))
    found = await library.retrieve("ATS Workday portfolio", collection="job-1", limit=20)
    assert (found.document_count, found.passage_count) == (2, 2)
    assert not any("Workday" in one.passage.text or "portfolio" in one.passage.text for one in found.passages)
    assert await library.missing() == []


async def test_other_collections_are_not_touched(library: Library):
    await library.add_note("Workday is a note of mine.")
    await library.replace("job-1", pack("The ATS is Workday."))
    await library.replace("job-2", pack("The ATS is Workday."))
    await library.replace("job-1", [])
    assert await library.documents("job-1") == []
    assert len(await library.documents("job-2")) == len(await library.documents(WORKSPACE)) == 1


async def test_two_documents_may_have_the_same_text(library: Library):
    same = [PackDocument(name=f"{title}.md", title=title, markdown="Not stated.") for title in ("One", "Two")]
    assert len(await library.replace("job-1", same)) == 2


async def test_k04_passages_have_the_size_of_the_pack_profile(library: Library):
    await library.replace("job-1", pack("Nine words stand in this sentence, give or take. " * 60))
    found = await library.retrieve("words sentence", collection="job-1", limit=20)
    lengths = [len(one.passage.text) for one in found.passages]
    assert 500 < max(lengths) <= PACK.characters


class _FailingEmbedder(HashingEmbedder):
    async def embed(self, texts: object) -> Vectors:
        raise ModelUnavailable("The embedding model is missing. Run `make setup` to bring it back.")


async def test_a_failure_leaves_the_old_pack(library: Library, pool: StorePool):
    await library.replace("job-1", pack("The ATS is Workday."))
    failing = Library(pool, OWNER, _FailingEmbedder(), library._reader)  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(ModelUnavailable):
        await failing.replace("job-1", pack("The ATS is Greenhouse."))
    assert len(await passage_ids(library, "Workday")) == 1


async def test_two_at_once_leave_one_whole_pack(library: Library):
    one, two = pack("The ATS is Workday.", "Learn SQL."), pack("The ATS is Greenhouse.", "Learn Rust.", "Sleep.")
    await asyncio.gather(library.replace("job-1", one), library.replace("job-1", two))
    assert len(await library.documents("job-1")) in (2, 3)
