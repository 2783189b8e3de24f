"""Where a passage can be quoted: its sentences, the lines of a form, the rows of a table.

A PDF gives lines without saying what they are. What is read off them here: prose fills its lines, so a line that ends
early was ended by its writer; such lines with numbers under one without are the rows of a table; such lines right above
prose are its headings.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from deeptrust.domain.document import Passage
from deeptrust.language.sentences import Span, split_sentences
from deeptrust.language.words import content_terms

_FULL_LINE = 0.7
"""Share of the widest line below which a line of a PDF was ended by its writer, not by the margin."""
_LONGEST_HEADING = 12
"""Words; a longer line without an end mark is a sentence that the page cut."""
_SHORTEST_PROSE = 4
"""Words; less is no prose that a heading could stand above, but an initial or a label in a form."""
_GOES_ON = re.compile(
    r"(?:[,;(\-–—&]|\b(?:a|an|the|of|and|or|in|to|for|by|with|on|at|from|as|is|are|was|were))\s*$", re.I
)
_HEADING = re.compile(r"\s*#{1,6}\s")
_ENTRY = re.compile(r"(?P<key>[A-Za-z\d#][\w-]{0,5}) ?= ?(?=\S)")
"""What a code means, in a list of codes: "24 = Frequency Waiver"."""
_BULLET = re.compile(r"[-*•‣▪◦–][ \t]+(?=\S)")
_HYPHEN_AT_LINE_END = re.compile(r"(?<=[a-zà-ÿ])[-\u00ad]\s*\n\s*(?=[a-zà-ÿ])")
_TERMINAL = re.compile(r"[.!?…。！？][\"'”’»)\]*_]*\s*$")
_QUESTION = re.compile(r"[?？][\"'”’»)\]]*\s*$")
_TABLE_LINE = re.compile(r"^[ \t]*\|(?P<cells>.*\S.*)\|[ \t]*$", re.MULTILINE)
_CELL_BREAK = re.compile(r"(?<!\\)\|")
_NUMBERED_LINES = re.compile(r"[ \t]*\d+[ \t][^\n]*\n[ \t]*\d+[ \t]")
"""Two lines that both begin with a number: rows of a form; prose breaks like that too seldom to matter."""
_RULER = re.compile(r"[\s|:-]*")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A quotable stretch of a passage, `span.text == passage.text[span.start:span.end]`.

    `text` is the same on one line, for the eye; `meaning` is what is compared with a question: of a table's row it
    holds the column heads, of a code in a list (`key`) the line that says what the codes are of. A pointer (a heading,
    a question) says where an answer stands and never what it is.
    """

    span: Span
    text: str
    meaning: str
    is_fragment: bool
    is_pointer: bool = False
    key: str | None = None


def join_lines(text: str) -> str:
    """Return `text` on one line, words that a line end had hyphenated made whole."""
    return " ".join(_HYPHEN_AT_LINE_END.sub("", text).split())


def find_stretches(passage: Passage) -> list[Stretch]:
    """The stretches of a passage in reading order; Markdown headings and rulers are none."""
    found: list[Stretch] = []
    heads: list[str] = []
    at = 0
    for line in _TABLE_LINE.finditer(passage.text):
        if passage.text[at : line.start()].strip():
            heads = []
        found += _find_prose(passage, at, line.start())
        at = line.end()
        if _RULER.fullmatch(line["cells"]):
            heads = _split_cells(found.pop().span.text) if found and found[-1].is_fragment else []
        else:
            found.append(_read_row(line, heads))
    return found + _find_prose(passage, at, len(passage.text))


def _read_row(line: re.Match[str], heads: list[str]) -> Stretch:
    quote = line.group().strip()
    start = line.start() + line.group().index(quote)
    cells = _split_cells(quote)
    pairs = zip(heads, cells, strict=True) if len(heads) == len(cells) else (("", cell) for cell in cells)
    text = " · ".join(f"{head}: {cell}" if head else cell for head, cell in pairs if cell)
    return Stretch(Span(start, start + len(quote), quote), text, text, is_fragment=True)


def _split_cells(row: str) -> list[str]:
    return [cell.replace("\\|", "|").strip() for cell in _CELL_BREAK.split(row.strip().strip("|"))]


def _find_prose(passage: Passage, start: int, end: int) -> list[Stretch]:
    text = passage.text[start:end]
    widest = max(map(len, text.splitlines()), default=0)
    spans = [piece for span in split_sentences(text) for piece in _by_paragraphs(span, text, widest)]
    spans = [span for span in spans if not _HEADING.match(span.text) and any(map(str.isalnum, span.text))]
    listed = [_BULLET.match(span.text) is not None for span in spans]
    spans = [_without_bullet(span) for span in spans]
    stretches = [
        Stretch(
            Span(start + span.start, start + span.end, span.text),
            text=join_lines(span.text),
            meaning=join_lines(span.text),
            is_fragment=_is_fragment(passage, start, span),
            is_pointer=_QUESTION.search(span.text) is not None or _repeats_title(passage, span),
        )
        for span in spans
    ]
    stretches = _mark_headings(list(_label_rows(list(_label_entries(stretches)))))
    return list(_mark_heads_of_lists(stretches, listed))


