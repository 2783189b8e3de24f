"""Sentences with their offsets, for prose, lists and the broken lines of a PDF."""

import re
from dataclasses import dataclass

_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sr jr st vs etc e.g i.e cf al fig figs eq no nos vol pp p sec ch art ed eds inc ltd co corp "
    "dept approx est jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k gen col sgt capt lt rev hon gov sen "
    "rep z.b bzw ca d.h usw nr abs bd lit viz resp".split()
)

_BOUNDARY = re.compile(
    r"""
      (?P<stop>[.!?…]+[\"'”’»)\]]*)(?=\s|$)     # end mark, perhaps closing quotes, then white space
    | (?P<wide>[。！？｡]+[」』”’）]*)                # CJK end marks need no space
    | (?P<blank>\n[ \t]*\n\s*)                    # blank line
    | (?P<item>\n(?=[ \t]*(?:[-*•‣▪◦–]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\#{1,6}|\|)[ \t]))  # an item or heading follows
    """,
    re.VERBOSE,
)
_MONTH = re.compile(r"\s*(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])", re.IGNORECASE)
_HEADING_LINE = re.compile(r"[ \t]*#{1,6}[ \t].*")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: `text == source[start:end]`, without white space at its ends."""

    start: int
    end: int
    text: str


def split_sentences(text: str) -> list[Span]:
    """Split `text` into sentences in order; every character that is not white space is in exactly one.

    Single line breaks inside a sentence are kept (PDF lines wrap); blank lines, list items and Markdown
    headings end one. Abbreviations, initials and decimal points do not.
    """
    spans: list[Span] = []
    start = 0
    for boundary in _BOUNDARY.finditer(text):
        if boundary.lastgroup == "stop" and not _is_end(text, start, boundary):
            continue
        _append(spans, text, start, boundary.end())
        start = boundary.end()
    _append(spans, text, start, len(text))
    return spans


def _is_end(text: str, start: int, boundary: re.Match[str]) -> bool:
    """Whether an end mark ends a sentence and not an abbreviation, an initial, an item number or a day ("15. Mai")."""
    following = text[boundary.end() : boundary.end() + 3].lstrip()
    if following[:1].islower():
        return False
    if boundary["stop"][0] != ".":
        return True
    before = text[start : boundary.start()].split()
    word = before[-1].lstrip("([\"'“‘") if before else ""
    if word.isdigit() and (len(before) == 1 or (len(word) <= 2 and _MONTH.match(text, boundary.end()))):
        return False
    return word.lower() not in _ABBREVIATIONS and not (len(word) == 1 and word.isupper() and word != "I")


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    """Append text[start:end] stripped; a heading line at its head becomes a span of its own."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    heading = _HEADING_LINE.match(text, start, end)
    if heading and heading.end() < end and text[heading.end()] == "\n":
        spans.append(Span(start, heading.end(), text[start : heading.end()]))
        _append(spans, text, heading.end(), end)
        return
    spans.append(Span(start, end, text[start:end]))
