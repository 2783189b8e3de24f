"""The name a person sees, made from what a client claims. It is data, never a path: files are stored by id."""

import re
import unicodedata

from deeptrust.language.clean import BIDI_CONTROLS

SHOWN_CHARACTERS = 120
"""Longest shown name; longer ones lose their middle, so that beginning and extension stay readable."""

NAMELESS = "document"
"""Shown when nothing of the client's name is left."""

_INVISIBLE = frozenset("\u200b\u2060\ufeff\u00ad") | BIDI_CONTROLS
_FOLDERS = re.compile(r"^.*[/\\]", re.DOTALL)
_SUFFIX_CHARACTERS = 12


def shown_name(client_name: str) -> str:
    """The last part of `client_name`, in NFC, without control, bidirectional and other invisible characters.

    At most `SHOWN_CHARACTERS` long and never empty. Joiners that emoji and Persian need are kept.
    """
    last = _FOLDERS.sub("", unicodedata.normalize("NFC", client_name).rstrip("/\\"))
    seen = "".join(" " if character.isspace() else character for character in last)
    name = " ".join("".join(filter(_is_shown, seen)).split())
    return _shorten(name) if name.strip(". ") else NAMELESS


def _is_shown(character: str) -> bool:
    return character not in _INVISIBLE and unicodedata.category(character) not in {"Cc", "Cs", "Co", "Cn"}


def _shorten(name: str) -> str:
    if len(name) <= SHOWN_CHARACTERS:
        return name
    stem, dot, suffix = name.rpartition(".")
    ending = dot + suffix if stem and len(suffix) <= _SUFFIX_CHARACTERS else ""
    return name[: SHOWN_CHARACTERS - len(ending) - 1] + "…" + ending
