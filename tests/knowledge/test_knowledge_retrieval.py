import uuid

import numpy as np
import pytest

from deeptrust.documents.reader import FileReader
from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.errors import NotFound, StoreUnavailable
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.knowledge.retrieval import FOREIGN_SCRIPT_WEIGHT, LATIN_SCRIPT_WEIGHT, cosine_weight
from tests.knowledge.conftest import OWNER


class OtherEmbedder(HashingEmbedder):
    """Same width, other space: every vector mirrored."""

    name = "other"
    fingerprint = "other:1"

    async def embed(self, texts) -> Vectors:
        return -(await super().embed(texts))


class BrokenEmbedder(HashingEmbedder):
    def __init__(self, vector: Vectors):
        self._vector = vector

    async def embed(self, texts) -> Vectors:
        return np.stack([self._vector for _ in texts])


async def fill(library: Library) -> None:
    await library.add_note("Cats purr when they are content.")
    await library.add_note("The bridge was painted green in 1998.")
    await library.add_note("Rates rose by 25 basis points.")


async def test_the_best_passage_comes_first_with_both_scores(library: Library):
    await fill(library)
    retrieval = await library.retrieve("When was the bridge painted?", limit=2)
    best, second = retrieval.passages
    assert "bridge" in best.passage.text
    assert best.score > second.score
    assert best.cosine > 0.2
    assert best.lexical > second.lexical >= 0
    assert (retrieval.document_count, retrieval.passage_count, retrieval.embedder) == (3, 3, "hashing")


async def test_ret_03_vectors_of_two_embedders_are_never_compared(pool: StorePool, library: Library):
    await fill(library)
    other = Library(pool, OWNER, OtherEmbedder(), FileReader())
    await other.add_note("Dogs bark when they are alone.")
    retrieval = await library.retrieve("When do dogs bark?", limit=4)
    assert retrieval.stale_count == 1
    found = {scored.passage.text: scored for scored in retrieval.passages}
    assert found["Dogs bark when they are alone."].cosine == 0
    assert found["Dogs bark when they are alone."].lexical > 0


async def test_ret_01_after_a_switch_of_the_embedder_a_reindex_makes_all_comparable(pool: StorePool, library: Library):
    await fill(library)
    other = Library(pool, OWNER, OtherEmbedder(), FileReader())
    assert (await other.retrieve("cats", limit=1)).stale_count == 3
    assert (await library.retrieve("cats", limit=1)).stale_count == 0  # readable with the old one until then
    assert await other.reindex() == 3
    assert (await other.retrieve("cats", limit=1)).stale_count == 0
    assert await other.reindex() == 0


@pytest.mark.models
@pytest.mark.parametrize(
    ("filler", "mention", "question"),
    [
        ("The river was calm and the boats lay still in the harbour. ", "The zebrafish was found in a tank.",
         "Where was the zebrafish found?"),
        ("Der Fluss war ruhig und die Boote lagen still im Hafen. ", "Der Zebrafisch lebte im Becken.",
         "Wo lebte der Zebrafisch?"),
        ("كان النهر هادئا والقوارب ساكنة في الميناء طوال اليوم. ", "عثر على سمكة الزرد في الحوض.", "أين سمكة الزرد؟"),
    ],
)  # fmt: skip
async def test_ret_04_the_end_of_a_long_passage_is_found_first(
    pool: StorePool, filler: str, mention: str, question: str
):
    embedder = MiniLmEmbedder()
    library = Library(pool, uuid.uuid4().hex, embedder, FileReader())
    await library.add_note((filler * 30)[: 900 - len(mention)] + " " + mention)
    await library.add_note(filler * 10 + "One more line.")
    retrieval = await library.retrieve(question, limit=5)
    assert mention.split()[-1] in retrieval.passages[0].passage.text
    lengths = embedder.count_tokens([scored.passage.text for scored in retrieval.passages])
    assert max(lengths) <= embedder.max_tokens
    await embedder.close()


