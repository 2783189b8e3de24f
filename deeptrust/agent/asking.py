"""Asking a model for one object, up to three times, with the fault of the last reply told (D21)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from deeptrust.agent.json_reply import UnusableReply
from deeptrust.agent.prompts import Schema
from deeptrust.domain.chat import Message
from deeptrust.errors import BadInput, ModelUnavailable
from deeptrust.llm.base import ChatModel

ATTEMPTS = 3

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Asked(Generic[Found]):
    """What came of it: `found`, or None with the reason. `tokens` counts prompts and replies of all attempts."""

    found: Found | None
    attempts: int
    tokens: int
    reason: str


async def ask_model(
    model: ChatModel,
    write: Callable[[str | None], Sequence[Message]],
    read: Callable[[str], Found],
    *,
    schema: Schema,
    max_tokens: int,
    timeout_seconds: float,
) -> Asked[Found]:
    """Ask until `read` accepts a reply.

    Args:
        model: who is asked.
        write: makes the prompt; it is given what was wrong with the last reply.
        read: returns the object, or raises `UnusableReply`.
        schema: JSON schema, for engines that can hold a model to one.
        max_tokens: longest reply.
        timeout_seconds: longest time of one attempt; a model that is too slow is not asked again.
    """
    fault: str | None = None
    tokens = 0
    for attempt in range(1, ATTEMPTS + 1):
        try:
            async with asyncio.timeout(timeout_seconds):
                completion = await model.complete(write(fault), schema=schema, max_tokens=max_tokens)
            tokens += completion.prompt_tokens + completion.completion_tokens
            return Asked(read(completion.text), attempt, tokens, "")
        except UnusableReply as error:
            fault = str(error)
        except TimeoutError:
            return Asked(None, attempt, tokens, f"The model did not answer within {timeout_seconds:g} seconds.")
        except (ModelUnavailable, BadInput) as error:
            return Asked(None, attempt, tokens, str(error))
    return Asked(None, ATTEMPTS, tokens, fault or "")
