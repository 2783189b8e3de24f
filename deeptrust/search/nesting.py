"""A look at how deep a page nests, before a parser is let at it."""

import re

DEEPEST_PAGE = 500
"""Open elements inside one another. Browsers stop near 512; the parser's time grows with the square."""

_TAG = re.compile(r"<(/?)([a-z][a-z0-9-]*)", re.IGNORECASE)
_CLOSE_THEMSELVES = frozenset(
    "area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody option".split()
)
"""Elements without an end tag, or with one that may be left out."""


def is_nested_too_deep(html: str) -> bool:
    """Whether more than `DEEPEST_PAGE` elements are open at once; one pass over the text."""
    depth = 0
    for found in _TAG.finditer(html):
        if found[2].lower() in _CLOSE_THEMSELVES:
            continue
        depth = max(depth - 1, 0) if found[1] else depth + 1
        if depth > DEEPEST_PAGE:
            return True
    return False
