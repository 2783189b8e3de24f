"""Titles worth showing."""

import re

from deeptrust.language.clean import clean_text, fold_space

TITLE_CHARACTERS = 200
"""Longest title that is shown."""

_LEFT_BY_PROGRAMS = re.compile(
    r"^(untitled.*|document\d*|title|microsoft word.*|microsoft powerpoint.*|powerpoint presentation|.*\.\w{2,5}|\W*)$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(```+|~~~+).*?^ {0,3}\1", re.MULTILINE | re.DOTALL)


def metadata_title(title: str | None) -> str | None:
    """The title that a file carries, unless it is what a program leaves behind (a file name, "untitled")."""
    words = _one_line(title or "")
    return None if _LEFT_BY_PROGRAMS.match(words) else words


def heading_title(markdown: str) -> str | None:
    """The first Markdown heading outside a code fence, as plain words."""
    found = _HEADING.search(_FENCE.sub("", markdown))
    return _one_line(re.sub(r"[*_`]+", "", found.group(1))) or None if found else None


def _one_line(text: str) -> str:
    return fold_space(clean_text(text))[:TITLE_CHARACTERS].strip()
