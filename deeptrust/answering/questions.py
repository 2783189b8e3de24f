"""What a question asks for: its words, the kind of thing wanted, and its parts."""

import re
from dataclasses import dataclass
from enum import StrEnum

from deeptrust.language.senses import sense_terms
from deeptrust.language.words import fold


class AnswerKind(StrEnum):
    """The kind of thing that would answer."""

    DATE = "date"
    NUMBER = "number"
    EXTENT = "extent"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    DEFINITION = "definition"
    OTHER = "other"


OPEN_KINDS = frozenset({AnswerKind.REASON, AnswerKind.DEFINITION, AnswerKind.OTHER})
"""Kinds that ask for a matter to be explained, not for one fact."""

_KIND_CUES: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    (AnswerKind.EXTENT, re.compile(r"\b(?:how (?:long|soon|quickly)|wie lange)\b")),
    (AnswerKind.NUMBER, re.compile(r"\bhow (?:many|much|old|far|tall|big|large|high|often|fast)\b")),
    (AnswerKind.NUMBER, re.compile(r"\b(?:what (?:percent|percentage|number|age)|wie ?viele?|combien|cuánt[oa]s?)\b")),
    (AnswerKind.DATE, re.compile(r"\b(?:when|(?:what|which) (?:year|date|day|month|decade)|wann|quand|cuándo)\b")),
    (AnswerKind.PERSON, re.compile(r"\b(?:who|whom|whose|wer|wem|qui|quién)\b")),
    (AnswerKind.PLACE, re.compile(r"\b(?:where|(?:what|which) (?:country|city|state|place)|wo|où|dónde)\b")),
    (AnswerKind.REASON, re.compile(r"\b(?:why|reason|warum|pourquoi|por qué)\b")),
    (AnswerKind.DEFINITION, re.compile(r"\b(?:what (?:is|are|was|were)|define|meaning|was ist|was sind)\b")),
)
_NUMBER_WORD = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|"
    "million|billion|half|dozen"
)
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_UNIT = (
    "second|minute|hour|day|night|week|month|quarter|year|decade|centur|millisecond|met(?:er|re)|kilomet|mile|"
    "f[oe]{2}t|inch"
)
_KIND_EVIDENCE: dict[AnswerKind, re.Pattern[str]] = {
    AnswerKind.DATE: re.compile(
        rf"\b1\d{{3}}\b|\b20\d\d\b|\b(?:{_MONTH})[a-z]*\.? \d|\b\d{{1,2}}\.? (?:{_MONTH})|century"
    ),
    AnswerKind.NUMBER: re.compile(rf"\d|\b(?:{_NUMBER_WORD})\b"),
    AnswerKind.EXTENT: re.compile(
        rf"(?:\d|\b(?:a|an|few|several|{_NUMBER_WORD})\b)[\w\s.,-]{{0,12}}\b(?:{_UNIT})|\d[:.]\d\d"
    ),
    AnswerKind.REASON: re.compile(
        r"\b(?:because|since|due to|caused?|reasons?|in order to|so that|leads? to|led to)\b"
    ),
    AnswerKind.DEFINITION: re.compile(r"\b(?:is|are|was|were|means?|refers? to|is called|defined)\b"),
}
_NAME_INSIDE = re.compile(r"(?<=[\w,;)] )[A-Z]\w+")

_ASKS = re.compile(
    r"\?|\b(?:who|whom|whose|what|when|where|why|how|which|define|describe|explain|compare|list|name|tell|is|are|was|"
    r"were|do|does|did|can|could|has|have|will|would|should|wer|wem|was|wann|wo|warum|wie|welche[rsn]?|qui|que|quoi|"
    r"quand|où|pourquoi|comment|quel(?:le)?s?|quién|qué|cuándo|dónde|cómo|cuál)\b"
)
_LONG_NAME = re.compile(r"(?<=\s)[A-Z][\w'’&-]*(?:\s+(?:(?:of|for|and)\s+)?(?:the\s+)?[A-Z\d][\w'’&-]*)+")
_PART_BREAK = re.compile(
    r"\?\s+(?=\S)|,?\s+(?:and|und|et|y)\s+(?=(?:who|what|when|where|why|how|which|wer|was|wann|wo|warum|wie)\b)", re.I
)
_REFERS_BACK = re.compile(r"\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|there)\b", re.I)
MAX_PARTS = 4
"""Each part is a search of its own; a text with more question marks than this is taken as one question."""
_ABOUT_THE_FILE = frozenset(
    sense_terms("document documents file files text page pages say says tell mention describe explain according")
)
"""Words by which a person points at the source itself; a source rarely uses them of itself."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as read. `terms` are content words by sense; `is_keywords` means that nothing is asked.

    `names` are the terms of names of several words: each names one thing, however many words it has.
    """

    text: str
    terms: frozenset[str]
    kind: AnswerKind
    is_keywords: bool
    names: tuple[frozenset[str], ...]


def read_question(text: str) -> Question:
    """Read one question."""
    folded = fold(text)
    terms = frozenset(sense_terms(text))
    return Question(
        text=text,
        terms=(terms - _ABOUT_THE_FILE) or terms,
        kind=next((kind for kind, cue in _KIND_CUES if cue.search(folded)), AnswerKind.OTHER),
        is_keywords=not _ASKS.search(folded) and text.isascii(),
        names=tuple(frozenset(sense_terms(name)) for name in _LONG_NAME.findall(text)),
    )


def split_parts(text: str) -> tuple[Question, ...]:
    """The questions inside a question, the whole one if it has no parts that stand by themselves.

    "Who wrote it and when was it signed?" has two; in "who found it and when" the second has no words of its
    own to look for, and in "when did it sail and what did it carry" one that says what of, so these stay one.
    """
    pieces = [piece.strip() for piece in _PART_BREAK.split(text)]
    parts = tuple(read_question(piece) for piece in pieces if piece)
    refers_back = any(_REFERS_BACK.search(part.text) for part in parts[1:])
    if not 2 <= len(parts) <= MAX_PARTS or refers_back or any(not part.terms for part in parts):
        return (read_question(text),)
    return parts


def has_kind(question: Question, sentence: str) -> bool:
    """Whether a sentence holds a thing of the kind asked for; true for kinds that have no outer mark.

    A name that the question itself holds answers nothing.
    """
    if question.kind in (AnswerKind.PERSON, AnswerKind.PLACE):
        return any(not question.terms.issuperset(sense_terms(name)) for name in _NAME_INSIDE.findall(sentence))
    pattern = _KIND_EVIDENCE.get(question.kind)
    return pattern is None or pattern.search(sentence.casefold()) is not None
