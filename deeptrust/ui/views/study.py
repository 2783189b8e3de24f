"""Jobs, their facts, gaps and pack documents as the Study pages show them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deeptrust.domain.study import (
    Gap,
    GapStatus,
    Job,
    JobFacts,
    Moment,
    PrepPack,
    Requirement,
    RequirementKind,
    Stated,
)
from deeptrust.study.phrases import say_pay
from deeptrust.ui.views.text import day, safe_name, shorten

NO_TITLE = "Title not stated"
NO_COMPANY = "company not stated"
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
_STATUSES = {
    GapStatus.MISSING: ("Missing", "bad"),
    GapStatus.PARTLY: ("Partly", "warn"),
    GapStatus.MET: ("Met", "ok"),
}
_MAX_TIP = 400


@dataclass(frozen=True)
class JobLine:
    """One job of the list; the counts are of its gaps, and mean nothing without a resume."""

    id: str
    title: str
    company: str
    added: str
    has_resume: bool
    missing: int
    partly: int
    met: int


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


@dataclass(frozen=True)
class GapLine:
    """One requirement held against the resume."""

    requirement: str
    sentence: str
    kind: str
    status: str
    tone: str
    looked_for: str
    found: str
    note: str


@dataclass(frozen=True)
class PackTab:
    """One document of the pack, named short enough for a tab."""

    name: str
    title: str
    is_own: bool


def job_line(job: Job, gaps: Sequence[Gap]) -> JobLine:
    """Return the line of one job, its gaps counted."""
    counts = count_gaps(gaps)
    return JobLine(
        id=job.id,
        title=job_title(job),
        company=job_company(job),
        added=f"added {day(job.created_at)}",
        has_resume=bool(job.resume),
        missing=counts[GapStatus.MISSING],
        partly=counts[GapStatus.PARTLY],
        met=counts[GapStatus.MET],
    )


def job_title(job: Job) -> str:
    """Return the title on one line, or that there is none."""
    return shorten(safe_name(job.facts.title.value), 160) if job.facts.title else NO_TITLE


def job_company(job: Job) -> str:
    """Return the company on one line, or that there is none."""
    return shorten(safe_name(job.facts.company.value), 120) if job.facts.company else NO_COMPANY


def count_gaps(gaps: Sequence[Gap]) -> dict[GapStatus, int]:
    """Return how many gaps have each status."""
    statuses = [gap.status for gap in gaps]
    return {status: statuses.count(status) for status in GapStatus}


def fact_lines(facts: JobFacts) -> list[FactLine]:
    """Return one line for every field, stated or not (H06)."""
    return [_fact_line(name, facts) for name in _LABELS]


def gap_lines(gaps: Sequence[Gap]) -> list[GapLine]:
    """Return the gaps, what is missing first; each keeps the posting's order among its like."""
    order = list(_STATUSES)
    return [_gap_line(gap) for gap in sorted(gaps, key=lambda gap: order.index(gap.status))]


def pack_tabs(pack: PrepPack) -> list[PackTab]:
    """Return the pack's documents as tabs; the job's own title, which all share, is left out."""
    return [
        PackTab(name=document.name, title=safe_name(document.title.split(":")[0]), is_own=document.is_own)
        for document in pack.documents
    ]


def zip_name(job: Job) -> str:
    """Return a file name for the pack: letters, digits and hyphens only, whatever the title holds (ING-13)."""
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in job_title(job).lower()).split()
    return f"prep-pack-{'-'.join(words)[:60].strip('-') or job.id[:8]}.zip"


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
    return FactValue(shown, "" if _core(sentence) == _core(shown) else shorten(sentence, _MAX_TIP), quote is None)


def _core(text: str) -> str:
    return text.strip(" .;,-*•#").casefold()


def _gap_line(gap: Gap) -> GapLine:
    status, tone = _STATUSES[gap.status]
    requirement = safe_name(gap.requirement)
    sentence = safe_name(gap.sentence or "")
    return GapLine(
        requirement=requirement,
        sentence="" if _core(sentence) == _core(requirement) else shorten(sentence, _MAX_TIP),
        kind=gap.kind.value,
        status=status,
        tone=tone,
        looked_for=", ".join(safe_name(term) for term in gap.looked_for),
        found=shorten(safe_name(gap.found or ""), _MAX_TIP),
        note=gap.note,
    )
