"""Where a text may be cut: after a paragraph, a sentence, a word, or at worst between two whole characters."""

import re
import unicodedata

_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?…؟۔।][\"'”’»)\]]*\s+|[。！？][”’」』）]*\s*")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_CLOSING = frozenset("。、，．！？；：」』）】》〉・ー々ゝヽっッゃャゅュょョ")
_JOINER = "\u200d"
_FLAGS_LOOKED_AT = 64  # a page of nothing but flags must not cost quadratic time


def is_word_break(text: str, at: int) -> bool:
    """True if no word goes across `at`: whitespace on a side, or an ideograph, since those scripts set no spaces.

    A mark that closes a phrase stays with the character before it (Unicode Standard Annex 14, class CL).
    """
    before, after = text[at - 1], text[at]
    if before.isspace() or after.isspace():
        return True
    is_between_words = _IDEOGRAPH.match(before) or _IDEOGRAPH.match(after) or before in _CLOSING
    return bool(is_between_words) and after not in _CLOSING and is_character_break(text, at)


def is_character_break(text: str, at: int) -> bool:
    """True if no visible character goes across `at`: accents, joined emoji, skin tones and flags stay whole.

    The rules of Unicode Standard Annex 29 that concern stored text, without the Hangul and Indic clusters.
    """
    before, after = text[at - 1], text[at]
    if unicodedata.category(after)[0] == "M" or _JOINER in (before, after) or "\U0001f3fb" <= after <= "\U0001f3ff":
        return False
    if _is_flag_half(before) and _is_flag_half(after):
        return _flag_halves_before(text, at) % 2 == 0
    return True


def find_end(text: str, start: int, limit: int) -> int:
    """The best place in (start, limit] to end a passage that begins at `start`; `limit` is inside the text.

    A paragraph or sentence end counts in the second half only, lest passages become crumbs.
    """
    half = start + (limit - start + 1) // 2
    for pattern in (_PARAGRAPH_END, _SENTENCE_END):
        ends = [match.end() for match in pattern.finditer(text, half, limit)]
        if ends:
            return ends[-1]
    for is_break in (is_word_break, is_character_break):
        for at in range(limit, start, -1):
            if is_break(text, at):
                return at
    return limit


def find_overlap(text: str, start: int, end: int) -> int:
    """The first sentence, else the first word, that begins in [start, end); `end` if none does."""
    sentence = _SENTENCE_END.search(text, start, end)
    if sentence and sentence.end() < end:
        return sentence.end()
    return next((at for at in range(start, end) if is_word_break(text, at) and not text[at].isspace()), end)


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_halves_before(text: str, at: int) -> int:
    first = at
    while first > max(0, at - _FLAGS_LOOKED_AT) and _is_flag_half(text[first - 1]):
        first -= 1
    return at - first
