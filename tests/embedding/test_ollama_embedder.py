from collections.abc import AsyncIterator

import numpy as np
import pytest

from deeptrust.embedding.ollama import OllamaEmbedder
from deeptrust.errors import BadDocument, ModelUnavailable
from tests.embedding.embed_server import EmbedServer
from tests.llm.model_server import HTML, Pour, Refuse, serving

pytestmark = pytest.mark.models
"""Texts are counted with the tokenizer of the bundled embedder."""

NOT_FOUND = Refuse(404, "404 page not found", {"Content-Type": "text/plain"})


@pytest.fixture
async def server() -> AsyncIterator[EmbedServer]:
    made = EmbedServer()
    async with serving(made):
        yield made


@pytest.fixture
async def embedder(server: EmbedServer) -> AsyncIterator[OllamaEmbedder]:
    made = OllamaEmbedder("all-minilm:l6-v2", url=server.url)
    yield made
    await made.close()


async def test_the_server_is_never_given_leave_to_cut(server: EmbedServer, embedder: OllamaEmbedder) -> None:
    assert (await embedder.embed([f"text {number}" for number in range(70)])).shape == (70, 384)
    assert [len(texts) for texts in server.texts()] == [32, 32, 6]
    assert server.may_cut == 0
    assert embedder.name == "ollama:all-minilm:l6-v2"


async def test_an_older_ollama_is_asked_its_own_way(server: EmbedServer, embedder: OllamaEmbedder) -> None:
    server.answers["/api/embed"] = NOT_FOUND
    vectors = await embedder.embed(["one", "two"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    await embedder.embed(["three"])
    paths = [asked.path for asked in server.asked if asked.path != "/api/tags"]
    assert paths == ["/api/embed", *["/api/embeddings"] * 3]


async def test_a_long_question_is_cut_by_us(server: EmbedServer, embedder: OllamaEmbedder) -> None:
    await embedder.embed_question("zebra " * 2000)
    ((sent,),) = server.texts()
    assert embedder.count_tokens([sent]) == [256]


async def test_other_widths_are_refused(server: EmbedServer, embedder: OllamaEmbedder) -> None:
    server.width = 128
    with pytest.raises(ModelUnavailable, match=r"makes vectors of 128 numbers, and the store holds 384"):
        await embedder.embed(["one"])


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (Refuse(404, {"error": 'model "all-minilm:l6-v2" not found, try pulling it first'}), "`ollama pull all-minilm"),
        (Refuse(500, {"error": "out of memory"}), "could not embed: out of memory"),
        (Refuse(200, {"embeddings": []}), "one vector for each text"),
        (Refuse(200, {"embeddings": [[0.0] * 384]}), "a vector that is none"),
        (Refuse(200, '{"embeddings": [[' + "NaN, " * 383 + "NaN]]}"), "a vector that is none"),
        (Refuse(200, {"embeddings": [[1.0], [2.0, 3.0]]}), "makes no embeddings"),
        (HTML, "makes no embeddings"),
        (Refuse(302, "", {"Location": "http://127.0.0.1:1/"}), "could not embed"),
    ],
)
async def test_each_failure_has_its_sentence(
    server: EmbedServer, embedder: OllamaEmbedder, turn: Refuse, expected: str
) -> None:
    server.answers["/api/embed"] = turn
    with pytest.raises(ModelUnavailable) as caught:
        await embedder.embed(["one"])
    assert expected in str(caught.value)
    assert "DEEPTRUST_EMBEDDER=minilm" in str(caught.value)


async def test_a_text_that_the_server_finds_too_long_is_no_loss_but_an_error(
    server: EmbedServer, embedder: OllamaEmbedder
) -> None:
    server.answers["/api/embed"] = Refuse(400, {"error": "the input length exceeds the context length"})
    with pytest.raises(BadDocument, match="split it into smaller passages"):
        await embedder.embed(["one"])


async def test_ollama_is_down() -> None:
    embedder = OllamaEmbedder("all-minilm", url="http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable, match=r"does not answer. Start it with `ollama serve`.* Nothing was changed"):
        await embedder.embed(["one"])
    await embedder.close()


async def test_k06_a_model_that_is_pulled_anew_has_another_fingerprint(
    server: EmbedServer, embedder: OllamaEmbedder
) -> None:
    before = await embedder.identify()
    await embedder.embed(["one"])
    assert embedder.fingerprint == before
    assert server.digest[:16] in before
    server.digest = "f" * 64
    await embedder.embed_question("two")
    assert embedder.fingerprint != before
    assert embedder.fingerprint == await embedder.identify()


async def test_a_server_without_a_list_is_told_by_the_name_of_its_model(
    server: EmbedServer, embedder: OllamaEmbedder
) -> None:
    server.answers["/api/tags"] = NOT_FOUND
    assert await embedder.identify() == "ollama:all-minilm:l6-v2:384:256"
    assert (await embedder.embed(["one"])).shape == (1, 384)


async def test_what_never_ends_is_left(server: EmbedServer, embedder: OllamaEmbedder) -> None:
    server.answers["/api/embed"] = Pour("application/json", '{"embeddings": [[', "0.25, " * 10_000)
    with pytest.raises(ModelUnavailable, match="sends without end"):
        await embedder.embed(["one"])


def test_texts_leave_the_machine_only_for_a_server_elsewhere() -> None:
    assert OllamaEmbedder("all-minilm", url="http://192.0.2.7:11434").reaches_network
    assert not OllamaEmbedder("all-minilm").reaches_network
