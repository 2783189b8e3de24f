"""The requirements of a posting held against a resume: what was looked for, what was found."""

import re
from collections.abc import Sequence

from deeptrust.domain.study import Gap, GapStatus, JobFacts, Requirement, RequirementKind
from deeptrust.language.words import content_terms
from deeptrust.study.resume import Resume
from deeptrust.study.skills import DEGREES, skills_in

_GENERIC = frozenset(
    content_terms(
        "experience experienced ability able strong excellent good great proven demonstrated solid knowledge working "
        "work "
        "skills skill understanding familiarity familiar proficiency proficient years year least minimum plus required "
        "preferred must need candidate candidates role position team including related field equivalent level high "
        "highly "
        "similar using use used various across etc least more"
    )
)
_FEWEST_WORDS = 3
_MET_SHARE, _PARTLY_SHARE = 0.8, 0.5
_MOST_UNCHECKED = 3
_ONLY_NAMED = "Only the named skills were looked for: read the rest of the sentence yourself."
_ONLY_YEARS = "Only the number of years was found: read what they were spent on yourself."
_BY_WORDS = "Judged by shared words only: read both sentences yourself."
_NO_YEARS = "The posting asks for {years} years; the resume does not state how many."
_FEWER_YEARS = "The posting asks for {years} years; the resume states {claimed}."


def find_gaps(facts: JobFacts, resume: str | None) -> Sequence[Gap]:
    """One gap for each of `asked_for`, in its order; none at all without a resume."""
    if not resume or not resume.strip():
        return []
    shown = Resume(resume)
    return [_compare(one, shown) for one in asked_for(facts)]


def asked_for(facts: JobFacts) -> Sequence[Requirement]:
    """The requirements that are not waived, in the order of the posting."""
    return [one for one in facts.requirements if one.kind is not RequirementKind.WAIVED]


def _compare(requirement: Requirement, resume: Resume) -> Gap:
    if requirement.terms:
        return _by_skills(requirement, resume)
    words = [word for word in content_terms(requirement.text) if word not in _GENERIC and not word.isdigit()]
    if requirement.years is not None and len(set(words)) < _FEWEST_WORDS:
        return _by_years(requirement, resume, set(words))
    return _by_words(requirement, resume, set(words))


def _by_skills(requirement: Requirement, resume: Resume) -> Gap:
    quotes = {term: quote for term in requirement.terms if (quote := resume.evidence(term)) is not None}
    if not quotes:
        return _gap(requirement, requirement.terms, None, GapStatus.MISSING)
    found, notes = next(iter(quotes.values())), list[str]()
    if absent := [term for term in requirement.terms if term not in quotes]:
        notes.append(f"Not found in the resume: {', '.join(absent)}.")
    is_met = not absent or requirement.any_of
    if _says_more(requirement):
        is_met = False
        notes.append(_ONLY_NAMED)
    if requirement.years is not None:
        claim = resume.claimed_years(list(quotes))
        if claim is None or claim[0] < requirement.years:
            is_met = False
            notes.append(_years_note(requirement.years, claim))
        else:
            found = claim[1]
    return _gap(requirement, requirement.terms, found, GapStatus.MET if is_met else GapStatus.PARTLY, " ".join(notes))


def _says_more(requirement: Requirement) -> bool:
    """Whether the requirement says more than the names in it: a degree in something is more than a degree."""
    most = 0 if set(requirement.terms) <= set(DEGREES) else _MOST_UNCHECKED
    return _unchecked_words(requirement.text) > most


def _unchecked_words(text: str) -> int:
    """How many telling words of the requirement stand outside the names that were looked for."""
    for _, start, end in reversed(skills_in(text)):
        text = text[:start] + " " + text[end:]
    return len({word for word in content_terms(text) if word not in _GENERIC and not word.isdigit()})


def _by_years(requirement: Requirement, resume: Resume, words: set[str]) -> Gap:
    years = requirement.years or 0
    claim = resume.claimed_years(())
    looked_for = (f"{years} years of experience",)
    if claim is None:
        return _gap(requirement, looked_for, None, GapStatus.MISSING, _years_note(years, None))
    if claim[0] < years:
        return _gap(requirement, looked_for, claim[1], GapStatus.PARTLY, _years_note(years, claim))
    is_met = words <= set(content_terms(claim[1]))
    return _gap(
        requirement, looked_for, claim[1], GapStatus.MET if is_met else GapStatus.PARTLY, "" if is_met else _ONLY_YEARS
    )


def _by_words(requirement: Requirement, resume: Resume, words: set[str]) -> Gap:
    shown = tuple(_readable(requirement.text, words))
    share, quote = resume.closest(words)
    is_telling = len(words) >= _FEWEST_WORDS
    if not is_telling or share < _PARTLY_SHARE:
        return _gap(requirement, shown, None, GapStatus.MISSING, _BY_WORDS)
    is_met = share >= _MET_SHARE and requirement.years is None
    return _gap(requirement, shown, quote, GapStatus.MET if is_met else GapStatus.PARTLY, _BY_WORDS)


def _readable(text: str, stems: set[str]) -> list[str]:
    """The words of the text whose stems were looked for, as they are written."""
    words = dict.fromkeys(re.findall(r"[^\W_][\w'’/+#.-]*[\w+#]|\w", text))
    return [word for word in words if set(content_terms(word)) & stems]


def _years_note(years: int, claim: tuple[int, str] | None) -> str:
    return _FEWER_YEARS.format(years=years, claimed=claim[0]) if claim else _NO_YEARS.format(years=years)


def _gap(
    requirement: Requirement, looked_for: Sequence[str], found: str | None, status: GapStatus, note: str = ""
) -> Gap:
    return Gap(
        requirement=requirement.text,
        sentence=requirement.quote,
        kind=requirement.kind,
        looked_for=tuple(looked_for),
        found=found,
        status=status,
        note=note,
    )
