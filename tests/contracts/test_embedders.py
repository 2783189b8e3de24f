"""One suite for every embedder."""

from collections.abc import AsyncIterator

import numpy as np
import pytest

from deeptrust.embedding.base import DIMENSIONS, Embedder
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.embedding.ollama import OllamaEmbedder
from deeptrust.errors import BadDocument
from tests.embedding.embed_server import EmbedServer
from tests.llm.model_server import serving

TEXTS = ["Cats purr when they are content.", "The central bank raised rates.", "東京の人口は多い", "?!"]


def _marked(name: str) -> object:
    return pytest.param(name, marks=pytest.mark.models)


@pytest.fixture(params=["hashing", _marked("minilm"), _marked("ollama")])
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    server = EmbedServer()
    async with serving(server):
        match request.param:
            case "hashing":
                made: Embedder = HashingEmbedder()
            case "minilm":
                made = MiniLmEmbedder()
            case _:
                made = OllamaEmbedder("all-minilm:l6-v2", url=server.url)
        yield made
        await made.close()


async def test_vectors_have_the_shape_and_norm_one(embedder: Embedder):
    vectors = await embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)


async def test_no_texts_give_an_empty_matrix(embedder: Embedder):
    assert (await embedder.embed([])).shape == (0, DIMENSIONS)


async def test_a_vector_does_not_depend_on_its_neighbours(embedder: Embedder):
    together = await embedder.embed(TEXTS)
    alone = await embedder.embed(TEXTS[:1])
    assert np.array_equal(together[0], alone[0])


async def test_a_question_is_nearest_to_the_text_that_answers_it(embedder: Embedder):
    vectors = await embedder.embed(TEXTS)
    question = await embedder.embed_question("Why do cats purr?")
    assert question.shape == (DIMENSIONS,)
    assert int(np.argmax(vectors @ question)) == 0


async def test_a_text_over_the_limit_is_refused_and_never_cut(embedder: Embedder):
    text = "zebra " * (embedder.max_tokens + 1)
    assert embedder.count_tokens([text])[0] > embedder.max_tokens
    with pytest.raises(BadDocument):
        await embedder.embed(["fine", text])


async def test_a_question_over_the_limit_is_cut(embedder: Embedder):
    assert (await embedder.embed_question("zebra " * 2000)).shape == (DIMENSIONS,)


async def test_an_empty_question_still_has_a_unit_vector(embedder: Embedder):
    assert np.linalg.norm(await embedder.embed_question("")) == pytest.approx(1, abs=1e-4)


def test_fingerprints_differ():
    made = (HashingEmbedder(), MiniLmEmbedder(), OllamaEmbedder("all-minilm"), OllamaEmbedder("granite-embedding:30m"))
    assert len({embedder.fingerprint for embedder in made}) == len(made)
