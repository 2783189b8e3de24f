"""One suite for every chat model: what the seam promises, whoever is behind it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from pathlib import Path

import pytest

from deeptrust.domain.chat import FinishReason, Message, ModelPhase
from deeptrust.errors import BadInput, ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.claude_cli import ClaudeCli
from deeptrust.llm.limits import LimitedModel, ReplyLimits
from deeptrust.llm.ollama import OllamaModel
from deeptrust.llm.openai_endpoint import EndpointModel
from deeptrust.llm.scripted import ScriptedModel
from tests.llm.fake_claude import FakeClaude
from tests.llm.model_server import MODEL, FakeOllama, FakeOpenAi, Say, serving
from tests.waiting import until

QUESTION = (Message(role="user", content="Tell me a long story about a river and the town beside it."),)
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"title": {"type": "string", "maxLength": 20}, "isLong": {"type": "boolean"}},
    "required": ["title", "isLong"],
    "additionalProperties": False,
}
STORY = json.dumps({"title": "River", "isLong": True}) + " and on" * 400
AFTER_STOP = 3
"""Tokens that may still be made: the one in hand, the one on its way to the reader, the one being made."""
AHEAD = 100
"""Tokens that an engine with threads of its own may be ahead of its reader, who waits for a busy machine."""


@dataclass(frozen=True)
class Subject:
    """A model under test, and the count of what its engine or server made, so that Stop can be proven."""

    model: ChatModel
    tokens_made: Callable[[], int]
    after_stop: int = AFTER_STOP


def scripted() -> Subject:
    model = ScriptedModel(lambda _: STORY, token_seconds=0.002)
    return Subject(model, lambda: model.tokens_made)


def limited() -> Subject:
    inside = scripted()
    return Subject(LimitedModel(inside.model, ReplyLimits()), inside.tokens_made)


def bundled() -> Subject:
    model = BundledModel()
    return Subject(model, lambda: model.tokens_made, AHEAD)


async def ollama(stack: AsyncExitStack) -> Subject:
    server = FakeOllama()
    server.will(Say(STORY, token_seconds=0.02))
    await stack.enter_async_context(serving(server))
    return Subject(OllamaModel(MODEL, url=server.url), lambda: server.tokens_sent)


async def endpoint(stack: AsyncExitStack) -> Subject:
    server = FakeOpenAi()
    server.will(Say(STORY, token_seconds=0.02))
    await stack.enter_async_context(serving(server))
    return Subject(EndpointModel(MODEL, url=server.url), lambda: server.tokens_sent)


INSIDE: dict[str, Callable[[], Subject]] = {"scripted": scripted, "limited": limited, "bundled": bundled}
SERVED = {"ollama": ollama, "endpoint": endpoint}
STREAMING = ["scripted", "limited", "ollama", "endpoint", pytest.param("bundled", marks=pytest.mark.models)]


@pytest.fixture(params=STREAMING)
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    async with AsyncExitStack() as stack:
        made = INSIDE[request.param]() if request.param in INSIDE else await SERVED[request.param](stack)
        stack.push_async_callback(made.model.close)
        yield made


@pytest.fixture
def model(subject: Subject) -> ChatModel:
    return subject.model


@pytest.fixture(params=[*STREAMING, "claude"])
async def any_model(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ChatModel]:
    """Every model, that which gives its reply in one piece included."""
    async with AsyncExitStack() as stack:
        if request.param == "claude":
            made: ChatModel = ClaudeCli(FakeClaude(tmp_path).command, context_tokens=8192)
        elif request.param in INSIDE:
            made = INSIDE[request.param]().model
        else:
            made = (await SERVED[request.param](stack)).model
        stack.push_async_callback(made.close)
        yield made


async def expect_stopped(subject: Subject, seen: int) -> None:
    await until(lambda: subject.tokens_made() >= seen)  # an engine may count only what has ended
    assert await settle(subject) <= seen + subject.after_stop


async def settle(subject: Subject) -> int:
    """The count once it stands still."""
    count = -1
    while count != subject.tokens_made():
        count = subject.tokens_made()
        await asyncio.sleep(0.3)
    return count


async def test_loading_twice_at_once_ends_ready(any_model: ChatModel) -> None:
    assert any_model.state.phase is ModelPhase.ABSENT
    await asyncio.gather(any_model.load(), any_model.load())
    assert (any_model.state.phase, any_model.state.progress) == (ModelPhase.READY, 100)
    assert any_model.state.name == any_model.name
    assert any_model.reaches_network is isinstance(any_model, ClaudeCli)


async def test_stream_comes_in_pieces(model: ChatModel) -> None:
    pieces = [piece async for piece in model.stream(QUESTION, max_tokens=12)]
    assert 1 < len(pieces) <= 12
    assert all(pieces)


async def test_complete_counts_tokens_and_says_why_it_ended(model: ChatModel) -> None:
    completion = await model.complete(QUESTION, max_tokens=5)
    assert completion.finish_reason is FinishReason.LENGTH
    assert completion.completion_tokens == 5
    assert completion.prompt_tokens >= len(QUESTION[0].content.split())
    assert completion.text.strip()
    assert completion.seconds > 0


async def test_an_empty_message_is_answered_or_ended(model: ChatModel) -> None:
    completion = await model.complete((Message(role="user", content=""),), max_tokens=3)
    assert completion.completion_tokens <= 3


async def test_closing_the_stream_stops_the_engine(subject: Subject) -> None:
    seen = 0
    async with aclosing(subject.model.stream(QUESTION, temperature=0)) as pieces:
        async for _ in pieces:
            seen += 1
            if seen == 5:
                break
    await expect_stopped(subject, seen)


async def test_cancelling_the_task_stops_the_engine(subject: Subject) -> None:
    seen = 0
    has_begun = asyncio.Event()

    async def read() -> None:
        nonlocal seen
        async for _ in subject.model.stream(QUESTION, temperature=0):
            seen += 1
            has_begun.set()

    task = asyncio.create_task(read())
    await has_begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await expect_stopped(subject, seen)


async def test_two_replies_at_once_leave_the_loop_free(model: ChatModel) -> None:
    await model.load()
    both = asyncio.gather(*(model.complete(QUESTION, max_tokens=10) for _ in range(2)))
    turns = 0
    while not both.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert [completion.completion_tokens for completion in await both] == [10, 10]
    assert turns > 5


async def test_llm_10_prompt_beyond_the_window_is_refused_and_never_cut(any_model: ChatModel) -> None:
    rule = Message(role="system", content="Rule at the top.")
    flood = Message(role="user", content="river " * 12_000)
    with pytest.raises(BadInput, match=r"The prompt has (about )?[12]\d,\d{3} tokens, but .* reads 8,192 at most"):
        await any_model.complete((rule, flood))
    assert (await any_model.complete(QUESTION, max_tokens=2)).completion_tokens > 0


async def test_close_is_idempotent_and_final(any_model: ChatModel) -> None:
    await any_model.load()
    await any_model.close()
    await any_model.close()
    assert any_model.state.phase is ModelPhase.ABSENT
    with pytest.raises(ModelUnavailable, match="closed"):
        await any_model.complete(QUESTION)


async def test_close_ends_a_running_reply(model: ChatModel) -> None:
    pieces = model.stream(QUESTION, temperature=0)
    await anext(pieces)
    await model.close()
    assert len([piece async for piece in pieces]) < 400


@pytest.mark.models
async def test_schema_gives_json_that_fits() -> None:
    model = BundledModel()
    try:
        completion = await model.complete(QUESTION, schema=SCHEMA, max_tokens=100)
        reply = json.loads(completion.text)
        assert reply.keys() == {"title", "isLong"}
        assert len(reply["title"]) <= 20
        with pytest.raises(ModelUnavailable, match="cannot follow this request"):
            await model.complete(QUESTION, schema={"type": "objekt"}, max_tokens=5)
    finally:
        await model.close()
