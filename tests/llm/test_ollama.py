import json
from collections.abc import AsyncIterator

import pytest

from deeptrust.domain.chat import Message, ModelPhase
from deeptrust.domain.model import DownloadPhase
from deeptrust.errors import BadInput, BadSetting, ModelUnavailable
from deeptrust.llm.ollama import OllamaModel
from deeptrust.llm.ollama_models import OllamaEntry, list_ollama_models, pull_model
from tests.llm.model_server import HTML, MODEL, FakeOllama, Pour, Refuse, Say, Silence, serving, settled

ASK = (Message(role="system", content="Cite your sources."), Message(role="user", content="Why do cats purr?"))
SCHEMA: dict[str, object] = {"type": "object"}


@pytest.fixture
async def server() -> AsyncIterator[FakeOllama]:
    made = FakeOllama()
    async with serving(made):
        yield made


@pytest.fixture
async def model(server: FakeOllama) -> AsyncIterator[OllamaModel]:
    made = OllamaModel(MODEL, url=server.url)
    yield made
    await made.close()


async def refusal(model: OllamaModel) -> str:
    with pytest.raises(ModelUnavailable) as caught:
        await model.complete(ASK)
    assert (model.state.phase, model.state.message) == (ModelPhase.FAILED, str(caught.value))
    return str(caught.value)


async def test_window_format_and_silence_of_thought_are_asked_for(server: FakeOllama, model: OllamaModel) -> None:
    server.will(Say("{}", apart="I think, so"))
    completion = await model.complete(ASK, schema=SCHEMA, max_tokens=50, temperature=0.1)
    assert (completion.text, completion.prompt_tokens, completion.completion_tokens) == ("{}", 7, 1)
    (asked,) = server.prompts()
    assert (asked.path, asked.body["think"], asked.body["format"]) == ("/api/chat", False, SCHEMA)
    assert asked.body["options"] == {"num_ctx": 8192, "num_predict": 50, "temperature": 0.1}
    assert [message["role"] for message in asked.body["messages"]] == ["system", "user"]


async def test_llm_10_a_server_that_can_refuse_a_prompt_is_told_not_to_cut_it(
    server: FakeOllama, model: OllamaModel
) -> None:
    await model.complete(ASK)
    (asked,) = server.prompts()
    assert (asked.body["truncate"], asked.body["shift"]) == (False, False)


async def test_llm_10_the_window_is_the_models_own_where_that_is_smaller(
    server: FakeOllama, model: OllamaModel
) -> None:
    server.context_length = 4096
    rule, flood = Message(role="system", content="Rule at the top."), Message(role="user", content="river " * 12_000)
    with pytest.raises(BadInput, match=r"reads 4,096 at most"):
        await model.complete((rule, flood))
    assert model.context_tokens == 4096
    assert not server.prompts()


async def test_llm_12_a_missing_model_is_named_with_what_is_there(server: FakeOllama) -> None:
    server.names = ["qwen3:8b", "llama3:latest"]
    message = await refusal(OllamaModel("mistral", url=server.url))
    assert message == (
        "Ollama has no model mistral. Run `ollama pull mistral`, or choose one that is there: qwen3:8b, llama3:latest."
    )


async def test_llm_12_a_model_that_went_away_is_named_as_well(server: FakeOllama, model: OllamaModel) -> None:
    await model.load()
    server.will(Refuse(404, {"error": "model not found"}))
    assert "`ollama pull fake:1b`" in await refusal(model)


async def test_a_name_without_a_tag_is_the_latest(server: FakeOllama) -> None:
    server.names = ["llama3:latest"]
    model = OllamaModel("llama3", url=server.url)
    await model.load()
    assert model.state.phase is ModelPhase.READY
    await model.close()


async def test_nothing_listens() -> None:
    assert await refusal(OllamaModel(MODEL, url="http://127.0.0.1:9")) == (
        "Ollama does not answer at http://127.0.0.1:9. Start it with `ollama serve`, or set DEEPTRUST_OLLAMA_URL."
    )


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (HTML, "is not Ollama. Set DEEPTRUST_OLLAMA_URL"),
        (Refuse(200, []), "is not Ollama"),
        (Refuse(404, "<h1>Not Found</h1>", {"Content-Type": "text/html"}), "Ollama has no model"),
        (Refuse(302, "", {"Location": "http://127.0.0.1:1/api/chat"}), "is not Ollama"),
        (Refuse(401, {"error": "unauthorized"}), "Set OLLAMA_API_KEY"),
        (Refuse(429, {"error": "too many requests"}, {"Retry-After": "9"}), "too many requests"),
        (Refuse(500, {"error": "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"}), "5.6 GiB"),
        (Say("half a rep", dies=True), "broke off in the middle"),
        (Say("whole, but no end", finish=None), "broke off in the middle"),
    ],
)
async def test_each_failure_has_its_sentence(server: FakeOllama, model: OllamaModel, turn: Say, expected: str) -> None:
    server.will(turn)
    assert expected in await refusal(model)
    server.will(Say("Well again."))
    assert (await model.complete(ASK)).text == "Well again."


