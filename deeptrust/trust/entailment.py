"""Rules that say whether a text supports a sentence: numbers, names, share of words, and no contradiction.

They are strict on purpose: what they pass is shown as supported, and a refuted sentence shown as supported
is the error that a person pays for. Measured in docs/answerability.md.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from deeptrust.language.sentences import split_sentences
from deeptrust.language.words import content_terms, fold, index_terms, names, numbers
from deeptrust.trust.measures import find_changed_measure, write_digits

WORD_SHARE = 0.7
"""Least share of a sentence's content words that the source must hold; curve in docs/answerability.md."""

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|lacks?|lacking|fail(?:s|ed)?|refus(?:es|ed)|den(?:y|ies|ied)|nicht|"
    r"kein\w*|nie)\b|n['’]t\b|\bn 't\b"
)
_OPPOSITES = (
    ("increase", "decrease"), ("increased", "decreased"), ("increases", "decreases"), ("higher", "lower"),
    ("more", "less"), ("more", "fewer"), ("before", "after"), ("first", "last"), ("largest", "smallest"),
    ("larger", "smaller"), ("rise", "fall"), ("rose", "fell"), ("gain", "loss"), ("allowed", "forbidden"),
    ("allows", "forbids"), ("won", "lost"), ("positive", "negative"), ("above", "below"), ("best", "worst"),
    ("promotes", "inhibits"), ("activates", "inhibits"), ("upregulates", "downregulates"), ("north", "south"),
    ("east", "west"), ("minimum", "maximum"), ("true", "false"), ("alive", "dead"), ("born", "died"),
)  # fmt: skip
_OPPOSITE_OF = {
    word: frozenset(b if word == a else a for a, b in _OPPOSITES if word in (a, b))
    for word in {word for pair in _OPPOSITES for word in pair}
}


@dataclass(frozen=True, slots=True)
class Support:
    """Whether a source supports a sentence, why not if it does not, the share of words found, and the best quote."""

    is_supported: bool
    reason: str
    word_share: float
    quote: str


def find_support(sentence: str, source: str, context: str = "") -> Support:
    """Check `sentence` against `source`; `context` (title, section) may supply names and words, never a quote."""
    everything = f"{source}\n{context}"
    terms = set(content_terms(sentence))
    held = set(index_terms(everything))
    share = len(terms & held) / len(terms) if terms else 0.0
    quote = find_best_sentence(terms, source)
    reason = (
        _missing_number(sentence, everything)
        or find_changed_measure(sentence, everything)
        or _missing_name(sentence, held)
        or ("" if share >= WORD_SHARE else f"only {share:.0%} of its words are in the source")
        or _contradiction(sentence, quote)
    )
    return Support(not reason, reason, share, quote)


def find_best_sentence(terms: Iterable[str], source: str) -> str:
    """The sentence of `source` that holds most of `terms`, the shorter one of equals; a substring of `source`."""
    wanted = set(terms)
    spans = split_sentences(source)
    if not spans:
        return source
    return max(spans, key=lambda span: (len(wanted & set(content_terms(span.text))), -len(span.text))).text


def denies(text: str) -> bool:
    """Whether a text holds a word that denies."""
    return _NEGATION.search(fold(text)) is not None


def _missing_number(sentence: str, source: str) -> str:
    missing = _all_numbers(sentence) - _all_numbers(source)
    return f"the source does not hold the number {min(missing)}" if missing else ""


def _all_numbers(text: str) -> set[str]:
    return numbers(write_digits(text))


def _missing_name(sentence: str, held: set[str]) -> str:
    missing = [name for name in names(sentence) if not set(index_terms(name)) <= held]
    return f"the source does not name “{min(missing)}”" if missing else ""


def _contradiction(sentence: str, quote: str) -> str:
    if denies(sentence) != denies(quote):
        return "one of the sentence and its source denies what the other says"
    said, found = fold(sentence), fold(quote)
    words, there = set(re.findall(r"\w+", said)), set(re.findall(r"\w+", found))
    for word in words & _OPPOSITE_OF.keys():
        if word not in there and (opposite := _OPPOSITE_OF[word] & there - words):
            return f"the source says “{min(opposite)}” where the sentence says “{word}”"
    return ""
