"""A posting as it is read: its blocks, sentences and labels, and how a value is cited."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from deeptrust.domain.study import Stated
from deeptrust.language.sentences import Span, split_sentences
from deeptrust.study.blocks import NAMED_LINE, Block, BlockKind, cut_blocks

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Label:
    """A line like `Location: Berlin`: the name folded, and the value where it stands."""

    name: str
    start: int
    end: int
    value: str
    block: Block


_ROW = re.compile(
    r"[ \t]*\|[ \t]*(?:\*\*)?(?P<name>[^|*]{2,40}?)(?:\*\*)?[ \t]*\|[ \t]*(?P<value>[^|]+?)[ \t]*\|?[ \t]*"
)
_LABEL = re.compile(
    r"(?:\*\*|__)?(?P<name>[^\W\d_][\w /&()'’-]{1,40}?)(?:\*\*|__)?[ \t]*(?::(?:\*\*|__)?|\s[–—-]\s)[ \t]*"
    r"(?P<value>\S.*?)[ \t]*(?:\*\*|__)?[ \t]*$"
)
_LONGEST_SENTENCE = 1000
_TO_A_MACHINE = re.compile(
    r"\bignore (?:all |any |the )*(?:previous|prior|above|earlier) (?:instructions|prompts?)|\bsystem prompt\b|"
    r"\byou are (?:an? )?(?:ai|language model|assistant)\b|\bdisregard (?:all|any|the) ",
    re.I,
)


class Posting:
    """A posting's text with its blocks, sentences and labels."""

    def __init__(self, text: str) -> None:
        """`text` is what `markup.to_text` returned."""
        self.text = text

    @cached_property
    def blocks(self) -> Sequence[Block]:
        """Every block in order."""
        return list(cut_blocks(self.text))

    @cached_property
    def sentences(self) -> Sequence[tuple[Block, Span]]:
        """Every sentence with its block; headings are sentences of their own, and an endless one is cut.

        A sentence that gives orders to a machine states nothing of the job: it is left out, and so is never cited.
        """
        return [
            (block, span)
            for block in self.blocks
            for sentence in split_sentences(block.text)
            for span in _cut_endless(Span(block.start + sentence.start, block.start + sentence.end, sentence.text))
            if not _TO_A_MACHINE.search(span.text)
        ]

    @cached_property
    def labels(self) -> Sequence[Label]:
        """Lines that name what they say, also where the value stands on the line below its heading."""
        return list(_labels(self.blocks))

    def label(self, pattern: re.Pattern[str]) -> Iterator[Label]:
        """Labels whose whole name matches."""
        return (label for label in self.labels if pattern.fullmatch(label.name))

    def cite(self, value: Value, start: int, end: int) -> Stated[Value]:
        """`value` with the sentence round [start, end); a value across sentences takes them all."""
        sentences = self.sentences
        at = max(0, bisect_right(sentences, start, key=_start_of) - 1)
        behind = bisect_left(sentences, end, lo=at, key=_start_of)
        touched = [span for _, span in sentences[at:behind] if start < span.end]
        first = min([span.start for span in touched], default=start)
        last = max([span.end for span in touched], default=end)
        return Stated(value=value, quote=self.text[first:last], start=first, end=last)


def _start_of(sentence: tuple[Block, Span]) -> int:
    return sentence[1].start


def _cut_endless(sentence: Span) -> Iterator[Span]:
    """The sentence, or stretches of it between words: what reads them takes time with the square of the length."""
    start, text = 0, sentence.text
    while start < len(text):
        end = start + _LONGEST_SENTENCE
        if end < len(text):
            end = max(text.rfind(" ", start, end), text.rfind("\n", start, end)) + 1 or end
        piece = text[start:end].strip()
        if piece:
            first = sentence.start + text.index(piece, start)
            yield Span(first, first + len(piece), piece)
        start = end


def _labels(blocks: Sequence[Block]) -> Iterator[Label]:
    for index, block in enumerate(blocks):
        if block.kind is not BlockKind.HEADING or NAMED_LINE.match(block.text):
            yield from _labels_of(block)
        elif index + 1 < len(blocks):
            below = blocks[index + 1]
            is_short = below.kind is not BlockKind.HEADING and len(below.text.split()) <= 14
            if is_short and not _LABEL.match(below.text.split("\n")[0]):
                yield Label(_fold(block.text), below.start, below.end, below.text.strip("*_ "), below)


def _labels_of(block: Block) -> Iterator[Label]:
    position = block.start
    for line in block.text.split("\n"):
        if len(line) <= _LONGEST_SENTENCE and (match := _ROW.fullmatch(line) or _LABEL.match(line)):
            start = position + match.start("value")
            value = match["value"]
            if value[0] == value[-1] == '"' and len(value) > 2:  # front matter
                start, value = start + 1, value[1:-1]
            yield Label(_fold(match["name"]), start, start + len(value), value, block)
        position += len(line) + 1


def _fold(name: str) -> str:
    return " ".join(name.casefold().replace("’", "'").split())
