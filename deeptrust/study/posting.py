"""A posting cut into blocks, each with the section it stands in; every offset is into the posting's text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from deeptrust.domain.study import Stated
from deeptrust.language.sentences import Span, split_sentences
from deeptrust.study.sections import Section, section_of

Value = TypeVar("Value")


class BlockKind(StrEnum):
    """How a block is set."""

    HEADING = "heading"
    ITEM = "item"
    ROW = "row"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, list item, table row or paragraph: `text == posting[start:end]`, without its mark."""

    kind: BlockKind
    start: int
    end: int
    text: str
    section: Section
    heading: str


@dataclass(frozen=True, slots=True)
class Label:
    """A line like `Location: Berlin`: the name folded, and the value where it stands."""

    name: str
    start: int
    end: int
    value: str
    block: Block


_ITEM = re.compile(
    r"[ \t]*(?:[-*•‣▪◦–·●○✓✔➤►]|\(?\d{1,2}[.)]|(?:Step|Schritt|Stage|Round|Phase) \d{1,2}\s?[:.)–-])[ \t]+"
)
_HASHES = re.compile(r"[ \t]*(#{1,6})[ \t]+")
_BOLD_LINE = re.compile(r"[ \t]*(?:\*\*|__)(?P<text>[^*_]+?)(?:\*\*|__)[ \t]*:?[ \t]*")
_LINK = re.compile(r"\[(?P<words>[^\]]+)\]\([^)]*\)")
_RULE = re.compile(r"[ \t]*(?:[-*_=][ \t]*){3,}|[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*")
_ROW = re.compile(
    r"[ \t]*\|[ \t]*(?:\*\*)?(?P<name>[^|*]{2,40}?)(?:\*\*)?[ \t]*\|[ \t]*(?P<value>[^|]+?)[ \t]*\|?[ \t]*"
)
_NAMED_LINE = re.compile(r"[ \t]*(?:\*\*)?[^\W\d_][\w /&()'’-]{1,30}(?:\*\*)?:(?:\*\*)?[ \t]+\S")
_LABEL = re.compile(
    r"(?:\*\*|__)?(?P<name>[^\W\d_][\w /&()'’-]{1,40}?)(?:\*\*|__)?[ \t]*(?::(?:\*\*|__)?|\s[–—-]\s)[ \t]*"
    r"(?P<value>\S.*?)[ \t]*(?:\*\*|__)?[ \t]*$"
)
_TO_A_MACHINE = re.compile(
    r"\bignore (?:all |any |the )*(?:previous|prior|above|earlier) (?:instructions|prompts?)|\bsystem prompt\b|"
    r"\byou are (?:an? )?(?:ai|language model|assistant)\b|\bdisregard (?:all|any|the) ",
    re.I,
)
_WRAPPED = 55  # characters: a shorter line was ended on purpose
_LONGEST_HEADING_WORDS = 9
_LONGEST_LEAD_IN_WORDS = 12
_LEAD_IN_TO_PAPERS = re.compile(r"\b(?:resume|résumé|cv|provide|submit|attach|lebenslauf)\b", re.I)


