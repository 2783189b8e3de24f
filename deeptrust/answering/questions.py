"""What a question asks for: its words, the kind of thing wanted, and its parts."""

import re
from collections.abc import Sequence
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
    AnswerKind.NUMBER: re.compile(rf"(?<![a-z\d])\d|\b(?:{_NUMBER_WORD})\b"),
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
_SUBJECT = re.compile(r"(?:\b[Tt]he )?\b[A-Z][\w'’&-]*(?:\s+(?:(?:of|for|and)\s+)?(?:the\s+)?[A-Z\d][\w'’&-]*)*")
"""A name, of one word or several, that a later part may mean by "it"."""
_THING = re.compile(
    r"(?:what|where|when|why|how)\b.*?\b(?:"
    r"(?:is|are|was|were)\s+(?P<named>(?:the|a|an|my|our)(?:\s+[\w-]+){1,3}?)(?:\s+(?:\w+ed|about|like|for))?|"
    r"(?:does|do|did|can|may|must|should)\s+(?P<doing>(?:the|a|an|my|our)(?:\s+[\w-]+){1,3}?)\s+\w+)$",
    re.IGNORECASE,
)
"""A thing without a name that a part asks about: "how high is the deposit", "when did the ship sail"."""
_STANDS_FOR_IT = re.compile(r"\b(?:it|they|them|he|him|she|es|sie|er|il|elle)\b", re.I)
_REFERS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|there|es|sie|er|ihn|il|elle|ella|él)\b", re.I
)
_ASKS_FOR_A_NAME = re.compile(r"\s*(?:who|whom|whose|wer|wem|qui|quién)\b(?!\s+(?:is|are|was|were)\b)", re.I)
"""Then "he" is the one who is asked for, and no name can take that place."""
MAX_PARTS = 4
"""Each part is a search of its own; a text with more question marks than this is taken as one question."""
_ASKING_WORDS = frozenset(
    sense_terms(
        "document documents file files text page pages say says tell mention according mean meaning kind type sort "
        "happen describe explain identify compare"
    )
)
"""Words that point at the source, or say how something is asked and not what: an answer need not hold them."""
_STANDS_FOR = re.compile(r"\bstands? for\b", re.IGNORECASE)
_CODE = re.compile(
    r"(?:[^\W\d_]+ )?(?<![\w.-])"
    r"(?P<code>[A-Za-z]{1,8}\d{2,}[A-Za-z\d]*|\d{2,}[A-Z][A-Z\d]*|\d+(?:\.\d+)+-\d+)(?![\w-])"
)
"""What a form, a message or a part is called, "CFOL009", "0050003A", "2.3.59-111", and the word before it."""
_KEY = re.compile(r"(?<![\w.,-])(?<!^)(?:[A-Z]|\d{1,3})(?![\w-]|[.,]\d)")
USE_OF_CODES = frozenset(sense_terms("stand show use indicate display refer appear"))
"""What a code does, wherever it stands."""
_LETTERS_AND_DIGITS = re.compile(r"[^\W\d_]+|\d+|[^\w]+")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as read. `terms` are content words by sense; `is_keywords` means that nothing is asked.

    `names` are the terms of names of several words: each names one thing, however many words it has. `code` finds
    the code that is asked about, if there is one, and `beside_code` are the terms that remain without it. `keys` are
    the letters and small numbers that may be a key in a list of codes ("reason code 6"), in capitals.
    """

    text: str
    terms: frozenset[str]
    kind: AnswerKind
    is_keywords: bool
    names: tuple[frozenset[str], ...]
    code: re.Pattern[str] | None = None
    beside_code: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()


def read_question(text: str) -> Question:
    """Read one question."""
    folded = fold(text)
    terms = frozenset(sense_terms(_STANDS_FOR.sub("", text)))
    terms = (terms - _ASKING_WORDS) or terms
    code = _CODE.search(text)
    return Question(
        text=text,
        terms=terms,
        kind=next((kind for kind, cue in _KIND_CUES if cue.search(folded)), AnswerKind.OTHER),
        is_keywords=not _ASKS.search(folded) and text.isascii(),
        names=tuple(frozenset(sense_terms(name)) for name in _LONG_NAME.findall(text)),
        code=_spell_freely(code["code"]) if code else None,
        beside_code=terms - USE_OF_CODES - frozenset(sense_terms(code.group())) if code else frozenset(),
        keys=frozenset(_KEY.findall(text)) - {"A", "I"},
    )


def _spell_freely(code: str) -> re.Pattern[str]:
    """A pattern for `code` in either case, with or without a hyphen or a space between its letters and digits."""
    parts = [re.escape(part) for part in _LETTERS_AND_DIGITS.findall(code)]
    return re.compile(rf"(?<![\w.-]){'[ -]?'.join(parts)}(?!\w|[.-]\d)", re.IGNORECASE)


def holds_code(text: str) -> bool:
    """Whether something in `text` looks like the code of a form, a message or a part."""
    return _CODE.search(text) is not None


def split_parts(text: str) -> tuple[Question, ...]:
    """The questions inside a question, the whole one if it has no parts that stand by themselves.

    "Who wrote the letter and when was the treaty signed?" has two, and so has "when was the DMCA signed and what does
    it forbid?", where the only name of the first part is what "it" means; without a name it is the thing asked about,
    as in "when did the ship sail and what did it carry". In "who found it and when" the second has no words of its own
    to look for, so this stays one.
    """
    pieces = [piece.strip() for piece in _PART_BREAK.split(text) if piece.strip()]
    parts = tuple(read_question(piece) for piece in _name_subjects(pieces))
    refers_back = any(_REFERS_BACK.search(part.text) for part in parts[1:])
    if not 2 <= len(parts) <= MAX_PARTS or refers_back or any(not part.terms for part in parts):
        return (read_question(text),)
    return parts


def _name_subjects(pieces: Sequence[str]) -> list[str]:
    """The pieces with what the first one asks about, its only name or thing, in the place of "it" in the later ones."""
    first, *rest = pieces or [""]
    lowered = first[:1].lower() + first[1:]  # its first word is capital in any case
    names = set(_SUBJECT.findall(lowered))
    if not names and (thing := _THING.match(first)):
        names = {thing["named"] or thing["doing"]}
    if len(names) != 1 or _ASKS_FOR_A_NAME.match(first):
        return list(pieces)
    name = names.pop()
    return [first, *(_STANDS_FOR_IT.sub(lambda _: name, piece, count=1) for piece in rest)]


def has_kind(question: Question, sentence: str) -> bool:
    """Whether a sentence holds a thing of the kind asked for; true for kinds that have no outer mark.

    A name that the question itself holds answers nothing.
    """
    if question.kind in (AnswerKind.PERSON, AnswerKind.PLACE):
        asked = set(sense_terms(question.text))
        return any(not asked.issuperset(sense_terms(name)) for name in _NAME_INSIDE.findall(sentence))
    pattern = _KIND_EVIDENCE.get(question.kind)
    return pattern is None or pattern.search(sentence.casefold()) is not None
