"""What is asked of a model, and a reply in the making: pieces of text, then the bill."""

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeAlias

from deeptrust.domain.chat import FinishReason, Message
from deeptrust.errors import BadInput

_TOO_LONG = re.compile(
    r"(?:context|prompt)[ _](?:window|size|length)|prompt is (?:too long|longer)|input is too long", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call. None leaves a choice to the settings; `stop` holds texts that end the reply."""

    messages: tuple[Message, ...]
    schema: dict[str, object] | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Why a reply ended and what it cost, in tokens of the model. `note` says in a sentence why it was cut."""

    finish_reason: FinishReason
    prompt_tokens: int
    completion_tokens: int
    note: str = ""


Reply: TypeAlias = AsyncGenerator[str | Usage, None]
"""Pieces of text in order, and one `Usage` as the last item."""


async def cut_at(reply: Reply, stop: Sequence[str]) -> Reply:
    """Pass `reply` on until one of the texts in `stop` comes, which is kept back, with all that might become one."""
    held = ""
    made = 0
    longest = max(map(len, stop), default=1)
    async with aclosing(reply):
        async for item in reply:
            if isinstance(item, Usage):
                if held:
                    yield held
                yield item
                return
            made += 1
            held += item
            found = [at for text in stop if (at := held.find(text)) >= 0]
            if found:
                if head := held[: min(found)]:
                    yield head
                yield Usage(FinishReason.END, prompt_tokens=0, completion_tokens=made)
                return
            sure = len(held) - (longest - 1)
            if sure > 0:
                yield held[:sure]
                held = held[sure:]


def prompt_too_long(name: str, prompt_tokens: int, context_tokens: int, *, is_estimate: bool = False) -> BadInput:
    """The error for a prompt beyond the window, which is refused and never cut (LLM-10)."""
    about = "about " if is_estimate else ""
    return BadInput(
        f"The prompt has {about}{prompt_tokens:,} tokens, but {name} reads {context_tokens:,} at most. "
        "Ask a shorter question or use fewer passages."
    )


def prompt_refused(name: str, context_tokens: int) -> BadInput:
    """The error for a prompt that we took for short enough, and the server did not (LLM-10)."""
    return BadInput(
        f"{name} refuses the prompt as too long, though it was estimated to fit into {context_tokens:,} tokens. "
        "Ask a shorter question, use fewer passages, or set DEEPTRUST_CONTEXT_TOKENS to the window of this model."
    )


def is_too_long(complaint: str) -> bool:
    """Whether the words with which a server refuses a request say that its prompt does not fit into the window."""
    return _TOO_LONG.search(complaint) is not None
