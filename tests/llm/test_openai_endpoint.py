import asyncio
import json
import logging
import traceback
from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr

from deeptrust.domain.chat import FinishReason, Message, ModelPhase
from deeptrust.errors import BadSetting, ModelUnavailable
from deeptrust.llm.limits import LimitedModel, ReplyLimits
from deeptrust.llm.openai_endpoint import EndpointModel, list_endpoint_models
from tests.llm.model_server import HTML, MODEL, FakeOpenAi, Refuse, Say, Silence, Turn, serving
from tests.waiting import PATIENCE_SECONDS, until

ASK = (Message(role="user", content="Why do cats purr?"),)
SCHEMA: dict[str, object] = {"type": "object", "required": ["title"]}
KEY = "sk-canary-6f1d2b7e9c"


def refused(message: str, param: str | None = None, status: int = 400) -> Refuse:
    return Refuse(status, {"error": {"message": message, "type": "invalid_request_error", "param": param}})


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAi]:
    made = FakeOpenAi()
    async with serving(made):
        yield made


@pytest.fixture
async def model(server: FakeOpenAi) -> AsyncIterator[EndpointModel]:
    made = EndpointModel(MODEL, url=server.url, key=SecretStr(KEY))
    yield made
    await made.close()


async def refusal(model: EndpointModel) -> str:
    with pytest.raises(ModelUnavailable) as caught:
        await model.complete(ASK)
    assert (model.state.phase, model.state.message) == (ModelPhase.FAILED, str(caught.value))
    return str(caught.value)


async def test_what_is_asked_and_what_is_counted(server: FakeOpenAi, model: EndpointModel) -> None:
    server.will(Say("Because they can.", apart="Hm, cats."))
    completion = await model.complete(ASK, max_tokens=50, temperature=0.1)
    assert (completion.text, completion.prompt_tokens, completion.completion_tokens) == ("Because they can.", 4, 3)
    (asked,) = server.prompts()
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": MODEL,
        "messages": [{"role": "user", "content": "Why do cats purr?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.1,
        "max_tokens": 50,
    }


async def test_no_key_of_somebody_else_is_sent(server: FakeOpenAi, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, KEY)
    model = EndpointModel(MODEL, url=server.url)
    await model.complete(ASK)
    await model.close()
    assert all(KEY not in str(asked.headers) for asked in server.asked)


async def test_a_schema_is_asked_for_as_strictly_as_the_server_lets_it(
    server: FakeOpenAi, model: EndpointModel
) -> None:
    server.will(refused("json_schema is not supported"), Say("{}"))
    assert (await model.complete(ASK, schema=SCHEMA)).text == "{}"
    await model.complete(ASK, schema=SCHEMA)
    formats = [asked.body["response_format"]["type"] for asked in server.prompts()]
    assert formats == ["json_schema", "json_object", "json_object"]
    assert server.prompts()[0].body["response_format"]["json_schema"]["schema"] == SCHEMA


async def test_a_server_that_knows_no_format_is_asked_without(server: FakeOpenAi, model: EndpointModel) -> None:
    server.will(refused("what?"), refused("what?"), Say("{}"))
    assert (await model.complete(ASK, schema=SCHEMA)).text == "{}"
    assert "response_format" not in server.prompts()[-1].body


@pytest.mark.parametrize("key", ["max_tokens", "temperature", "stream_options"])
async def test_a_key_that_is_refused_is_not_sent_again(server: FakeOpenAi, model: EndpointModel, key: str) -> None:
    server.will(refused(f"Unsupported parameter: '{key}'", key), Say("Well."))
    assert (await model.complete(ASK, max_tokens=9)).text == "Well."
    assert (await model.complete(ASK, max_tokens=9)).text == "Well."
    first, *rest = [asked.body for asked in server.prompts()]
    assert key in first
    assert all(key not in body for body in rest)
    assert all(body.get("max_completion_tokens") == (9 if key == "max_tokens" else None) for body in rest)


async def test_a_request_that_stays_refused_is_told_in_the_servers_words(
    server: FakeOpenAi, model: EndpointModel
) -> None:
    server.will(refused(f"Key {KEY} may not use   this model."))
    message = await refusal(model)
    assert message.endswith("refused the request: Key *** may not use this model.")
    assert len(server.prompts()) == 1


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (Refuse(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}), "does not take the key"),
        (Refuse(403, {}), "does not take the key. Set DEEPTRUST_ENDPOINT_KEY"),
        (Refuse(402, {}), "is empty. Top it up"),
        (Refuse(404, {"error": {"message": "The model does not exist"}}), "has no model fake:1b"),
        (Refuse(404, "<h1>Not Found</h1>", {"Content-Type": "text/html"}), "usually ends in /v1"),
        (Refuse(405, "no", {"Content-Type": "text/plain"}), "usually ends in /v1"),
        (Refuse(429, {}), "Ask again later"),
        (Refuse(429, {}, {"Retry-After": "90"}), "Ask again in 90 seconds"),
        (Refuse(500, {"error": "boom"}), "failed (status 500)"),
        (Refuse(503, "<h1>down</h1>"), "failed (status 503)"),
        (Refuse(307, "", {"Location": "http://127.0.0.1:1/v1/chat/completions"}), "points elsewhere"),
        (HTML, "is not an OpenAI-compatible server"),
        (Refuse(200, "", {"Content-Type": "text/event-stream"}), "is not an OpenAI-compatible server"),
        (Say("half a rep", dies=True), "broke off in the middle"),
        (Say("whole, but no end", finish=None), "broke off in the middle"),
    ],
)
async def test_each_failure_has_its_sentence_without_the_key(
    server: FakeOpenAi, model: EndpointModel, turn: Turn, expected: str
) -> None:
    server.will(turn)
    message = await refusal(model)
    assert expected in message
    assert KEY not in message
    server.will(Say("Well again."))
    assert (await model.complete(ASK)).text == "Well again."


