"""Words as retrieval and checking see them: folded, stemmed, with CJK text as character pairs."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0002fa1f"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:['’][^\W\d_{_CJK}]+)*")
_NUMBER = re.compile(r"(?<![\w.,])[-+−]?\d+(?:[.,]\d+)*(?![\w]*\d)")
_NAME = re.compile(r"[^\W\d_][\w’'&.-]*\w|[^\W\d_]")
_SPAN_START = re.compile(r"(?:^|[.!?:;。！？\n]|[\"“”«»(\[]|[-*•]\s)\s*$")

STOP_WORDS = frozenset(
    # English, then the commonest German, French and Spanish function words and question words, without those that
    # are English words of weight (die, war, hat, bin, sin, son, pour).
    "a about above after again against all also am an and any are as at be because been before being below between "
    "both but by can could did do does doing down during each few for from further get had has have having he her "
    "here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or "
    "other our ours out over own per same she should so some such than that the their theirs them then there these "
    "they this those through to too under until up us very was we were what when where which while who whom whose "
    "why will with would you your yours "
    "aber als am an auch auf aus bei bis da das dass dem den der des dies diese du durch ein eine einem einen "
    "einer es für hatte ich ihr im in ist ja kann mit nach nicht noch nur oder sein sich sie sind so um und vom "
    "von vor was wer wenn wie wird wo wurde zu zum zur über welche welcher welches warum wann "
    "au aux avec ce ces cette dans de des du elle en est et il ils la le les leur lui mais ne nous on ou où par pas "
    "que qui quel quelle quels quelles quand comment sa se ses sur un une vous y "
    "al como con cual cuando cuál cuándo del donde dónde el ella es esta este fue ha la las lo los más o para pero "
    "por porque qué que quien quién se si sobre su sus un una y ya".split()
)


class _Stemming(threading.local):
    """A Snowball stemmer has a buffer of its own and is not thread-safe: one a thread."""

    def __init__(self) -> None:
        self.stem = Stemmer.Stemmer("english").stemWord


_stemming = _Stemming()


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return _stemming.stem(word)


def fold(text: str) -> str:
    """Return `text` in form NFKC, case folded, soft hyphens removed, typographic apostrophes made plain."""
    return unicodedata.normalize("NFKC", text).replace("\u00ad", "").replace("’", "'").casefold()


def index_terms(text: str) -> list[str]:
    """Terms of `text` in order, repeats kept: stemmed words (Snowball English), CJK as character pairs.

    Stop words are kept: BM25 weighs them down by itself, and "The Who" stays findable. A CJK run of one
    character gives that character (RET-06).
    """
    return [term for word in _words(text) for term in _terms_of(word)]


def content_terms(text: str) -> list[str]:
    """Like `index_terms`, without stop words and possessive endings."""
    return [term for word in _words(text) if word not in STOP_WORDS for term in _terms_of(word)]


def numbers(text: str) -> set[str]:
    """Numbers of `text`, normalised so that "1,000", "1000" and "1000.0" are one; signs are kept.

    Digits glued to letters ("COVID-19" gives 19, "B2B" none) count only where a word boundary allows.
    """
    return {_normal_number(match.group()) for match in _NUMBER.finditer(unicodedata.normalize("NFKC", text))}


def names(text: str) -> set[str]:
    """Folded names: capitalised words and acronyms that do not merely start a sentence, plus any ALL-CAPS word."""
    found: set[str] = set()
    for match in _NAME.finditer(text):
        word = match.group().removesuffix("'s").removesuffix("’s")
        if not word[0].isupper() or len(word) < 2 or word.casefold() in STOP_WORDS:
            continue
        is_acronym = sum(letter.isupper() for letter in word) > 1
        if is_acronym or not _SPAN_START.search(text[max(0, match.start() - 4) : match.start()]):
            found.add(fold(word))
    return found


def has_cjk(text: str) -> bool:
    """True if any character is Chinese, Japanese kana or an ideograph: such text has no spaces to split on."""
    return _CJK_RUN.search(text) is not None


def _words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(fold(text)):
        yield match.group().removesuffix("'s")


def _terms_of(word: str) -> Iterator[str]:
    if not _CJK_RUN.match(word):
        yield _stem(word)
    elif len(word) == 1:
        yield word
    else:
        yield from (word[i : i + 2] for i in range(len(word) - 1))


def _normal_number(raw: str) -> str:
    """One spelling for one number: thousands marks go, a decimal comma becomes a point, trailing zeros go."""
    sign = "-" if raw[0] in "-−" else ""
    digits = raw.lstrip("+-−")
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", digits):
        digits = re.sub(r"[.,]", "", digits)
    else:
        whole, separator, rest = digits.replace(",", ".").rpartition(".")
        digits = whole.replace(".", "") + "." + rest if separator else rest
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return sign + (digits.lstrip("0") or "0")
