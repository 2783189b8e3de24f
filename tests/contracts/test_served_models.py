"""One suite for every model that another program serves over HTTP, against servers that misbehave in the same ways."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import repeat

import pytest

from deeptrust.domain.chat import FinishReason, Message, ModelPhase
from deeptrust.errors import BadInput, ModelUnavailable
from deeptrust.llm.limits import LimitedModel, ReplyLimits
from deeptrust.llm.ollama import OllamaModel
from deeptrust.llm.openai_endpoint import EndpointModel
from deeptrust.llm.served import ServedModel, ServingOptions
from deeptrust.network import bounded_body
from tests.llm.model_server import (
    ENDLESS,
    HTML,
    MODEL,
    FakeOllama,
    FakeOpenAi,
    ModelServer,
    Pour,
    Refuse,
    Say,
    Silence,
    Turn,
    serving,
    settled,
)
from tests.waiting import PATIENCE_SECONDS, until

ASK = (Message(role="system", content="Cite your sources."), Message(role="user", content="Why do cats purr?"))


@dataclass(frozen=True)
class Kind:
    """A server, the model for its address, and what it sends its messages in."""

    server: Callable[[], ModelServer]
    model: Callable[[str, ServingOptions], ServedModel]
    stream_type: str
    opening: str
    """How a message begins that carries text."""
    list_path: str


KINDS = {
    "ollama": Kind(
        FakeOllama,
        lambda url, options: OllamaModel(MODEL, options, url=url),
        "application/x-ndjson",
        '{"done": false, "message": {"role": "assistant", "content": "',
        "/api/tags",
    ),
    "endpoint": Kind(
        FakeOpenAi,
        lambda url, options: EndpointModel(MODEL, options, url=url),
        "text/event-stream",
        'data: {"choices": [{"index": 0, "delta": {"content": "',
        "/v1/models",
    ),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture
async def server(kind: Kind) -> AsyncIterator[ModelServer]:
    made = kind.server()
    async with serving(made):
        yield made


@pytest.fixture
async def model(kind: Kind, server: ModelServer) -> AsyncIterator[ServedModel]:
    made = kind.model(server.url, ServingOptions())
    yield made
    await made.close()


async def refusal(model: ServedModel) -> str:
    with pytest.raises(ModelUnavailable) as caught:
        await model.complete(ASK)
    assert (model.state.phase, model.state.message) == (ModelPhase.FAILED, str(caught.value))
    return str(caught.value)


def test_a_server_elsewhere_reaches_the_network(kind: Kind) -> None:
    assert kind.model("http://192.0.2.7:11434/v1", ServingOptions()).state.reaches_network
    assert not kind.model("http://localhost:11434/v1", ServingOptions()).reaches_network
    assert not kind.model("http://[::1]:8080/v1", ServingOptions()).reaches_network


async def test_nothing_listens(kind: Kind) -> None:
    assert "http://127.0.0.1:9" in await refusal(kind.model("http://127.0.0.1:9/v1", ServingOptions()))


async def test_llm_01_think_blocks_are_left_out(server: ModelServer, model: ServedModel) -> None:
    server.will(Say("<think> hm\n hm </think>\n\nYes.", apart="I think, so"))
    assert (await model.complete(ASK)).text == "Yes."


async def test_counts_that_the_server_does_not_give_are_estimated(server: ModelServer, model: ServedModel) -> None:
    server.will(Say("Yes it is", prompt_tokens=-1))
    completion = await model.complete(ASK)
    assert completion.prompt_tokens == sum(model.count_tokens(message.content) for message in ASK)
    assert completion.completion_tokens == 3


async def test_llm_10_a_prompt_beyond_the_window_is_not_sent(server: ModelServer, model: ServedModel) -> None:
    with pytest.raises(BadInput, match=r"about 24,\d{3} tokens, but fake:1b reads 8,192"):
        await model.complete((Message(role="user", content="river " * 12_000),))
    assert not server.prompts()


async def test_llm_10_a_reply_never_leaves_the_window(kind: Kind, server: ModelServer) -> None:
    model = kind.model(server.url, ServingOptions(context_tokens=600))
    prompt = "cat " * 300
    await model.complete((Message(role="user", content=prompt),))
    await model.close()
    (asked,) = server.prompts()
    assert server.longest(asked.body) == 600 - model.count_tokens(prompt)


@pytest.mark.parametrize(
    "complaint",
    [
        "request (8889 tokens) exceeds the available context size (4096 tokens), try increasing it",
        "the prompt is longer than the context length currently available to the model; shorten the prompt",
        "This model's maximum context length is 4096 tokens. However, you requested 8889 tokens.",
    ],
    ids=["llama.cpp", "ollama", "vllm"],
)
async def test_llm_10_a_prompt_that_the_server_finds_too_long_is_the_askers_affair(
    server: ModelServer, model: ServedModel, complaint: str
) -> None:
    error = complaint if isinstance(server, FakeOllama) else {"message": complaint}
    server.will(Refuse(400, {"error": error}))
    with pytest.raises(BadInput, match="fake:1b refuses the prompt as too long"):
        await model.complete(ASK)
    assert model.state.phase is ModelPhase.READY
    assert len(server.prompts()) == 1


async def test_llm_07_endless_output_is_cut_and_no_longer_sent(server: ModelServer, model: ServedModel) -> None:
    server.will(ENDLESS)
    completion = await LimitedModel(model, ReplyLimits()).complete(ASK)
    assert (completion.finish_reason, completion.text[:7]) == (FinishReason.LENGTH, "the the")
    assert completion.note == "The reply was cut where it began to repeat itself."
    assert await settled(lambda: server.tokens_sent) < 2000
    assert server.open_connections == 0


async def test_llm_13_a_server_that_says_nothing_is_left_and_its_connection_closed(
    server: ModelServer, model: ServedModel
) -> None:
    server.will(Silence())
    limited = LimitedModel(model, ReplyLimits(first_token_seconds=0.2))
    with pytest.raises(ModelUnavailable, match=r"Model time-out: fake:1b said nothing for 0\.2 seconds"):
        await limited.complete(ASK)
    assert await settled(lambda: server.open_connections) == 0


@pytest.mark.parametrize(
    "turn",
    [Say("late", prompt_seconds=600), Silence(), Say("now and then", token_seconds=600)],
    ids=["reads", "is silent", "dawdles"],
)
async def test_ui_08_stop_while_the_server_is_silent_closes_the_connection(
    server: ModelServer, model: ServedModel, turn: Turn
) -> None:
    server.will(turn)
    task = asyncio.create_task(model.complete(ASK))
    await until(lambda: bool(server.prompts()))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, PATIENCE_SECONDS)
    await until(lambda: server.open_connections == 0)
    assert server.tokens_sent == 0


async def test_closing_ends_a_reply_that_waits(server: ModelServer, model: ServedModel) -> None:
    server.will(Silence())
    task = asyncio.create_task(model.complete(ASK))
    await until(lambda: bool(server.prompts()))
    await model.close()
    assert (await asyncio.wait_for(task, PATIENCE_SECONDS)).finish_reason is FinishReason.STOPPED


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (HTML, "is not "),
        (Say("half a rep", dies=True), "broke off in the middle"),
        (Say("whole, but no end", finish=None), "broke off in the middle"),
    ],
    ids=["page", "dies", "no end"],
)
async def test_a_failure_is_told_and_the_next_call_begins_anew(
    server: ModelServer, model: ServedModel, turn: Turn, expected: str
) -> None:
    server.will(turn)
    assert expected in await refusal(model)
    server.will(Say("Well again."))
    assert (await model.complete(ASK)).text == "Well again."


async def test_a_message_without_an_end_is_left_before_it_fills_the_memory(
    kind: Kind, server: ModelServer, model: ServedModel
) -> None:
    server.will(Pour(kind.stream_type, kind.opening, "x" * 65_536))
    assert "sends without end, so it was left" in await refusal(model)
    assert await settled(lambda: server.bytes_poured) < 4 * bounded_body.MOST_BYTES
    assert server.open_connections == 0


async def test_a_list_without_an_end_is_left_too(kind: Kind, server: ModelServer, model: ServedModel) -> None:
    server.answers[kind.list_path] = Pour("application/json", '{"data": [\n', "1,\n" * 20_000)
    assert "sends without end, so it was left" in await refusal(model)


async def test_a_long_reply_of_many_messages_is_no_message_without_an_end(
    server: ModelServer, model: ServedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_body, "MOST_BYTES", 20_000)
    server.will(Say(" ".join(repeat("word", 400))))
    assert len((await model.complete(ASK)).text.split()) == 400
