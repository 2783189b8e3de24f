"""A wrapper round any chat model that ends replies which would not end by themselves (LLM-07)."""

import asyncio
import math
import time
from contextlib import aclosing

from deeptrust.domain.chat import FinishReason, ModelState
from deeptrust.llm.base import ChatModel
from deeptrust.llm.reply import ChatRequest, Reply, Usage

_LONGEST_UNIT = 200
_REPEATS = 6
_SHORTEST_RUN = 160
"""Characters: long enough to spare a rule of dashes or the dots of a table of contents."""


class LimitedModel(ChatModel):
    """The model inside, but a reply that runs too long or goes in circles is cut: its text is kept, its
    finish reason is `length`, and the engine is stopped. Tokens are the model's own ceiling."""

    def __init__(self, inner: ChatModel, *, seconds: float) -> None:
        """Give each reply of `inner` at most `seconds`, loading and waiting included."""
        self._inner = inner
        self._seconds = seconds

    @property
    def name(self) -> str:
        """Name of the model inside."""
        return self._inner.name

    @property
    def context_tokens(self) -> int:
        """Window of the model inside."""
        return self._inner.context_tokens

    @property
    def reaches_network(self) -> bool:
        """Whether the model inside does."""
        return self._inner.reaches_network

    @property
    def state(self) -> ModelState:
        """State of the model inside."""
        return self._inner.state

    async def load(self) -> None:
        """Load the model inside."""
        await self._inner.load()

    async def reply(self, request: ChatRequest) -> Reply:
        """Pass the reply on until it ends, repeats itself, or its time is up.

        A cut reply counts its pieces as tokens; its prompt tokens are unknown and given as 0.
        """
        deadline = time.monotonic() + self._seconds
        tail = ""
        made = 0
        reply = self._inner.reply(request)
        async with aclosing(reply):
            while not repeats_itself(tail):
                try:
                    item = await asyncio.wait_for(anext(reply), deadline - time.monotonic())
                except TimeoutError:
                    break
                yield item
                if isinstance(item, Usage):
                    return
                made += 1
                tail = (tail + item)[-_LONGEST_UNIT * _REPEATS :]
        yield Usage(FinishReason.LENGTH, prompt_tokens=0, completion_tokens=made)

    def count_tokens(self, text: str) -> int:
        """Count as the model inside does."""
        return self._inner.count_tokens(text)

    async def close(self) -> None:
        """Close the model inside."""
        await self._inner.close()


def repeats_itself(text: str) -> bool:
    """Whether `text` ends in one stretch of up to 200 characters said six times or more, over 160 or more."""
    for unit in range(1, _LONGEST_UNIT + 1):
        length = unit * max(_REPEATS, math.ceil(_SHORTEST_RUN / unit))
        run = text[-length:]
        if len(run) == length and run[unit:] == run[:-unit]:
            return True
    return False
