"""What a run asked of chat models: each call, and their sum."""

from collections.abc import Iterable
from dataclasses import dataclass

from deeptrust.domain.chat import ModelCall
from deeptrust.language.counting import count
from deeptrust.ui.views.text import duration


@dataclass(frozen=True)
class CallLine:
    """One model call of the trace; `note` says what was cut, left out or went wrong."""

    text: str
    note: str


@dataclass(frozen=True)
class Tally:
    """The model calls of a run so far; `models` are named once each, in the order in which they were asked."""

    models: tuple[str, ...] = ()
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0


def call_line(call: ModelCall) -> CallLine:
    """Return "SmolLM2-135M-Instruct · plan · 412 + 98 tokens · 3.1 s": tokens read, then written."""
    tokens = f"{call.prompt_tokens:,} + {call.completion_tokens:,} tokens"
    return CallLine(text=" · ".join([call.model, call.purpose, tokens, duration(call.seconds)]), note=call.note)


def tallied(tally: Tally, calls: Iterable[ModelCall]) -> Tally:
    """Return the tally with these calls added."""
    for call in calls:
        tally = Tally(
            models=tuple(dict.fromkeys((*tally.models, call.model))),
            calls=tally.calls + 1,
            tokens=tally.tokens + call.prompt_tokens + call.completion_tokens,
            seconds=tally.seconds + call.seconds,
        )
    return tally


def tally_text(tally: Tally) -> str:
    """Return "SmolLM2-135M-Instruct · 3 calls · 1,204 tokens · 12 s", or nothing where no model was asked."""
    if not tally.calls:
        return ""
    parts = [", ".join(tally.models), count(tally.calls, "call"), count(tally.tokens, "token")]
    return " · ".join([*parts, duration(tally.seconds)])
