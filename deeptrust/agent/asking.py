"""Asking a model for one object, up to three times, with the fault of the last reply told (D21)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from deeptrust.agent.json_reply import EmptyReply, UnusableReply
from deeptrust.agent.prompts import FittedPrompt, Schema
from deeptrust.answering.calls import add_note, call_model, sum_tokens
from deeptrust.domain.chat import ModelCall
from deeptrust.errors import BadInput
from deeptrust.llm.base import ChatModel

ATTEMPTS = 3
_MOST_EMPTY = 2
"""An empty reply is asked for once more, and not twice (LLM-06)."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Asked(Generic[Found]):
    """What came of it: `found`, or None with the reason, and each call. `left_out` is of the last prompt."""

    found: Found | None
    calls: tuple[ModelCall, ...]
    reason: str = ""
    left_out: str = ""

    @property
    def tokens(self) -> int:
        """Tokens of the prompts and replies of all attempts."""
        return sum_tokens(self.calls)


async def ask_model(
    model: ChatModel,
    write: Callable[[str | None], FittedPrompt],
    read: Callable[[str], Found],
    *,
    purpose: str,
    schema: Schema,
    max_tokens: int,
    timeout_seconds: float,
) -> Asked[Found]:
    """Ask until `read` accepts a reply.

    Args:
        model: who is asked.
        write: makes the prompt; it is given what was wrong with the last reply, but for an empty one. It may raise
            `BadInput`.
        read: returns the object, or raises `UnusableReply`.
        purpose: `plan` or `audit`, for the trace.
        schema: JSON schema, for engines that can hold a model to one.
        max_tokens: longest reply.
        timeout_seconds: longest time of one attempt; a model that is too slow, or fails, is not asked again (LLM-13).
    """
    fault: str | None = None
    calls: list[ModelCall] = []
    left_out, reason, empty = "", "", 0
    while len(calls) < ATTEMPTS and empty < _MOST_EMPTY:
        try:
            prompt = write(fault)
        except BadInput as error:
            return Asked(None, tuple(calls), str(error))
        left_out = prompt.left_out
        called = await call_model(
            model,
            prompt.messages,
            purpose=purpose,
            max_tokens=max_tokens,
            timeout_seconds=timeout_seconds,
            schema=schema,
            note=left_out,
        )
        if called.text is None:
            return Asked(None, (*calls, called.call), called.reason, left_out)
        try:
            return Asked(read(called.text), (*calls, called.call), "", left_out)
        except UnusableReply as error:
            reason = str(error)
            is_empty = isinstance(error, EmptyReply)
            empty, fault = empty + is_empty, None if is_empty else reason
            calls.append(add_note(called.call, reason))
            if called.call.seconds >= timeout_seconds:  # cut by the clock: another try would end the same way
                break
    return Asked(None, tuple(calls), reason, left_out)
