"""What a person typed for one field of a job, as the edit that it means."""

from collections.abc import Callable

from pydantic import ValidationError

from deeptrust.domain.study import JobEdit, JobFacts, Moment, Pay, RequirementEdit, RequirementKind
from deeptrust.errors import BadInput
from deeptrust.study.moments import MOMENT, read_moment
from deeptrust.study.pay import read_pay
from deeptrust.study.phrases import say_pay
from deeptrust.study.posting import Posting
from deeptrust.ui.views.study_facts import KIND_PREFIXES


def parse_edit(name: str, text: str, facts: JobFacts) -> JobEdit:
    """Return the edit that gives the field `name` what `text` says; an empty text clears it.

    Raises:
        BadInput: there is no such field, a pay cannot be read, or the text is too long.
    """
    read = _READERS.get(name)
    if read is None:
        raise BadInput("A job has no such field. Reload the page and edit again.")
    try:
        return JobEdit.model_validate({name: read(text.strip(), facts)})
    except ValidationError as error:
        raise BadInput(f"This is too long or has too many lines ({error.errors()[0]['msg']}). Shorten it.") from error


def _line(text: str, _facts: JobFacts) -> str | None:
    return " ".join(text.split()) or None


def _paragraphs(text: str, _facts: JobFacts) -> str | None:
    return text or None


def _lines(text: str, _facts: JobFacts) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _moment(text: str, _facts: JobFacts) -> Moment | None:
    match = MOMENT.search(text)
    return Moment(text=" ".join(text.split()), day=read_moment(match).day if match else None) if text else None


def _pay(text: str, facts: JobFacts) -> tuple[Pay, ...]:
    known = {say_pay(stated.value): stated.value for stated in facts.pay}
    return tuple(known.get(line) or _read_pay(line) for line in _lines(text, facts))


def _read_pay(line: str) -> Pay:
    found = read_pay(Posting(f"Salary: {line}"))  # an amount counts only beside a word for pay
    if not found:
        raise BadInput(f"No pay could be read from “{line[:60]}”. Write it like “USD 120,000 to 150,000 per year”.")
    return found[0].value


def _requirements(text: str, facts: JobFacts) -> tuple[RequirementEdit, ...]:
    return tuple(_requirement(line) for line in _lines(text, facts))


def _requirement(line: str) -> RequirementEdit:
    for kind, prefix in KIND_PREFIXES.items():
        if line.casefold().startswith(prefix.casefold().strip()):
            return RequirementEdit(text=line[len(prefix.strip()) :].strip(), kind=kind)
    return RequirementEdit(text=line, kind=RequirementKind.REQUIRED)


_READERS: dict[str, Callable[[str, JobFacts], object]] = {
    **dict.fromkeys(("title", "company", "ats", "assessment", "apply_url"), _line),
    "description": _paragraphs,
    **dict.fromkeys(("locations", "employment", "interview_stages"), _lines),
    **dict.fromkeys(("posted", "deadline", "start", "interview"), _moment),
    "pay": _pay,
    "requirements": _requirements,
}
