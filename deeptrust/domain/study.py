"""A job and what prepares for it: facts with their sentences, gaps, study plan, prep pack (H05, H06)."""

from collections.abc import Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Generic, Self, TypeVar

from pydantic import Field, model_validator

from deeptrust.domain.record import Record

Value = TypeVar("Value")


class Stated(Record, Generic[Value]):
    """A value and the sentence that states it: `quote == posting[start:end]`, to the letter.

    A value that a person entered has no quote. A value that nobody stated does not exist: the field is None.
    """

    value: Value
    quote: str | None = None
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _quote_has_its_place(self) -> Self:
        if len({self.quote is None, self.start is None, self.end is None}) > 1:
            raise ValueError("a quote has a start and an end, and nothing else has")
        return self


class PayPeriod(StrEnum):
    """The time that a pay is for."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class Pay(Record):
    """A pay range; a bound that is not stated is None.

    `currency` is an ISO 4217 code, or "$" where the posting does not say which dollar.
    """

    minimum: float | None = Field(default=None, ge=0)
    maximum: float | None = Field(default=None, ge=0)
    currency: str | None = None
    period: PayPeriod | None = None


class Moment(Record):
    """A date as it is written. `day` is set only if day, month and year are stated and read one way only."""

    text: str
    day: date | None = None


class RequirementKind(StrEnum):
    """How much a posting wants it; `waived` is what it says it does not ask for ("no degree required")."""

    REQUIRED = "required"
    PREFERRED = "preferred"
    WAIVED = "waived"


class Requirement(Record):
    """One thing that the posting asks for. `quote` and its place are as in `Stated`.

    `terms` are the names of skills in it; with `any_of` one of them is enough. `years` is the least experience.
    """

    text: str
    kind: RequirementKind = RequirementKind.REQUIRED
    years: int | None = Field(default=None, ge=0)
    terms: tuple[str, ...] = ()
    any_of: bool = False
    quote: str | None = None
    start: int | None = None
    end: int | None = None


class JobFacts(Record):
    """What a posting states; every field may be missing, and a missing one is "not stated" (H06)."""

    title: Stated[str] | None = None
    company: Stated[str] | None = None
    description: Stated[str] | None = None
    requirements: tuple[Requirement, ...] = ()
    locations: tuple[Stated[str], ...] = ()
    employment: tuple[Stated[str], ...] = ()
    pay: tuple[Stated[Pay], ...] = ()
    posted: Stated[Moment] | None = None
    deadline: Stated[Moment] | None = None
    start: Stated[Moment] | None = None
    interview: Stated[Moment] | None = None
    ats: Stated[str] | None = None
    assessment: Stated[str] | None = None
    apply_url: Stated[str] | None = None
    interview_stages: tuple[Stated[str], ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _null_is_not_stated(cls, fields: object) -> object:
        """A stored null, also of a list, means the same as no entry (H06)."""
        if not isinstance(fields, dict):
            return fields
        return {name: value for name, value in fields.items() if value is not None}  # pyright: ignore[reportUnknownVariableType]


class RequirementEdit(Record):
    """A requirement as a person writes it."""

    text: str = Field(min_length=1, max_length=1000)
    kind: RequirementKind = RequirementKind.REQUIRED


class JobEdit(Record):
    """New values for some fields: a field that is not named stays, null or an empty list clears."""

    title: str | None = Field(default=None, max_length=300)
    company: str | None = Field(default=None, max_length=300)
    description: str | None = Field(default=None, max_length=20_000)
    requirements: tuple[RequirementEdit, ...] = Field(default=(), max_length=200)
    locations: tuple[str, ...] = Field(default=(), max_length=50)
    employment: tuple[str, ...] = Field(default=(), max_length=20)
    pay: tuple[Pay, ...] = Field(default=(), max_length=20)
    posted: Moment | None = None
    deadline: Moment | None = None
    start: Moment | None = None
    interview: Moment | None = None
    ats: str | None = Field(default=None, max_length=100)
    assessment: str | None = Field(default=None, max_length=100)
    apply_url: str | None = Field(default=None, max_length=2000)
    interview_stages: tuple[str, ...] = Field(default=(), max_length=30)


class Job(Record):
    """A job that a person prepares for. `posting` is the text that every quote stands in.

    `own_documents` holds, by name, the pack documents that the person wrote anew.
    """

    id: str
    created_at: datetime
    updated_at: datetime
    posting: str
    resume: str | None = None
    facts: JobFacts = JobFacts()
    own_documents: dict[str, str] = Field(default_factory=dict)

    @property
    def collection(self) -> str:
        """The collection that holds this job's prep pack (K03)."""
        return f"job-{self.id}"


class GapStatus(StrEnum):
    """What a resume shows of a requirement."""

    MET = "met"
    PARTLY = "partly"
    MISSING = "missing"


class Gap(Record):
    """One requirement held against the resume.

    `sentence` is the posting's own; `looked_for` is what was searched in the resume; `found` is its sentence.
    """

    requirement: str
    sentence: str | None
    kind: RequirementKind
    looked_for: tuple[str, ...]
    found: str | None
    status: GapStatus
    note: str = ""


class StudyTopic(Record):
    """One thing to learn or rehearse: why, from what, and when (`day` is None in a plan without dates)."""

    name: str
    reason: str
    sentence: str | None = None
    resources: tuple[str, ...] = ()
    when: str
    day: date | None = None


class StudyPlan(Record):
    """Topics in the order of study. `aim` is the date they lead up to, if the posting states one."""

    topics: tuple[StudyTopic, ...] = ()
    aim: Stated[Moment] | None = None
    note: str = ""


class PackDocument(Record):
    """One Markdown document of a pack; `name` is its file name, `title` its first heading."""

    name: str
    title: str
    markdown: str
    is_own: bool = False


class PrepPack(Record):
    """The four documents of one job."""

    job_id: str
    documents: tuple[PackDocument, ...]


def missing_facts(facts: JobFacts) -> Sequence[str]:
    """Names of the fields that the posting does not state, in words, in the order of `JobFacts`."""
    return [_WORDS.get(name, name) for name in JobFacts.model_fields if not getattr(facts, name)]


_WORDS = {
    "employment": "employment type",
    "posted": "date posted",
    "deadline": "application deadline",
    "start": "start date",
    "interview": "interview date",
    "ats": "applicant tracking system (ATS)",
    "assessment": "assessment platform",
    "apply_url": "address to apply at",
    "interview_stages": "interview stages",
}