async def test_the_wrong_kind_of_server_is_told(server: FakeOllama) -> None:
    server.answers["/api/tags"] = HTML
    assert "is not Ollama" in await refusal(OllamaModel(MODEL, url=server.url))


@pytest.mark.parametrize("url", ["", "localhost:11434", "ftp://127.0.0.1", "http://", "http://[::1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadSetting, match="DEEPTRUST_OLLAMA_URL"):
        OllamaModel(MODEL, url=url)


async def test_models_are_listed_with_size_and_window(server: FakeOllama) -> None:
    server.names = ["llama3:8b", "nomic-embed-text"]
    assert await list_ollama_models(server.url) == [
        OllamaEntry("llama3:8b", 1_300_000_000, "1.2B", 40_960, writes=True),
        OllamaEntry("nomic-embed-text", 1_300_000_000, "1.2B", 40_960, writes=False),
    ]


async def test_a_model_that_the_server_cannot_show_does_not_hide_the_others(server: FakeOllama) -> None:
    server.names = ["llama3:8b", "damaged:1b"]
    server.refused_to_show = {"damaged:1b"}
    assert [entry.name for entry in await list_ollama_models(server.url)] == ["llama3:8b"]


async def test_a_list_that_cannot_be_had_is_told() -> None:
    with pytest.raises(ModelUnavailable, match="does not answer"):
        await list_ollama_models("http://127.0.0.1:9")


def line(**fields: object) -> dict[str, object]:
    return {"status": "pulling", **fields}


async def test_a_pull_shows_bytes_of_all_layers_and_ends_done(server: FakeOllama) -> None:
    server.will_pull(
        {"status": "pulling manifest"},
        line(digest="a", total=100, completed=10),
        line(digest="a", total=100, completed=100),
        line(digest="b", total=50, completed=25),
        {"status": "verifying sha256 digest"},
        {"status": "success"},
    )
    seen = [progress async for progress in pull_model(server.url, "qwen3:0.6b")]
    assert {progress.id for progress in seen} == {"ollama:qwen3:0.6b"}
    assert [(one.phase, one.received_bytes, one.total_bytes) for one in seen] == [
        (DownloadPhase.WAITING, 0, None),
        (DownloadPhase.DOWNLOADING, 0, None),
        (DownloadPhase.DOWNLOADING, 10, 100),
        (DownloadPhase.DOWNLOADING, 100, 100),
        (DownloadPhase.DOWNLOADING, 125, 150),
        (DownloadPhase.CHECKING, 125, 150),
        (DownloadPhase.DONE, 125, 150),
    ]
    assert seen[4].seconds_left is not None


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([{"error": "pull model manifest: file does not exist"}], "file does not exist"),
        ([line(digest="a", total=9, completed=1)], "It goes on where it ended"),
    ],
)
async def test_a_pull_that_fails_says_why(server: FakeOllama, lines: list[dict[str, object]], expected: str) -> None:
    server.will_pull(*lines)
    last = [progress async for progress in pull_model(server.url, "none")][-1]
    assert last.phase is DownloadPhase.FAILED
    assert expected.lower() in last.message.lower()


async def test_a_pull_that_says_the_same_again_and_again_is_given_up(server: FakeOllama) -> None:
    same = json.dumps(line(digest="a", total=9, completed=1)) + "\n"
    server.answers["/api/pull"] = Pour("application/x-ndjson", same, same, pause_seconds=0.01)
    last = [progress async for progress in pull_model(server.url, "slow", idle_seconds=0.3)][-1]
    assert (last.phase, last.received_bytes) == (DownloadPhase.FAILED, 1)
    assert last.message == (
        "Ollama has not gone on with the download for 0.3 seconds. "
        "Restart Ollama and start it again: it goes on where it ended."
    )
    assert await settled(lambda: server.open_connections) == 0


async def test_a_pull_that_says_nothing_is_given_up(server: FakeOllama) -> None:
    server.answers["/api/pull"] = Silence()
    last = [progress async for progress in pull_model(server.url, "slow", idle_seconds=0.2)][-1]
    assert last.phase is DownloadPhase.FAILED
    assert "has not gone on with the download for 0.2 seconds" in last.message


async def test_a_pull_without_an_end_of_line_is_left(server: FakeOllama) -> None:
    server.answers["/api/pull"] = Pour("application/x-ndjson", "{", "x" * 65_536)
    last = [progress async for progress in pull_model(server.url, "endless")][-1]
    assert last.phase is DownloadPhase.FAILED
    assert "sends without end" in last.message