async def test_an_error_inside_the_stream_is_told(server: FakeOpenAi, model: EndpointModel) -> None:
    body = 'data: {"error": {"message": "CUDA out of memory"}}\n\n'
    server.will(Refuse(200, body, {"Content-Type": "text/event-stream"}))
    assert "failed: CUDA out of memory." in await refusal(model)


async def test_chunks_that_leave_out_or_add_what_they_like_are_read(server: FakeOpenAi, model: EndpointModel) -> None:
    chunks: list[dict[str, object]] = [
        {"type": "ping"},
        {"choices": None, "usage": {}},
        {"choices": [{"index": 0}]},
        {"choices": [{"delta": {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]}}]},
        {"choices": [{"delta": {"content": [{"type": "text", "text": "Yes"}, {"type": "text"}, "odd"]}}]},
        {"choices": [{"delta": {"content": ", it is."}, "finish_reason": "stop"}], "usage": {"total_tokens": 3}},
    ]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    server.will(Refuse(200, body, {"Content-Type": "text/event-stream"}))
    completion = await model.complete(ASK)
    assert (completion.text, completion.completion_tokens) == ("Yes, it is.", 2)


async def test_429_with_a_short_wait_is_waited_out_once(server: FakeOpenAi, model: EndpointModel) -> None:
    server.will(Refuse(429, {}, {"Retry-After": "0.05"}), Say("Now."))
    assert (await model.complete(ASK)).text == "Now."
    server.will(Refuse(429, {}, {"Retry-After": "0.05"}))
    assert "too many requests" in await refusal(model)
    assert len(server.prompts()) == 4


async def test_stop_works_while_a_429_is_waited_out(server: FakeOpenAi, model: EndpointModel) -> None:
    server.will(Refuse(429, {}, {"Retry-After": "20"}))
    task = asyncio.create_task(model.complete(ASK))
    await until(lambda: bool(server.prompts()))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, PATIENCE_SECONDS)


async def test_llm_06_the_filter_of_a_server_is_no_answer_or_a_cut_one(
    server: FakeOpenAi, model: EndpointModel
) -> None:
    limited = LimitedModel(model, ReplyLimits())
    server.will(Say("", finish="content_filter"))
    with pytest.raises(ModelUnavailable, match="fake:1b gave no answer, twice"):
        await limited.complete(ASK)
    assert len(server.prompts()) == 2
    server.will(Say("It is said that", finish="content_filter"))
    completion = await limited.complete(ASK)
    assert (completion.text, completion.finish_reason) == ("It is said that", FinishReason.LENGTH)
    assert completion.note == "The server's filter cut the reply."


async def test_a_server_that_lists_nothing_in_time_is_told(
    server: FakeOpenAi, model: EndpointModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deeptrust.llm.openai_server.ANSWER_SECONDS", 0.2)
    server.answers["/v1/models"] = Silence()
    assert "takes connections but says nothing" in await refusal(model)


async def test_models_are_listed(server: FakeOpenAi) -> None:
    server.names = ["b", "a"]
    assert await list_endpoint_models(server.url + "/", SecretStr(KEY)) == ["a", "b"]
    server.answers["/v1/models"] = HTML
    with pytest.raises(ModelUnavailable, match="usually ends in /v1"):
        await list_endpoint_models(server.url)


def test_a_key_that_no_header_can_carry_is_refused_without_it() -> None:
    with pytest.raises(BadSetting) as caught:
        EndpointModel(MODEL, url="http://127.0.0.1:1/v1", key=SecretStr("sk-canary\nX: 1é"))
    assert "canary" not in str(caught.value)


async def test_aut_13_the_key_is_in_no_log_no_trace_and_no_name(
    server: FakeOpenAi, model: EndpointModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await model.complete(ASK)
    seen = [repr(model), str(vars(model)), str(vars(model)["_server"])]
    for turn in (
        Refuse(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}),
        refused(f"bad {KEY}"),
        Refuse(500, {"error": {"message": KEY}}),
        Say("half", dies=True),
    ):
        server.will(turn)
        try:
            await model.complete(ASK)
        except ModelUnavailable as error:
            seen.append("".join(traceback.format_exception(error)))
    assert all(KEY not in text for text in [*seen, caplog.text])
    assert len(seen) == 7