def _by_paragraphs(span: Span, text: str, widest: int) -> list[Span]:
    """Cut where a line ends early and the next one begins anew: a heading, a row of a table, a form's field."""
    pieces: list[Span] = []
    start = 0
    for line_end in re.finditer(r"[ \t]*\n\s*(?=\S)", span.text):
        line_start = text.rfind("\n", 0, span.start + line_end.start()) + 1
        line = text[line_start : span.start + line_end.start()]
        is_early = len(line) < _FULL_LINE * widest and not span.text[line_end.end()].islower()
        is_listed = _NUMBERED_LINES.match(text, line_start) or _NUMBERED_LINES.match(span.text, line_end.end())
        is_entry = _ENTRY.match(span.text, line_end.end()) is not None
        if is_listed or is_entry or (is_early and not _GOES_ON.search(line)):
            pieces.append(_strip(span, start, line_end.end()))
            start = line_end.end()
    return [*pieces, _strip(span, start, len(span.text))]


def _without_bullet(span: Span) -> Span:
    bullet = _BULLET.match(span.text)
    return _strip(span, bullet.end(), len(span.text)) if bullet else span


def _strip(span: Span, start: int, end: int) -> Span:
    raw = span.text[start:end]
    begin = span.start + start + len(raw) - len(raw.lstrip())
    return Span(begin, begin + len(raw.strip()), raw.strip())


def _is_fragment(passage: Passage, start: int, span: Span) -> bool:
    """Whether this is no whole sentence: begun before the passage, ended after it, or a line without an end mark."""
    begins_inside = passage.start + start > 0 and span.start == 0
    return (begins_inside and span.text[0].islower()) or not _TERMINAL.search(span.text)


def _repeats_title(passage: Passage, span: Span) -> bool:
    """Whether a line holds nothing but words of the title, and perhaps a page number."""
    said = {term for term in content_terms(span.text) if not term.isdigit()}
    return said <= set(content_terms(passage.title)) and _TERMINAL.search(span.text) is None


def _label_entries(stretches: list[Stretch]) -> Iterator[Stretch]:
    """Give each entry of a list of codes the line that the list stands under."""
    head = ""
    for stretch in stretches:
        if entry := _ENTRY.match(stretch.text):
            meaning = f"{head.rstrip(':')}: {stretch.text}" if head else stretch.text
            yield replace(stretch, meaning=meaning, key=entry["key"], is_fragment=True)
        else:
            head = stretch.text if stretch.is_fragment else ""
            yield stretch


def _label_rows(stretches: list[Stretch]) -> Iterator[Stretch]:
    """Give lines with numbers the line without numbers that two or more of them stand under."""
    head = ""
    is_after_row = False
    for at, stretch in enumerate(stretches):
        is_row = _is_row(stretch)
        if stretch.key:
            yield stretch
        elif not is_row:
            following = stretches[at + 1 : at + 3]
            is_head = stretch.is_fragment and not is_after_row and len(following) == 2
            is_head = is_head and all(_is_row(row) for row in following)
            head = stretch.text if is_head else ""
            yield replace(stretch, is_pointer=stretch.is_pointer or is_head)
        else:
            yield replace(stretch, meaning=f"{head}: {stretch.text}" if head else stretch.text)
        is_after_row = is_row


def _mark_headings(stretches: list[Stretch]) -> list[Stretch]:
    """Short lines right above prose are pointers, unless they are the rows of a table."""
    marked: list[Stretch] = []
    is_above = False
    for stretch in reversed(stretches):
        is_row = stretch.meaning != stretch.text
        is_above = _is_prose(stretch) or (is_above and stretch.is_fragment and not is_row)
        is_short = stretch.is_fragment and len(stretch.text.split()) <= _LONGEST_HEADING
        is_heading = is_short and (is_above or stretch.text.endswith(":"))
        marked.append(replace(stretch, is_pointer=stretch.is_pointer or is_heading))
    return marked[::-1]


def _mark_heads_of_lists(stretches: list[Stretch], listed: list[bool]) -> Iterator[Stretch]:
    """Lines without an end mark right above an item of a list are pointers, unless they are items themselves."""
    for at, stretch in enumerate(stretches):
        is_head = stretch.is_fragment and not listed[at] and any(listed[at + 1 : at + 2])
        yield replace(stretch, is_pointer=stretch.is_pointer or is_head)


def _is_prose(stretch: Stretch) -> bool:
    return (
        not stretch.is_fragment
        and len(stretch.text.split()) >= _SHORTEST_PROSE
        and sum(map(str.islower, stretch.text)) > sum(map(str.isupper, stretch.text))
    )


def _is_row(stretch: Stretch) -> bool:
    return stretch.is_fragment and not stretch.key and any(character.isdigit() for character in stretch.text)