async def test_ret_06_words_of_a_script_without_spaces_are_found(library: Library):
    await fill(library)
    await library.add_note("東京の人口は多い")
    assert (await library.retrieve("人口", limit=1)).passages[0].passage.text == "東京の人口は多い"


async def test_ret_07_a_removed_document_answers_nothing_also_after_a_restart(pool: StorePool, library: Library):
    outcome = await library.add_note("The code is 7431.")
    assert outcome.document is not None
    await library.remove(outcome.document.id)
    assert (await library.retrieve("What is the code?", limit=8)).passages == ()
    await pool.close()
    assert (await library.retrieve("What is the code?", limit=8)).passages == ()
    with pytest.raises(NotFound):
        await library.passage(f"{outcome.document.id}-1")


@pytest.mark.parametrize("bad", [np.nan, 0.0, np.inf, 2.0])
async def test_ret_09_an_unusable_vector_is_refused_before_it_is_stored(pool: StorePool, library: Library, bad: float):
    await fill(library)
    before = await library.retrieve("Do cats purr?", limit=3)
    vector = np.full(DIMENSIONS, bad, np.float32)
    broken = Library(pool, OWNER, BrokenEmbedder(vector), FileReader())
    with pytest.raises(StoreUnavailable, match="nothing was stored"):
        await broken.add_note("Poison.")
    assert await library.retrieve("Do cats purr?", limit=3) == before


async def test_ret_10_a_vector_of_the_wrong_width_is_refused(pool: StorePool, library: Library):
    await fill(library)
    broken = Library(pool, OWNER, BrokenEmbedder(np.ones(DIMENSIONS - 1, np.float32)), FileReader())
    with pytest.raises(StoreUnavailable, match="nothing was stored"):
        await broken.add_note("Poison.")
    assert len((await library.retrieve("Do cats purr?", limit=8)).passages) == 3


async def test_ret_12_empty_text_is_never_stored(library: Library):
    await library.add_file(b"", "empty.txt")
    await library.add_note("Cats purr.")
    retrieval = await library.retrieve("What do cats do?", limit=8)
    assert [scored.passage.text for scored in retrieval.passages] == ["Cats purr."]


@pytest.mark.parametrize("text", ["x') OR 1=1 --", "'; DROP TABLE passages; --", "read_text('/etc/hostname')"])
async def test_ret_13_text_never_becomes_sql(pool: StorePool, library: Library, text: str):
    await fill(library)
    stranger = Library(pool, uuid.uuid4().hex, HashingEmbedder(), FileReader())
    assert (await stranger.retrieve(text, collection=text, limit=8)).passages == ()
    outcome = await library.add_note(text, label=text, collection=text)
    assert outcome.document is not None
    assert outcome.document.label == text
    assert len((await library.retrieve(text, collection=text, limit=8)).passages) == 1
    for id_ in (text, f"{text}-1"):
        with pytest.raises(NotFound):
            await library.passage(id_)
    assert len((await library.retrieve("cats", limit=8)).passages) == 3


async def test_ret_21_counts_come_from_the_rows(pool: StorePool, library: Library):
    outcome = await library.add_note("Cats purr.")
    assert outcome.document is not None
    async with pool.lease(OWNER) as store:
        await store.write(lambda cursor: cursor.execute("DELETE FROM passages") and None)
    assert [document.passage_count for document in await library.documents()] == [0]
    assert (await library.retrieve("cats", limit=1)).passage_count == 0


@pytest.mark.parametrize(
    ("question", "weight"),
    [
        ("Wie viele Punkte?", LATIN_SCRIPT_WEIGHT),
        ("كم نقطة؟", FOREIGN_SCRIPT_WEIGHT),
        ("黑豹队的防守丢了多少分？", FOREIGN_SCRIPT_WEIGHT),
        ("", LATIN_SCRIPT_WEIGHT),
        ("1998?", LATIN_SCRIPT_WEIGHT),
    ],
)
def test_the_cosine_list_counts_little_for_scripts_the_model_does_not_know(question: str, weight: float):
    assert cosine_weight(question) == weight
