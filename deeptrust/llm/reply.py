"""A reply in the making: pieces of text, then the bill. Every model makes one; the seam shows two views of it."""

import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeAlias

from deeptrust.domain.chat import Completion, FinishReason, Message
from deeptrust.errors import BadInput


@dataclass(frozen=True)
class Usage:
    """Why a reply ended and what it cost, in tokens of the model."""

    finish_reason: FinishReason
    prompt_tokens: int
    completion_tokens: int


Reply: TypeAlias = AsyncGenerator[str | Usage, None]
"""Pieces of text in order, and one `Usage` as the last item."""


class Replying(ABC):
    """Gives a model its `stream` and `complete`, both made of its `reply`."""

    @abstractmethod
    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, object] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Reply:
        """Yield pieces, then the usage."""

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, object] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> AsyncGenerator[str, None]:
        """Yield the pieces; closing this closes the reply."""
        reply = self.reply(messages, schema=schema, max_tokens=max_tokens, temperature=temperature)
        async with aclosing(reply):
            async for item in reply:
                if isinstance(item, str):
                    yield item

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, object] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Completion:
        """Wait for the whole reply. `seconds` counts from the call, waiting in the queue included."""
        started = time.perf_counter()
        pieces: list[str] = []
        usage = Usage(FinishReason.STOPPED, prompt_tokens=0, completion_tokens=0)
        reply = self.reply(messages, schema=schema, max_tokens=max_tokens, temperature=temperature)
        async with aclosing(reply):
            async for item in reply:
                if isinstance(item, str):
                    pieces.append(item)
                else:
                    usage = item
        return Completion(
            text="".join(pieces),
            finish_reason=usage.finish_reason,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            seconds=time.perf_counter() - started,
        )


def prompt_too_long(name: str, prompt_tokens: int, context_tokens: int) -> BadInput:
    """The error for a prompt beyond the window, which is refused and never cut (LLM-10)."""
    return BadInput(
        f"The prompt has {prompt_tokens:,} tokens, but {name} reads {context_tokens:,} at most. "
        "Ask a shorter question or use fewer passages."
    )
