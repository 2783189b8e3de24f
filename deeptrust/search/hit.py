"""Foreign text to a hit: markup removed, bytes cleaned, disguises made visible."""

import html
import re

from deeptrust.language.clean import BIDI_CONTROLS, clean_text, fold_space
from deeptrust.search.address import web_link
from deeptrust.search.base import SearchHit

LONGEST_TITLE = 300
LONGEST_SNIPPET = 1_000
"""Characters; engines show about 60 and 300, so only a broken page is longer."""

_MARK = "\ufffd"
_BIDI = re.compile("[" + "".join(sorted(BIDI_CONTROLS)) + "]")
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")


def make_hit(title: object, url: object, snippet: object) -> SearchHit | None:
    """A hit of what an engine sent, or None if it lacks a title or a link that can be shown (WEB-08, WEB-17).

    Characters that change the reading direction are shown as a replacement mark in the title, which is read
    as a name.
    """
    if not isinstance(title, str) or not isinstance(url, str):
        return None
    shown = _cut(fold_space(_BIDI.sub(_MARK, clean_text(title))), LONGEST_TITLE)
    link = web_link(clean_text(url))
    if not shown or link is None:
        return None
    text = fold_space(clean_text(snippet)) if isinstance(snippet, str) else ""
    return SearchHit(title=shown, url=link, snippet=_cut(text, LONGEST_SNIPPET))


def strip_markup(fragment: object) -> str:
    """The text of a snippet of HTML: tags out, entities decoded once; empty if it is no text at all."""
    return html.unescape(_TAG.sub("", fragment)) if isinstance(fragment, str) else ""


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
