"""What a posting states, field by field, as the page shows it and as its editors start."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from deeptrust.domain.study import JobFacts, Moment, Requirement, RequirementKind, Stated
from deeptrust.study.phrases import say_pay
from deeptrust.ui.views.text import safe_name, shorten

KIND_PREFIXES = {RequirementKind.PREFERRED: "Preferred: ", RequirementKind.WAIVED: "Not required: "}
"""How a line of the requirements' editor says that it is no plain requirement."""

_LABELS = {
    "title": "Title",
    "company": "Company",
    "description": "About the job",
    "locations": "Location",
    "employment": "Employment",
    "pay": "Pay",
    "posted": "Posted",
    "deadline": "Apply by",
    "start": "Start",
    "interview": "Interviews",
    "ats": "ATS",
    "assessment": "Assessment platform",
    "apply_url": "Apply at",
    "interview_stages": "Interview stages",
    "requirements": "Requirements",
}
_LINES = frozenset({"locations", "employment", "pay", "interview_stages", "requirements"})
_HINTS = {
    "requirements": "One a line. Begin a line with “Preferred:” or “Not required:” where it is not a must.",
    "pay": "One range a line, for instance “USD 120,000 to 150,000 per year”.",
    "deadline": "A date, for instance “15 January 2027”.",
}
MAX_TIP = 400
"""Characters of a sentence that hovering shows."""


@dataclass(frozen=True)
class FactValue:
    """One stated value. `quote` is its sentence, or empty where the value is the sentence or a person entered it."""

    text: str
    quote: str = ""
    is_own: bool = False


@dataclass(frozen=True)
class FactLine:
    """One field of a job; without `stated` the posting does not state it. `draft` is what its editor starts with."""

    name: str
    label: str
    stated: list[FactValue] = field(default_factory=list)
    draft: str = ""
    is_long: bool = False
    hint: str = ""


def fact_lines(facts: JobFacts) -> list[FactLine]:
    """Return one line for every field, stated or not (H06)."""
    return [_fact_line(name, facts) for name in _LABELS]


def _fact_line(name: str, facts: JobFacts) -> FactLine:
    values = [value for _, value in _values(name, facts)]
    return FactLine(
        name=name,
        label=_LABELS[name],
        stated=values,
        draft="\n".join(text for text, _ in _values(name, facts)),
        is_long=name in _LINES or name == "description",
        hint=_HINTS.get(name, "One a line." if name in _LINES else ""),
    )


def _values(name: str, facts: JobFacts) -> list[tuple[str, FactValue]]:
    """Return each value of a field as its editor and as the page shows it."""
    found = getattr(facts, name)
    if name == "requirements":
        return [(KIND_PREFIXES.get(one.kind, "") + one.text, _requirement(one)) for one in found]
    many: Iterable[Stated] = found if isinstance(found, tuple) else (found,) if found else ()
    return [(text := _say(stated.value), _value(text, stated.quote)) for stated in many]


def _requirement(requirement: Requirement) -> FactValue:
    word = {RequirementKind.PREFERRED: " (preferred)", RequirementKind.WAIVED: " (not required)"}
    shown = _value(requirement.text, requirement.quote)
    return FactValue(shown.text + word.get(requirement.kind, ""), shown.quote, shown.is_own)


def _say(value: object) -> str:
    match value:
        case Moment(text=text):
            return text
        case str():
            return value
    return say_pay(value)  # pyright: ignore[reportArgumentType]


def _value(text: str, quote: str | None) -> FactValue:
    shown = safe_name(text)
    sentence = safe_name(quote or "")
    return FactValue(shown, "" if core(sentence) == core(shown) else shorten(sentence, MAX_TIP), quote is None)


def core(text: str) -> str:
    """Return `text` without what a list or a sentence puts round it, so that a sentence can be told from its value."""
    return text.strip(" .;,-*•#").casefold()
