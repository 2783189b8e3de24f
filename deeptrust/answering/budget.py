"""What of a prompt fits into a model's window: tokens are counted before each call, and nothing is cut silently."""

from collections.abc import Sequence
from typing import Protocol

from deeptrust.errors import BadInput

_FRAMES = 32
"""Tokens that the chat format and the joints of the prompt take."""


class Window(Protocol):
    """What of a chat model decides how much it can read."""

    @property
    def name(self) -> str:
        """Named in sentences to the person."""
        ...

    @property
    def context_tokens(self) -> int:
        """Window for prompt and reply together."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of `text`."""
        ...


class TokenBudget:
    """Tokens of a window that are left for the prompt once the reply has its share."""

    def __init__(self, model: Window, *, reply_tokens: int) -> None:
        """Begin with all of `model`'s window but `reply_tokens` and what the chat format takes."""
        self._model = model
        self._left = model.context_tokens - reply_tokens - _FRAMES

    def require(self, what: str, *texts: str) -> None:
        """Spend what `texts` need.

        Raises:
            BadInput: they do not fit; `what` opens the sentence ("The question").
        """
        self._left -= sum(map(self._model.count_tokens, texts))
        if self._left < 0:
            raise BadInput(
                f"{what} does not fit into the {self._model.context_tokens:,} tokens that {self._model.name} reads. "
                "Make it shorter, or choose a model with a larger window."
            )

    def fit(self, blocks: Sequence[str]) -> list[str]:
        """Spend on `blocks` in their order, best first, until the first one that does not fit; return those before."""
        kept: list[str] = []
        for block in blocks:
            cost = self._model.count_tokens(block)
            if cost > self._left:
                break
            self._left -= cost
            kept.append(block)
        return kept


def tell_left_out(model: Window, *counts: tuple[int, str]) -> str:
    """Say how many of what were left out of a prompt, for the trace; empty if nothing was.

    `counts` are pairs like (3, "sources").
    """
    named = [f"{count:,} {noun}" for count, noun in counts if count]
    if not named:
        return ""
    return f"Left out of what {model.name} reads ({model.context_tokens:,} tokens): {', '.join(named)}."
