"""The first document of a pack: what the job is, what it asks, what the resume lacks, and the posting itself."""

import re
from collections.abc import Iterator, Sequence

from deeptrust.domain.study import Gap, GapStatus, Job, Requirement, RequirementKind, StudyPlan
from deeptrust.study.gaps import find_gaps
from deeptrust.study.phrases import flat, say_facts, say_list, say_missing, with_quote

_KINDS = (
    (RequirementKind.REQUIRED, "What the job requires"),
    (RequirementKind.PREFERRED, "What the job prefers"),
    (RequirementKind.WAIVED, "What the job does not require"),
)
_NOTHING_REQUIRED = "- The posting does not state anything that the job requires."
_STATUSES = (
    (GapStatus.MISSING, "Missing in the resume"),
    (GapStatus.PARTLY, "Partly in the resume"),
    (GapStatus.MET, "Met by the resume"),
)


def write_description_and_gaps(job: Job, _plan: StudyPlan) -> Sequence[str]:
    """Return the paragraphs of the document, without its title."""
    facts = job.facts
    parts = ["## The job", "\n".join(say_facts(facts))]
    if missing := list(say_missing(facts)):
        parts += ["## What the posting does not state", "\n".join(missing)]
    if facts.description:
        parts += ["## What the job is about", flat(facts.description.value)]
    for kind, heading in _KINDS:
        items = [_say_requirement(one) for one in facts.requirements if one.kind is kind]
        if not items and kind is RequirementKind.REQUIRED:
            items = [_NOTHING_REQUIRED]
        parts += [f"## {heading}", "\n".join(items)] if items else []
    return [*parts, *_gaps(job), "## The posting as it was added", _demote(job.posting)]


def _say_requirement(requirement: Requirement) -> str:
    years = f" Least experience: {requirement.years} years." if requirement.years is not None else ""
    text = flat(requirement.text).rstrip(".")
    if requirement.quote and flat(requirement.quote).rstrip(".") == text:
        return f"- “{flat(requirement.quote)}”{years}"
    return with_quote(f"{text}.{years}", requirement.quote)


def _gaps(job: Job) -> Iterator[str]:
    yield "## Gaps against the resume"
    gaps = find_gaps(job.facts, job.resume)
    if not job.resume:
        yield "No resume was added, so nothing could be compared."
    elif not gaps:
        yield "The posting states no requirement that could be compared."
    for status, heading in _STATUSES:
        items = [_say_gap(gap) for gap in gaps if gap.status is status]
        if items:
            yield f"### {heading}"
            yield "\n".join(items)


def _say_gap(gap: Gap) -> str:
    asked = f"The posting asks: “{flat(gap.sentence)}”" if gap.sentence else f"You entered: {flat(gap.requirement)}"
    looked_for = f" Looked for in the resume: {say_list(gap.looked_for)}." if gap.looked_for else ""
    found = f" Found in the resume: “{flat(gap.found)}”" if gap.found else " Not found in the resume."
    return f"- {asked}{looked_for}{found}{' ' + gap.note if gap.note else ''}"


def _demote(posting: str) -> str:
    """The posting with its headings below this document's own."""
    return re.sub(r"(?m)^[ \t]*#{1,6}[ \t]+", "### ", posting)
