import asyncio
from collections.abc import AsyncIterator

import pytest

from deeptrust.domain.chat import FinishReason, Message, ModelPhase
from deeptrust.domain.model import DownloadPhase
from deeptrust.errors import BadInput, BadSetting, ModelUnavailable
from deeptrust.llm.limits import LimitedModel, ReplyLimits
from deeptrust.llm.ollama import OllamaModel
from deeptrust.llm.ollama_models import OllamaEntry, list_ollama_models, pull_model
from tests.llm.model_server import ENDLESS, HTML, MODEL, FakeOllama, Refuse, Say, Silence, serving, settled
from tests.waiting import PATIENCE_SECONDS, until

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


async def test_a_reply_never_leaves_the_window(server: FakeOllama) -> None:
    model = OllamaModel(MODEL, url=server.url, context_tokens=600, max_tokens=4096)
    await model.complete((Message(role="user", content="cat " * 300),))
    await model.close()
    (asked,) = server.prompts()
    assert asked.body["options"]["num_predict"] == 600 - model.count_tokens("cat " * 300)


async def test_llm_10_the_window_is_the_models_own_where_that_is_smaller(
    server: FakeOllama, model: OllamaModel
) -> None:
    server.context_length = 4096
    rule, flood = Message(role="system", content="Rule at the top."), Message(role="user", content="river " * 12_000)
    with pytest.raises(BadInput, match=r"reads 4,096 at most"):
        await model.complete((rule, flood))
    assert model.context_tokens == 4096
    assert not server.prompts()


async def test_llm_10_a_prompt_that_the_server_cut_is_told_and_its_reply_dropped(
    server: FakeOllama, model: OllamaModel
) -> None:
    server.will(Say("The rule is gone.", prompt_tokens=2048))
    with pytest.raises(ModelUnavailable, match=r"read only 2,048 tokens of a prompt of 2,500 words"):
        await model.complete((Message(role="user", content="river " * 2500),))


async def test_a_count_that_the_server_does_not_give_is_estimated(server: FakeOllama, model: OllamaModel) -> None:
    server.will(Say("Yes it is", prompt_tokens=-1))
    completion = await model.complete(ASK)
    assert completion.prompt_tokens == sum(model.count_tokens(message.content) for message in ASK)
    assert completion.completion_tokens == 3


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


def test_a_server_elsewhere_reaches_the_network() -> None:
    assert OllamaModel(MODEL, url="http://192.0.2.7:11434").state.reaches_network
    assert not OllamaModel(MODEL, url="http://localhost:11434").reaches_network


async def test_llm_13_a_server_that_says_nothing_is_left_and_its_connection_closed(
    server: FakeOllama, model: OllamaModel
) -> None:
    server.will(Silence())
    limited = LimitedModel(model, ReplyLimits(first_token_seconds=0.2))
    with pytest.raises(ModelUnavailable, match=r"Model time-out: fake:1b said nothing for 0\.2 seconds"):
        await limited.complete(ASK)
    assert await settled(lambda: server.open_connections) == 0


async def test_llm_07_endless_output_is_cut_and_no_longer_sent(server: FakeOllama, model: OllamaModel) -> None:
    server.will(ENDLESS)
    completion = await LimitedModel(model, ReplyLimits()).complete(ASK)
    assert (completion.finish_reason, completion.text[:7]) == (FinishReason.LENGTH, "the the")
    assert completion.note == "The reply was cut where it began to repeat itself."
    assert await settled(lambda: server.tokens_sent) < 2000
    assert server.open_connections == 0


@pytest.mark.parametrize("turn", [Say("late", prompt_seconds=600), Silence(), Say("now and then", token_seconds=600)])
async def test_ui_08_stop_while_the_server_is_silent_closes_the_connection(
    server: FakeOllama, model: OllamaModel, turn: Say
) -> None:
    server.will(turn)
    task = asyncio.create_task(model.complete(ASK))
    await until(lambda: bool(server.prompts()))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, PATIENCE_SECONDS)
    await until(lambda: server.open_connections == 0)
    assert server.tokens_sent == 0


async def test_closing_ends_a_reply_that_waits(server: FakeOllama, model: OllamaModel) -> None:
    server.will(Silence())
    task = asyncio.create_task(model.complete(ASK))
    await until(lambda: bool(server.prompts()))
    await model.close()
    assert (await asyncio.wait_for(task, PATIENCE_SECONDS)).finish_reason is FinishReason.STOPPED


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
