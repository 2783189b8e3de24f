"""The third document of a pack: where the application goes, and with what candidates are tested."""

from collections.abc import Sequence

from deeptrust.domain.study import Job, StudyPlan
from deeptrust.study.phrases import with_quote

_NO_ATS = "The posting does not state which applicant tracking system (ATS) this job uses."
_NO_ASSESSMENT = "The posting does not state an assessment platform."
_NO_URL = "The posting does not state an address to apply at."
_FORM_ADVICE = (
    "## For any application form",
    "- Write the posting's own words for a skill where they are true of you: a form is searched by words.\n"
    "- Keep the resume in one column of plain text, and check what the form made of it before you send it.\n"
    "- Nothing here was sent anywhere; you apply yourself, at the address above.",
)


def write_platform(job: Job, _plan: StudyPlan) -> Sequence[str]:
    """Return the paragraphs of the document, without its title."""
    facts = job.facts
    ats, assessment, url = facts.ats, facts.assessment, facts.apply_url
    return [
        "## Applicant tracking system (ATS)",
        with_quote(f"This job uses the {ats.value} applicant tracking system (ATS) platform.", ats.quote)
        if ats
        else _NO_ATS,
        with_quote(f"The address to apply at is {url.value}", url.quote) if url else _NO_URL,
        "## Assessment platform",
        with_quote(f"Candidates are assessed on the {assessment.value} platform.", assessment.quote)
        if assessment
        else _NO_ASSESSMENT,
        *_FORM_ADVICE,
    ]
