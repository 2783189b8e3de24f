"""What a posting asks of a person: list items and sentences, how much it wants each, and what it waives."""

import re
from collections.abc import Iterator, Sequence

from deeptrust.domain.study import Requirement, RequirementKind
from deeptrust.study.posting import Block, BlockKind, Posting
from deeptrust.study.sections import Section
from deeptrust.study.skills import skills_in
from deeptrust.study.years import least_years

_PREFERRED = re.compile(
    r"\b(?:nice[- ]to[- ]have|preferred|preferably|(?:is |are |would be |as )?an? (?:big |huge |strong |definite "
    r")?(?:plus|bonus|advantage)|"
    r"bonus(?: points)?(?: for| if|:)|ideally|desirable|beneficial|advantageous|would be great|helpful|we'd love|"
    r"optional|"
    r"von vorteil|wünschenswert|idealerweise|gerne auch|vorteilhaft)\b",
    re.I,
)
_THING = r"(?:degree|diploma|experience|certification|certificate|studium|abschluss|erfahrung|knowledge|background|ausbildung|kenntnisse)"
_WAIVED = re.compile(
    rf"\b(?:no|without an?|kein(?:e|en)?|keinerlei) (?:[\w'’/-]+ ){{0,4}}\w*{_THING}\w*(?: or [\w ]{{1,25}})?(?: "
    rf"(?:is|are|ist|sind))?"
    rf" ?(?:required|needed|necessary|erforderlich|nötig|notwendig|expected)"
    rf"|\b(?:an? |the |prior |previous )?(?:[\w'’/-]+ ){{0,3}}{_THING} (?:is|are|ist|sind) (?:not|nicht) (?:\w+ )?"
    rf"(?:required|needed|necessary|a must|essential|mandatory|erforderlich|nötig|notwendig)"
    rf"|\b(?:you )?(?:don['’]t|do not) (?:\w+ )?need (?:an? |any |to (?:have|know) )?(?:[\w'’/+#.-]+ ?){{1,5}}"
    rf"|\bno {_THING}\? no problem",
    re.I,
)
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
    r"(?:have|be|possess|hold|bring|know|speak)|you (?:must )?(?:have|bring|hold) (?:at least |a minimum of )?\d|"
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
    r"required information|bewerbung\w*)\b",
    re.I,
)
_NOT_ASKING = frozenset(
    {Section.COMPANY, Section.BENEFITS, Section.PAY, Section.APPLY, Section.INTERVIEW, Section.SMALL_PRINT}
)
_ASKING = {Section.REQUIRED: RequirementKind.REQUIRED, Section.PREFERRED: RequirementKind.PREFERRED}
_ANY_OF = re.compile(r"\bor\b|\boder\b|such as|e\.\s?g\.|\blike\b|z\.\s?B\.|one of|similar|\w/\w|bzw", re.I)
_LAST_AND = re.compile(r"\band\b|\bund\b|&", re.I)


def read_requirements(posting: Posting) -> Sequence[Requirement]:
    """Each requirement once, in the order of the posting."""
    found: dict[str, Requirement] = {}
    for block, start, end in _candidates(posting):
        for requirement in _read(posting, block, start, end):
            found.setdefault(f"{requirement.kind} {requirement.text.casefold()}", requirement)
    return sorted(found.values(), key=lambda one: one.start or 0)


def describe_requirement(text: str, kind: RequirementKind) -> Requirement:
    """A requirement from bare words, as a person writes it: its skills and years are read, it has no quote."""
    return Requirement(
        text=text, kind=kind, years=least_years(text), terms=tuple(_terms(text)), any_of=_is_any_of(text)
    )


def _candidates(posting: Posting) -> Iterator[tuple[Block, int, int]]:
    for block in posting.blocks:
        if block.kind is BlockKind.ITEM and block.section in _ASKING:
            if len(block.text.split()) > 1 or skills_in(block.text):
                yield block, block.start, block.end
    for block, sentence in posting.sentences:
        if block.kind is BlockKind.HEADING or (block.kind is BlockKind.ITEM and block.section in _ASKING):
            continue
        if (
            sentence.text.endswith(":")
            or block.section in _NOT_ASKING
            or _ABOUT_PAPERS.search(sentence.text)
            or len(sentence.text.split()) < 4
        ):
            continue
        asks = _ASKED if block.section in _ASKING else _ASKED_ANYWHERE
        if asks.search(sentence.text) or (block.section is not Section.DUTIES and _WAIVED.search(sentence.text)):
            yield block, sentence.start, sentence.end


def _read(posting: Posting, block: Block, start: int, end: int) -> Iterator[Requirement]:
    quote = posting.text[start:end]
    waived = _WAIVED.search(quote)
    asked = quote[: waived.start()] + " " + quote[waived.end() :] if waived else quote
    place = {"quote": quote, "start": start, "end": end}
    if waived:
        terms = tuple(_terms(waived.group()))
        yield Requirement(text=_flat(waived.group()), kind=RequirementKind.WAIVED, terms=terms, **place)
        if not (_ASKED.search(asked) and (skills_in(asked) or least_years(asked) is not None)):
            return
    kind = (
        RequirementKind.PREFERRED if _PREFERRED.search(asked) else _ASKING.get(block.section, RequirementKind.REQUIRED)
    )
    yield Requirement(
        text=_flat(quote),
        kind=kind,
        years=least_years(asked),
        terms=tuple(_terms(asked)),
        any_of=_is_any_of(asked),
        **place,
    )


def _terms(text: str) -> list[str]:
    return [name for name, _, _ in skills_in(text)]


def _is_any_of(text: str) -> bool:
    """Whether one of the named skills is enough; "Python and Kubernetes or similar" asks for both."""
    places = skills_in(text)
    if len(places) < 2 or not _ANY_OF.search(text):
        return False
    between = text[places[0][2] : places[-1][1]]
    return not _LAST_AND.search(between) or _ANY_OF.search(text[: places[0][1]]) is not None


def _flat(text: str) -> str:
    return " ".join(text.replace("**", "").split()).rstrip(";,")