class Posting:
    """A posting's text with its blocks, sentences and labels."""

    def __init__(self, text: str) -> None:
        """`text` is what `markup.to_text` returned."""
        self.text = text

    @cached_property
    def blocks(self) -> Sequence[Block]:
        """Every block in order; blank lines are in none."""
        return list(_cut(self.text))

    @cached_property
    def sentences(self) -> Sequence[tuple[Block, Span]]:
        """Every sentence with its block; headings are sentences of their own.

        A sentence that gives orders to a machine states nothing of the job: it is left out, and so is never cited.
        """
        return [
            (block, Span(block.start + span.start, block.start + span.end, span.text))
            for block in self.blocks
            for span in split_sentences(block.text)
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
        touched = [span for _, span in self.sentences if span.start < end and start < span.end]
        first = min([span.start for span in touched], default=start)
        last = max([span.end for span in touched], default=end)
        return Stated(value=value, quote=self.text[first:last], start=first, end=last)


def _cut(text: str) -> Iterator[Block]:
    section = listed = Section.OTHER  # a lead-in ("You have:") speaks for the items below it only
    heading = ""
    levels: dict[int, Section] = {}
    for start, end in _pieces(text):
        piece = text[start:end]
        mark = _HASHES.match(piece)
        words = _heading_words(piece, start == 0)
        if words is not None:
            found = section_of(words)
            level = len(mark[1]) if mark else 0
            parent = levels.get(max((lv for lv in levels if lv < level), default=0), Section.OTHER) if mark else None
            section = listed = found or parent or Section.OTHER
            heading = words
            if mark:
                levels = {lv: known for lv, known in levels.items() if lv < level} | {level: section}
            offset = start + piece.index(words)
            yield Block(BlockKind.HEADING, offset, offset + len(words), words, section, heading)
            continue
        item = _ITEM.match(piece)
        body = start + (item.end() if item else len(piece) - len(piece.lstrip()))
        kind = BlockKind.ITEM if item else BlockKind.ROW if piece.lstrip().startswith("|") else BlockKind.PROSE
        yield Block(kind, body, end, text[body:end], listed if item else section, heading)
        if not item:
            listed = _after_lead_in(piece, section) if piece.rstrip().endswith(":") else section


def _after_lead_in(lead_in: str, section: Section) -> Section:
    last = re.split(r"[.!?]\s", lead_in.strip())[-1]
    if _LEAD_IN_TO_PAPERS.search(last):
        return Section.APPLY
    announced = section_of(last) if len(last.split()) <= _LONGEST_LEAD_IN_WORDS else None
    if announced is None or announced not in (Section.REQUIRED, Section.PREFERRED, Section.DUTIES):
        return section
    return announced


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Offsets of headings, items and paragraphs: a wrapped line is joined to the one before it."""
    start = end = -1
    position = 0
    for line in text.split("\n"):
        line_start, position = position, position + len(line) + 1
        if not line.strip() or _RULE.fullmatch(line):
            if start >= 0:
                yield start, end
            start = -1
            continue
        if start >= 0 and _continues(text[start:end], line):
            end = line_start + len(line.rstrip())
            continue
        if start >= 0:
            yield start, end
        start, end = line_start, line_start + len(line.rstrip())
    if start >= 0:
        yield start, end


def _continues(before: str, line: str) -> bool:
    last = before.rsplit("\n", 1)[-1].strip()
    if _ITEM.match(line) or _HASHES.match(line) or _HASHES.match(before) or _BOLD_LINE.match(line):
        return False
    if _NAMED_LINE.match(line) or line.lstrip().startswith("|") or last.startswith("|"):
        return False
    if _BOLD_LINE.fullmatch(last) or last.endswith(":"):
        return False
    first = line.strip()[0]
    if first.islower() or first in "([," or last.endswith(("-", ",")):
        return True
    return len(last) >= _WRAPPED and last[-1] not in ".!?"


def _heading_words(piece: str, is_first: bool) -> str | None:
    """The words of a heading without its marks, or None for anything else."""
    if mark := _HASHES.match(piece):
        words = piece[mark.end() :].strip().strip("#*_ ").rstrip(":").strip()
        link = _LINK.fullmatch(words)
        return (link["words"] if link else words) or None
    if bold := _BOLD_LINE.fullmatch(piece):
        return bold["text"].strip().rstrip(":").strip() or None
    line = piece.strip()
    if _ITEM.match(piece) or "\n" in line or len(line.split()) > _LONGEST_HEADING_WORDS or re.search(r"[.!,;]$", line):
        return None
    words = line.rstrip(":").strip()
    is_announced = section_of(words) is not None
    if line.endswith(":"):
        return words if is_announced and not _LEAD_IN_TO_PAPERS.search(words) else None
    if ":" in line or is_first or not is_announced:
        return None
    return words if len(words.split()) <= 6 and not re.search(r"\d|https?:|@", words) else None


def _labels(blocks: Sequence[Block]) -> Iterator[Label]:
    for index, block in enumerate(blocks):
        if block.kind is not BlockKind.HEADING or _NAMED_LINE.match(block.text):
            yield from _labels_of(block)
        elif index + 1 < len(blocks):
            below = blocks[index + 1]
            is_short = below.kind is not BlockKind.HEADING and len(below.text.split()) <= 14
            if is_short and not _LABEL.match(below.text.split("\n")[0]):
                yield Label(_fold(block.text), below.start, below.end, below.text.strip("*_ "), below)


def _labels_of(block: Block) -> Iterator[Label]:
    position = block.start
    for line in block.text.split("\n"):
        if match := _ROW.fullmatch(line) or _LABEL.match(line):
            start = position + match.start("value")
            value = match["value"]
            if value[0] == value[-1] == '"' and len(value) > 2:  # front matter
                start, value = start + 1, value[1:-1]
            yield Label(_fold(match["name"]), start, start + len(value), value, block)
        position += len(line) + 1


def _fold(name: str) -> str:
    return " ".join(name.casefold().replace("’", "'").split())
