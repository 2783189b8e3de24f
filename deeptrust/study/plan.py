"""What to study, in which order and by when, from the gaps and requirements of one job."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from deeptrust.domain.study import (
    Gap,
    GapStatus,
    Job,
    JobFacts,
    Moment,
    Requirement,
    RequirementKind,
    Stated,
    StudyPlan,
    StudyTopic,
)
from deeptrust.study.gaps import asked_for, find_gaps
from deeptrust.study.skills import DEGREES

_MOST_REQUIREMENTS = 12
_DATED = "The plan leads up to {day}, the {what} that the posting states."
_UNDATED = "The posting states no interview date or deadline with day, month and year, so the plan counts sessions."
_PAST = "The date that the posting states, {day}, is not ahead, so the plan counts sessions."
_WHY = {
    GapStatus.MISSING: "The resume does not show it.",
    GapStatus.PARTLY: "The resume shows a part of it.",
    GapStatus.MET: "The resume shows it; be ready to speak of it.",
}
_WEIGHT = {GapStatus.MISSING: 0, GapStatus.PARTLY: 1, GapStatus.MET: 3}
_MOST_TERMS = 4
_NO_RESUME = "The posting asks for it; without a resume nothing could be compared."


@dataclass(frozen=True, slots=True)
class _Topic:
    name: str
    reason: str
    sentence: str | None
    resources: tuple[str, ...]


def make_plan(job: Job) -> StudyPlan:
    """Plan from the day on which the job was last changed, so that the same job gives the same plan."""
    topics = [*_requirement_topics(job), *_process_topics(job.facts)]
    today = job.updated_at.date()
    aim, what = _aim(job.facts)
    day = aim.value.day if aim else None
    if aim is None or day is None:
        return StudyPlan(topics=tuple(_in_sessions(topics)), note=_UNDATED)
    if day <= today:
        return StudyPlan(topics=tuple(_in_sessions(topics)), aim=aim, note=_PAST.format(day=day.isoformat()))
    note = _DATED.format(day=day.isoformat(), what=what)
    return StudyPlan(topics=tuple(_by_dates(topics, today, day)), aim=aim, note=note)


def _aim(facts: JobFacts) -> tuple[Stated[Moment] | None, str]:
    for moment, what in ((facts.interview, "interview date"), (facts.deadline, "application deadline")):
        if moment and moment.value.day:
            return moment, what
    return None, ""


def _in_sessions(topics: Sequence[_Topic]) -> Iterator[StudyTopic]:
    for number, topic in enumerate(topics, 1):
        yield _topic(topic, f"Session {number}", None)


def _by_dates(topics: Sequence[_Topic], today: date, aim: date) -> Iterator[StudyTopic]:
    """Spread the topics evenly over the days before the aim; the last ends the day before it."""
    days = max(0, (aim - today).days - 1)
    for number, topic in enumerate(topics, 1):
        day = today + timedelta(days=days * number // len(topics))
        yield _topic(topic, f"By {day.isoformat()}", day)


def _topic(topic: _Topic, when: str, day: date | None) -> StudyTopic:
    return StudyTopic(
        name=topic.name, reason=topic.reason, sentence=topic.sentence, resources=topic.resources, when=when, day=day
    )


def _requirement_topics(job: Job) -> Sequence[_Topic]:
    """What is missing first, and what is required before what is preferred."""
    asked = asked_for(job.facts)
    gaps = find_gaps(job.facts, job.resume) or [None] * len(asked)
    ordered = sorted(zip(asked, gaps, strict=True), key=lambda pair: _weight(*pair))
    return [_requirement_topic(one, gap) for one, gap in ordered[:_MOST_REQUIREMENTS]]


def _weight(requirement: Requirement, gap: Gap | None) -> int:
    weight = _WEIGHT[gap.status] if gap else 0
    return weight if requirement.kind is RequirementKind.REQUIRED else weight + 2


def _requirement_topic(requirement: Requirement, gap: Gap | None) -> _Topic:
    reason = f"{_WHY[gap.status]} {gap.note}".strip() if gap else _NO_RESUME
    terms = requirement.terms[:_MOST_TERMS]
    return _Topic(_name(terms, requirement.text), reason, requirement.quote, _resources(terms))


def _process_topics(facts: JobFacts) -> Iterator[_Topic]:
    for stage in facts.interview_stages:
        resources = ("A rehearsal aloud, against the clock.",)
        yield _Topic(f"Rehearse: {stage.value}", "It is a stage of the interview process.", stage.quote, resources)
    if facts.assessment:
        resources = ("The platform's own practice tests, where it offers them.",)
        name = f"Practise on {facts.assessment.value}"
        yield _Topic(name, "Candidates are tested there.", facts.assessment.quote, resources)
    if facts.company:
        resources = ("The employer's own web site and its latest reports.",)
        name = f"Read up on {facts.company.value}"
        yield _Topic(name, "It is the employer.", facts.company.quote, resources)


def _name(terms: Sequence[str], text: str) -> str:
    if terms:
        return ", ".join(terms)
    return text if len(text) <= 90 else text[: text.rfind(" ", 0, 90)] + " …"


def _resources(terms: Sequence[str]) -> tuple[str, ...]:
    """Kinds of sources that exist for any such topic; none is a title that might not."""
    learnable = [term for term in terms if term not in DEGREES]
    if terms and not learnable:
        return ("Your certificate at hand, or a plain sentence on what stands in its place.",)
    official = tuple(f"The official documentation or course material of {term}." for term in learnable)
    return (*official, "One example of your own: what you did, with what result.")
