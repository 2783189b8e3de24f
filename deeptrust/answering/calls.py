"""One call of a chat model with its bill, whatever becomes of it: the trace shows failed calls too."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from deeptrust.answering.thinking import remove_thinking
from deeptrust.domain.chat import Message, ModelCall
from deeptrust.errors import BadInput, ModelUnavailable
from deeptrust.llm.base import ChatModel

Schema = dict[str, object]

_GRACE = 1.05
"""A model that is held to the same time by `llm.limits` keeps what it wrote until then, so that limit comes first."""

NO_ANSWER = "The model gave no answer."


@dataclass(frozen=True, slots=True)
class Called:
    """`text` is None if the model failed; `reason` then says why, as a sentence."""

    text: str | None
    call: ModelCall
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Wrote:
    """What a model wrote, or None with the reason, and each call that it took."""

    text: str | None
    calls: tuple[ModelCall, ...]
    reason: str = ""

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies together."""
        return sum_tokens(self.calls)


async def call_model(
    model: ChatModel,
    messages: Sequence[Message],
    *,
    purpose: str,
    max_tokens: int,
    timeout_seconds: float,
    schema: Schema | None = None,
    note: str = "",
) -> Called:
    """Call once; thinking aloud is cut out of the text. A call that failed or ran out of time is returned like any
    other, and its prompt is counted.

    Args:
        model: who is asked.
        messages: the prompt.
        purpose: `plan`, `audit` or `report`.
        max_tokens: longest reply.
        timeout_seconds: longest time, loading and waiting included.
        schema: JSON schema of the reply, for engines that can hold a model to one.
        note: what the trace should say of the prompt, for instance what was left out of it.
    """
    began = time.perf_counter()
    counted = sum(model.count_tokens(message.content) for message in messages)
    try:
        async with asyncio.timeout(timeout_seconds * _GRACE):
            completion = await model.complete(messages, schema=schema, max_tokens=max_tokens)
    except TimeoutError:
        reason = f"Model time-out: {model.name} did not answer within {timeout_seconds:g} seconds."
    except (ModelUnavailable, BadInput) as error:
        reason = str(error)
    else:
        call = ModelCall(
            model=model.name,
            purpose=purpose,
            prompt_tokens=completion.prompt_tokens or counted,
            completion_tokens=completion.completion_tokens,
            seconds=round(completion.seconds, 3),
            note=join_notes(note, completion.note),
        )
        return Called(remove_thinking(completion.text), call)
    call = ModelCall(
        model=model.name,
        purpose=purpose,
        prompt_tokens=counted,
        completion_tokens=0,
        seconds=round(time.perf_counter() - began, 3),
        note=join_notes(note, reason),
    )
    return Called(None, call, reason)


async def have_written(
    model: ChatModel, messages: Sequence[Message], *, max_tokens: int, timeout_seconds: float, note: str = ""
) -> Wrote:
    """Have a report or an answer written; an empty reply is asked for once more (LLM-06), a failure is not."""
    calls: list[ModelCall] = []
    for _ in range(2):
        called = await call_model(
            model, messages, purpose="report", max_tokens=max_tokens, timeout_seconds=timeout_seconds, note=note
        )
        if called.text is None:
            return Wrote(None, (*calls, called.call), called.reason)
        if called.text.strip():
            return Wrote(called.text, (*calls, called.call))
        calls.append(add_note(called.call, NO_ANSWER))
    return Wrote(None, tuple(calls), NO_ANSWER)


def add_note(call: ModelCall, note: str) -> ModelCall:
    """The call with one more sentence in its note."""
    return call.model_copy(update={"note": join_notes(call.note, note)})


def join_notes(*notes: str) -> str:
    """The sentences that say something, as one text."""
    return " ".join(filter(None, notes))


def sum_tokens(calls: Sequence[ModelCall]) -> int:
    """Tokens of prompts and replies of all calls."""
    return sum(call.prompt_tokens + call.completion_tokens for call in calls)
