"""One suite for every chat model: what the seam promises, whoever is behind it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

import pytest

from deeptrust.domain.chat import FinishReason, Message, ModelPhase
from deeptrust.errors import BadInput, ModelUnavailable
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.limits import LimitedModel, ReplyLimits
from deeptrust.llm.scripted import ScriptedModel

QUESTION = (Message(role="user", content="Tell me a long story about a river and the town beside it."),)
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"title": {"type": "string", "maxLength": 20}, "isLong": {"type": "boolean"}},
    "required": ["title", "isLong"],
    "additionalProperties": False,
}
AFTER_STOP = 3
"""Tokens that may still be made: the one in hand, the one on its way to the reader, the one being made."""


def scripted() -> ScriptedModel:
    return ScriptedModel(
        lambda messages: json.dumps({"title": "River", "isLong": True}) + " and on" * 400, token_seconds=0.002
    )


class LimitedScript(LimitedModel):
    """The wrapper, with the count of what it wraps."""

    def __init__(self) -> None:
        self.inside = scripted()
        super().__init__(self.inside, ReplyLimits())

    @property
    def tokens_made(self) -> int:
        return self.inside.tokens_made


CountingModel = ScriptedModel | LimitedScript | BundledModel
"""Every model under test counts what it made, so that Stop can be proven."""

MODELS: dict[str, Callable[[], CountingModel]] = {
    "scripted": scripted,
    "limited": LimitedScript,
    "bundled": BundledModel,
}


@pytest.fixture(params=["scripted", "limited", pytest.param("bundled", marks=pytest.mark.models)])
async def model(request: pytest.FixtureRequest) -> AsyncIterator[CountingModel]:
    made = MODELS[request.param]()
    yield made
    await made.close()


async def settle(model: CountingModel) -> int:
    """The count once it stands still."""
    count = -1
    while count != model.tokens_made:
        count = model.tokens_made
        await asyncio.sleep(0.3)
    return count


async def test_loading_twice_at_once_ends_ready(model: CountingModel) -> None:
    assert model.state.phase is ModelPhase.ABSENT
    await asyncio.gather(model.load(), model.load())
    assert (model.state.phase, model.state.progress) == (ModelPhase.READY, 100)
    assert model.state.name == model.name
    assert not model.reaches_network


async def test_stream_comes_in_pieces(model: CountingModel) -> None:
    pieces = [piece async for piece in model.stream(QUESTION, max_tokens=12)]
    assert 1 < len(pieces) <= 12
    assert all(pieces)


async def test_complete_counts_tokens_and_says_why_it_ended(model: CountingModel) -> None:
    completion = await model.complete(QUESTION, max_tokens=5)
    assert completion.finish_reason is FinishReason.LENGTH
    assert completion.completion_tokens == 5
    assert completion.prompt_tokens >= len(QUESTION[0].content.split())
    assert completion.text.strip()
    assert completion.seconds > 0


async def test_an_empty_message_is_answered_or_ended(model: CountingModel) -> None:
    completion = await model.complete((Message(role="user", content=""),), max_tokens=3)
    assert completion.completion_tokens <= 3


async def test_closing_the_stream_stops_the_engine(model: CountingModel) -> None:
    seen = 0
    async with aclosing(model.stream(QUESTION, temperature=0)) as pieces:
        async for _ in pieces:
            seen += 1
            if seen == 5:
                break
    assert seen <= await settle(model) <= seen + AFTER_STOP


async def test_cancelling_the_task_stops_the_engine(model: CountingModel) -> None:
    seen = 0
    has_begun = asyncio.Event()

    async def read() -> None:
        nonlocal seen
        async for _ in model.stream(QUESTION, temperature=0):
            seen += 1
            has_begun.set()

    task = asyncio.create_task(read())
    await has_begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen <= await settle(model) <= seen + AFTER_STOP


async def test_two_replies_at_once_leave_the_loop_free(model: CountingModel) -> None:
    await model.load()
    both = asyncio.gather(*(model.complete(QUESTION, max_tokens=10) for _ in range(2)))
    turns = 0
    while not both.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert [completion.completion_tokens for completion in await both] == [10, 10]
    assert turns > 5


async def test_llm_10_prompt_beyond_the_window_is_refused_and_never_cut(model: CountingModel) -> None:
    rule = Message(role="system", content="Rule at the top.")
    flood = Message(role="user", content="river " * 12_000)
    with pytest.raises(BadInput, match=r"The prompt has 12,\d{3} tokens, but .* reads 8,192 at most"):
        await model.complete((rule, flood))
    assert (await model.complete(QUESTION, max_tokens=2)).completion_tokens == 2


async def test_close_is_idempotent_and_final(model: CountingModel) -> None:
    await model.load()
    await model.close()
    await model.close()
    assert model.state.phase is ModelPhase.ABSENT
    with pytest.raises(ModelUnavailable, match="closed"):
        await model.complete(QUESTION)


async def test_close_ends_a_running_reply(model: CountingModel) -> None:
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
