"""Thinking aloud is no part of an answer: think blocks are taken out of a stream as it passes (LLM-01)."""

import re
from contextlib import aclosing

from deeptrust.llm.reply import Reply, Usage

_MARK = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)\b[^<>]*>", re.IGNORECASE)
_LONGEST_MARK = 60
"""Characters that are held back for a mark to end; a longer one is text."""


class ThinkingFilter:
    """Takes pieces and gives back what is said outside think blocks; marks may be split over pieces, blocks nested.

    A block that is never closed swallows the rest: a reply that only thought is an empty one. A closing mark alone is
    left for whoever reads the whole text: what came before it was thinking too, and is said already.
    """

    def __init__(self) -> None:
        self._held = ""
        self._depth = 0

    def take(self, piece: str) -> str:
        """Return what is sure to be said, of this piece and of what was held back before."""
        self._held += piece
        said: list[str] = []
        at = 0
        for mark in _MARK.finditer(self._held):
            if mark[1] and not self._depth:
                continue
            said.append(self._say(at, mark.start()))
            self._depth += -1 if mark[1] else 1
            at = mark.end()
        end = self._start_of_unsure(at)
        said.append(self._say(at, end))
        self._held = self._held[end:]
        return "".join(said)

    def finish(self) -> str:
        """Return what was held back for a mark that never came."""
        rest, self._held = self._held, ""
        return "" if self._depth else rest

    def _say(self, start: int, end: int) -> str:
        return "" if self._depth else self._held[start:end]

    def _start_of_unsure(self, start: int) -> int:
        """Index of a `<` at the end that may yet become a mark."""
        opening = self._held.rfind("<", max(start, len(self._held) - _LONGEST_MARK))
        return len(self._held) if opening < 0 or ">" in self._held[opening:] else opening


async def without_thinking(reply: Reply) -> Reply:
    """Pass `reply` on without its think blocks, and without the blank lines that stand between them and the answer."""
    thinking = ThinkingFilter()
    has_begun = False
    async with aclosing(reply):
        async for item in reply:
            said = thinking.finish() if isinstance(item, Usage) else thinking.take(item)
            if not has_begun:
                said = said.lstrip()
            if said:
                has_begun = True
                yield said
            if isinstance(item, Usage):
                yield item
