"""From the lines of a page as a PDF draws them to text as a person would type it.

Three things in a PDF are ink, not language: ligature glyphs, hyphens that a line break made, and the same line on
every page. Each hides words from search and tears quotes apart.
"""

import re
from collections import Counter

from deeptrust.language.clean import clean_text

REPEATED_SHARE = 0.4
"""Share of pages from which a line at a page's edge is a running header; left and right pages have half each."""

REPEATED_PAGES = 4
"""Fewest pages on which a line must stand to count as a running header."""

EDGE_LINES = 3
"""How many lines at the top and at the bottom of a page may be running headers."""

_WORD_LETTERS = 4
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ĳ": "ij", "Ĳ": "IJ"}
)
_BREAK = re.compile(r"(\w+)[-\u2010\u00ad][ \t]*\n[ \t]*(\w+)([^\w\s]*)[ \t]*")
_BLANK_LINES = re.compile(r"\n{3,}")
_NUMBER_FIRST = re.compile(r"^(?:page )?(\d{1,4})(?:\s+|$)", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"(?:^|\s+)(?:page )?(\d{1,4})$", re.IGNORECASE)


def tidy_pages(texts: list[str]) -> list[str]:
    """Clean the pages of one document. A running header stays on the first page that has it."""
    pages = [_tidy_lines(text) for text in texts]
    pages = _drop_repeats(pages)
    compounds = _compounds(pages)
    return [_join_hyphens(page, compounds).strip() for page in pages]


def _tidy_lines(text: str) -> str:
    lines = (line.rstrip() for line in clean_text(text).translate(_LIGATURES).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip("\n")


def _drop_repeats(pages: list[str]) -> list[str]:
    split = [page.split("\n") for page in pages]
    marks = [_edge_marks(lines, at) for at, lines in enumerate(split)]
    counts = Counter(mark for page in marks for mark in set[str]().union(*page.values()))
    least = max(REPEATED_PAGES, REPEATED_SHARE * len(pages))
    repeated = {mark for mark, count in counts.items() if count >= least}
    seen: set[str] = set()
    kept: list[str] = []
    for lines, page in zip(split, marks, strict=True):
        rest = [line for at, line in enumerate(lines) if not page.get(at, set()) & seen]
        # A page that has nothing else (slides with one line each) keeps its lines: no page is emptied.
        kept.append("\n".join(rest if any(line.strip() for line in rest) else lines))
        seen |= set[str]().union(*page.values()) & repeated
    return kept


def _edge_marks(lines: list[str], page: int) -> dict[int, set[str]]:
    """The marks of each line at the page's edges, by line."""
    edges = {*range(min(EDGE_LINES, len(lines))), *range(max(0, len(lines) - EDGE_LINES), len(lines))}
    return {at: _marks(lines[at].strip(), page) for at in edges}


def _marks(line: str, page: int) -> set[str]:
    """What would be equal on each page if this line were a running header: itself, or itself but for a number at
    either end that counts along with the pages. "Total 500" and "Total 700" have no mark in common.
    """
    marks = {line} if _has_word(line) else set[str]()
    for pattern in (_NUMBER_FIRST, _NUMBER_LAST):
        found = pattern.search(line)
        if found:
            marks.add(f"{pattern.sub('', line)}\n{int(found.group(1)) - page}")
    return marks


def _has_word(line: str) -> bool:
    return sum(map(str.isalpha, line)) >= _WORD_LETTERS


def _compounds(pages: list[str]) -> set[str]:
    """Words that this document writes with a hyphen inside a line, in lower case."""
    return {word.lower() for page in pages for word in re.findall(r"\w+-\w+", page)}


def _join_hyphens(page: str, compounds: set[str]) -> str:
    """Put a broken word back together on its first line; a compound that the document knows keeps its hyphen."""

    def join(found: re.Match[str]) -> str:
        head, tail, after = found.groups()
        is_soft = "\u00ad" in found.group()
        is_word = head[-1].isalpha() and tail[0].islower()
        is_compound = f"{head}-{tail}".lower() in compounds
        hyphen = "" if is_soft or (is_word and not is_compound) else "-"
        return f"{head}{hyphen}{tail}{after}\n"

    return _BREAK.sub(join, page).replace("\u00ad", "")
