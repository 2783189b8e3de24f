"""The grammar of citation marks in what a model wrote: `[n]`, n a number of a source, and nothing else (RET-16)."""

import re
from dataclasses import dataclass

_MARK = re.compile(r"\[([1-9][0-9]{0,3})\]", re.ASCII)
_MARK_LIKE = re.compile(r"[\[【［〔⟦][\s^†#]*[-−–+]?\d[\d\s,;:.†L^–−-]*(?:†[^\]】］〕⟧]{0,40})?[\]】］〕⟧]")

_EMPTIED = re.compile(r"[\[(【][\s,;]+[\])】]")
"""What is left of "([1], [2])" or "[[1]]" without its marks."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence without its marks; the real numbers in order of first mention, and how many marks were not real."""

    text: str
    numbers: tuple[int, ...]
    dead_marks: int


def read_marks(text: str, source_count: int) -> Marked:
    """Take the citation marks out of `text`.

    `[2]` is real if 1 <= 2 <= `source_count`. Whatever merely looks like a mark ("[0]", "[-1]", "[1, 99]",
    "[1-3]", "【1】", "[999]") names no source: it is taken out as well and counted.
    """
    numbers: list[int] = []
    dead = 0
    for candidate in _MARK_LIKE.finditer(text):
        mark = _MARK.fullmatch(candidate.group())
        if mark is None or int(mark[1]) > source_count:
            dead += 1
        elif int(mark[1]) not in numbers:
            numbers.append(int(mark[1]))
    bare = re.sub(r"\s+(?=[.,;:!?](?:\s|$))", "", _EMPTIED.sub(" ", _MARK_LIKE.sub(" ", text)))
    return Marked(" ".join(bare.split()), tuple(numbers), dead)


def write_marks(sentence: str, numbers: tuple[int, ...]) -> str:
    """Put marks behind a sentence: "Water boils. [1] [2]"."""
    return " ".join([sentence, *(f"[{number}]" for number in numbers)])
