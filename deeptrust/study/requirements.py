"""What a posting asks of a person: list items and sentences, how much it wants each, and what it waives."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from deeptrust.domain.study import Requirement, RequirementKind
from deeptrust.study.blocks import NAMED_LINE, Block, BlockKind
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section
from deeptrust.study.skills import skills_in
from deeptrust.study.strength import is_preferred, waived_parts
from deeptrust.study.years import least_years

_ASKED = re.compile(
    r"\b(?:you(?:'ll|’ll| will)? (?:must|should|need|have|bring|possess|be)|you(?:'re|’re| are) (?:familiar|"
    r"proficient|fluent|"
    r"comfortable|experienced|skilled|able)|must|experience|experienced|degree|knowledge|proficien\w*|familiar\w*|"
    r"fluen\w*|"
    r"ability to|required|certifi\w+|candidates? (?:should|will|must)|erfahrung\w*|kenntnisse\w*|studium|ausbildung|"
    r"deutsch\w*|voraussetzung|du (?:hast|bist|bringst|verfügst|kannst|sprichst)|sie (?:haben|verfügen|bringen|"
    r"sprechen))\b",
    re.I,
)
_ASKED_ANYWHERE = re.compile(
    r"\b(?:(?:you|candidates?|applicants?|the successful \w+)(?:'ll|’ll| will)? (?:must|should|need to|will need to|"
    r"is required to) "
    r"(?:have|be|possess|hold|bring|know|speak)|you(?:'ll|’ll| will) need (?!to\b)|you (?:must )?(?:have|bring|hold) "
    r"(?:at least |a minimum of )?\d|"
    r"\d+\+? (?:or more )?years['’]? (?:of )?(?:[\w/-]+ ){0,3}experience|"
    r"(?:experience|knowledge|degree|proficiency|fluency|certification|licen[cs]e)\b.{0,80}\b(?:is|are) (?:an? )?"
    r"(?:required|preferred|must|mandatory|essential|desirable|plus)|"
    r"open to [\w. ]{0,12}citizens|subject to (?:an? )?background (?:check|investigation)|"
    r"(?:wird|werden|ist|sind) (?:zwingend )?(?:vorausgesetzt|erforderlich)|setzen wir voraus|du (?:hast|bringst) "
    r".{0,40}(?:erfahrung|studium|ausbildung))\b",
    re.I,
)
_ABOUT_PAPERS = re.compile(
    r"\b(?:r[eé]sum[eé]s?|cv|cover letter|disqualif\w*|apply|application|follow our|provide as much|click|lebenslauf|"
    r"anschreiben|"
    r"required information|https?|bewerbung\w*)\b",
    re.I,
)
_NOT_ASKING = frozenset(
    {Section.COMPANY, Section.BENEFITS, Section.PAY, Section.APPLY, Section.INTERVIEW, Section.SMALL_PRINT}
)
_ASKING = {Section.REQUIRED: RequirementKind.REQUIRED, Section.PREFERRED: RequirementKind.PREFERRED}
_LABELS = {
    RequirementKind.REQUIRED: re.compile(r"must[- ]haves?|required|requirements?|essential|voraussetzung(?:en)?"),
    RequirementKind.PREFERRED: re.compile(r"nice[- ]to[- ]haves?|preferred|desirable|bonus|plus|wünschenswert"),
}
_ABOUT_OTHERS = re.compile(
    r"\b(?:is an? [\w ,-]{0,40}(?:firm|company|agency|business)|our (?:team|founders?)|seit \d{4}|am markt|tel\.|she "
    r"has|he has)\b",
    re.I,
)
_ONE_OF = re.compile(r"\b(?:one|any|either) of\b|\bat least one\b|\bmindestens eine[rs]?\b", re.I)
_OR = re.compile(r"\bor\b|\boder\b|\bbzw\b|/", re.I)
_AND = re.compile(r"\band\b|\bund\b|&", re.I)
_LONGEST_LINE_WORDS = 14
_LONGEST_ITEM = 1000
_FEWEST_WORDS = 4


def read_requirements(posting: Posting) -> Sequence[Requirement]:
    """Each requirement once, in the order of the posting."""
    found: dict[str, Requirement] = {}
    for candidate in _candidates(posting):
        for requirement in _read(posting, candidate):
            found.setdefault(f"{requirement.kind} {requirement.text.casefold()}", requirement)
    return sorted(found.values(), key=lambda one: one.start or 0)


def describe_requirement(text: str, kind: RequirementKind) -> Requirement:
    """A requirement from bare words, as a person writes it: its skills and years are read, it has no quote."""
    return Requirement(
        text=text, kind=kind, years=least_years(text), terms=tuple(_terms(text)), any_of=_is_any_of(text)
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place where something is asked, and the kind that its section or label gives it."""

    start: int
    end: int
    kind: RequirementKind
    is_listed: bool


