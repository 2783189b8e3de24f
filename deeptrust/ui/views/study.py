"""Jobs, their gaps and pack documents as the Study pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from deeptrust.domain.study import (
    Gap,
    GapStatus,
    Job,
    PrepPack,
)
from deeptrust.ui.views.study_facts import MAX_TIP, core
from deeptrust.ui.views.text import day, safe_name, shorten

NO_TITLE = "Title not stated"
NO_COMPANY = "company not stated"
_STATUSES = {
    GapStatus.MISSING: ("Missing", "bad"),
    GapStatus.PARTLY: ("Partly", "warn"),
    GapStatus.MET: ("Met", "ok"),
}


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


def _gap_line(gap: Gap) -> GapLine:
    status, tone = _STATUSES[gap.status]
    requirement = safe_name(gap.requirement)
    sentence = safe_name(gap.sentence or "")
    return GapLine(
        requirement=requirement,
        sentence="" if core(sentence) == core(requirement) else shorten(sentence, MAX_TIP),
        kind=gap.kind.value,
        status=status,
        tone=tone,
        looked_for=", ".join(safe_name(term) for term in gap.looked_for),
        found=shorten(safe_name(gap.found or ""), MAX_TIP),
        note=gap.note,
    )
