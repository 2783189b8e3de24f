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

_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ĳ": "ij", "Ĳ": "IJ"}
)
_BREAK = re.compile(r"(\w+)[-\u2010\u00ad][ \t]*\n[ \t]*(\w+)([^\w\s]*)[ \t]*")
_BLANK_LINES = re.compile(r"\n{3,}")
_PAGE_NUMBER = re.compile(r"^(?:page )?\d{1,4}(?=\s|$)|(?:^|(?<=\s))(?:page )?\d{1,4}$", re.IGNORECASE)


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
    counts = Counter(key for lines in split for key in {_key(lines[at]) for at in _edges(lines)})
    least = max(REPEATED_PAGES, REPEATED_SHARE * len(pages))
    repeated = {key for key, count in counts.items() if key and count >= least}
    seen: set[str] = set()
    kept: list[str] = []
    for lines in split:
        edges = _edges(lines)
        keys = {_key(lines[at]) for at in edges} & repeated
        rest = [line for at, line in enumerate(lines) if at not in edges or _key(line) not in seen]
        # A page that has nothing else (slides with one line each) keeps its lines: no page is emptied.
        kept.append("\n".join(rest if any(line.strip() for line in rest) else lines))
        seen |= keys
    return kept


def _edges(lines: list[str]) -> set[int]:
    last = len(lines)
    return {at for at in range(last) if at < EDGE_LINES or at >= last - EDGE_LINES}


def _key(line: str) -> str:
    """The line without its page number; empty for a line without words, which is never a running header."""
    key = _PAGE_NUMBER.sub("", line.strip()).strip()
    return key if sum(map(str.isalpha, key)) >= 4 else ""


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