def _candidates(posting: Posting) -> Iterator[_Candidate]:
    for kind, pattern in _LABELS.items():
        yield from (_Candidate(label.start, label.end, kind, True) for label in posting.label(pattern))
    for block in posting.blocks:
        if _is_listed(block):
            yield _Candidate(block.start, block.end, _ASKING[block.section], True)
    for block, sentence in posting.sentences:
        if not _is_listed(block) and _asks(block, sentence.text):
            kind = _ASKING.get(block.section, RequirementKind.REQUIRED)
            yield _Candidate(sentence.start, sentence.end, kind, False)


def _is_listed(block: Block) -> bool:
    """An item of a list of requirements, or a line of its own in such a section."""
    if block.section not in _ASKING or block.kind in (BlockKind.HEADING, BlockKind.ROW):
        return False
    if len(block.text) > _LONGEST_ITEM:
        return False
    is_line = len(block.text.split()) <= _LONGEST_LINE_WORDS and block.text[-1] not in ".:!?"
    is_other = NAMED_LINE.match(block.text) or _ABOUT_PAPERS.search(block.text)
    return block.kind is BlockKind.ITEM or (is_line and not is_other)


def _asks(block: Block, sentence: str) -> bool:
    if block.kind in (BlockKind.HEADING, BlockKind.ROW) or block.section in _NOT_ASKING or sentence.endswith(":"):
        return False
    if _ABOUT_PAPERS.search(sentence) or _ABOUT_OTHERS.search(sentence) or len(sentence.split()) < _FEWEST_WORDS:
        return False
    if block.section is not Section.DUTIES and waived_parts(sentence):
        return True
    return (_ASKED if block.section in _ASKING else _ASKED_ANYWHERE).search(sentence) is not None


def _read(posting: Posting, candidate: _Candidate) -> Iterator[Requirement]:
    """What the sentence waives, and what it asks beside that."""
    cited = posting.cite(None, candidate.start, candidate.end)
    place: _Place = {"quote": cited.quote, "start": cited.start, "end": cited.end}
    text = asked = posting.text[candidate.start : candidate.end]
    for part in waived_parts(text):
        asked = asked.replace(part, " ")
        yield Requirement(text=_flat(part), kind=RequirementKind.WAIVED, terms=tuple(_terms(part)), **place)
    if asked != text and not _still_asks(asked, candidate.is_listed):
        return
    kind = RequirementKind.PREFERRED if is_preferred(asked) else candidate.kind
    read = describe_requirement(asked, kind)
    yield read.model_copy(update={"text": _flat(text), **place})


def _still_asks(rest: str, is_listed: bool) -> bool:
    names_something = bool(skills_in(rest)) or least_years(rest) is not None
    return names_something and (is_listed or _ASKED.search(rest) is not None)


def _terms(text: str) -> list[str]:
    return [name for name, _, _ in skills_in(text)]


def _is_any_of(text: str) -> bool:
    """Whether one of the named skills is enough, as in "Go, Java or Python"."""
    text = re.sub(r"\band/or\b", "or", text)
    places = skills_in(text)
    if len(places) < 2:
        return False
    between = text[places[0][2] : places[-1][1]]
    is_open = re.match(r",? or (?:similar|other|another|equivalent|comparable)\b", text[places[-1][2] :]) is not None
    is_one = is_open or _ONE_OF.search(text[: places[0][1]]) is not None
    return is_one or (_OR.search(between) is not None and not _AND.search(between))


def _flat(text: str) -> str:
    return " ".join(text.replace("**", "").split()).rstrip(";,")


class _Place(TypedDict):
    quote: str | None
    start: int | None
    end: int | None
