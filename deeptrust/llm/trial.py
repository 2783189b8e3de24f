"""A first word with a model: does it answer, and how fast."""

import time
from contextlib import aclosing

from deeptrust.domain.chat import Message
from deeptrust.domain.model import ModelTest
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.reply import ChatRequest, Usage

_HELLO = ChatRequest((Message(role="user", content="Say hello."),), max_tokens=64)


async def try_model(model: ChatModel) -> ModelTest:
    """Load `model`, then say hello to it. Loading is not part of the times.

    Raises:
        ModelUnavailable: it cannot be loaded, fails, or says nothing.
    """
    await model.load()
    started = time.perf_counter()
    first = 0.0
    pieces: list[str] = []
    tokens = 0
    async with aclosing(model.reply(_HELLO)) as reply:
        async for item in reply:
            if isinstance(item, Usage):
                tokens = item.completion_tokens
            else:
                first = first or time.perf_counter() - started
                pieces.append(item)
    seconds = time.perf_counter() - started
    text = "".join(pieces).strip()
    if not text:
        raise ModelUnavailable(f"{model.name} answered with nothing. Try again, or choose another model.")
    # Between the first piece and the last one; a reply in one piece has only its whole time.
    rate = (tokens - 1) / (seconds - first) if len(pieces) > 1 else tokens / seconds
    return ModelTest(
        text=text,
        completion_tokens=tokens,
        seconds=seconds,
        seconds_to_first=first,
        tokens_per_second=max(0.0, rate),
    )
