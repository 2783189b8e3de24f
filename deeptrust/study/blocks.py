"""The blocks of a posting (headings, items, rows, paragraphs), each with the section it stands in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from deeptrust.study.sections import Section, section_of


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


_ITEM = re.compile(
    r"[ \t]*(?:[-*•‣▪◦–·●○✓✔➤►]|\(?\d{1,2}[.)]|(?:Step|Schritt|Stage|Round|Phase) \d{1,2}\s?[:.)–-])[ \t]+"
)
_HASHES = re.compile(r"[ \t]*(#{1,6})[ \t]+")
_BOLD_LINE = re.compile(r"[ \t]*(?:\*\*|__)(?P<text>[^*_]+?)(?:\*\*|__)[ \t]*:?[ \t]*")
_LINK = re.compile(r"\[(?P<words>[^\]]+)\]\([^)]*\)")
_RULE = re.compile(r"[ \t]*(?:[-*_=][ \t]*){3,}|[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*")
NAMED_LINE = re.compile(r"[ \t]*(?:\*\*)?[^\W\d_][\w /&()'’-]{1,30}(?:\*\*)?:(?:\*\*)?[ \t]+\S")
"""A line that begins with a name and a colon, as "Location: Berlin"."""
_ADDRESS_AT_END = re.compile(r"https?://\S+$")
_WRAPPED = 55  # characters: a shorter line was ended on purpose
_LONGEST_HEADING_WORDS = 9
_LONGEST_LEAD_IN_WORDS = 12
_LEAD_IN_TO_PAPERS = re.compile(r"\b(?:resume|résumé|cv|provide|submit|attach|lebenslauf)\b", re.I)


def cut_blocks(text: str) -> Iterator[Block]:
    """Every block of `text` in order; blank lines and rules are in none."""
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
    if NAMED_LINE.match(line) or line.lstrip().startswith("|") or last.startswith("|"):
        return False
    if _BOLD_LINE.fullmatch(last) or last.endswith(":") or _ADDRESS_AT_END.search(last):
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
    if (
        _ITEM.match(piece)
        or line[0] == "|"
        or "\n" in line
        or len(line.split()) > _LONGEST_HEADING_WORDS
        or re.search(r"[.!,;]$", line)
    ):
        return None
    words = line.rstrip(":").strip()
    is_announced = section_of(words) is not None
    if line.endswith(":"):
        return words if is_announced and not _LEAD_IN_TO_PAPERS.search(words) else None
    if ":" in line or is_first or not is_announced:
        return None
    return words if len(words.split()) <= 6 and not re.search(r"\d|https?:|@", words) else None
