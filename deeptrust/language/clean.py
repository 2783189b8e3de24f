"""Cleaning of foreign text at the edge, so that no store, prompt or page meets a byte it cannot hold."""

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")

BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the reading direction; harmless in prose, a disguise in names (UI-19)."""


def clean_text(text: str) -> str:
    """Return `text` without NUL, lone surrogates and control characters other than newline and tab.

    All line ends become newlines, and the result is in Unicode form NFC. The function is idempotent.
    """
    text = _LINE_END.sub("\n", text)
    text = _SURROGATE.sub("\ufffd", text)
    return unicodedata.normalize("NFC", _CONTROL.sub("", text))


def fold_space(text: str) -> str:
    """Return `text` on one line, runs of white space folded into one blank."""
    return " ".join(text.split())


def is_visible(text: str) -> bool:
    """Whether there is anything to see in `text`: marks that only join, turn or separate are nothing to read."""
    return any(unicodedata.category(character)[0] not in "CMZ" for character in text if not character.isspace())
