"""A posting's text to what it states; what is not in the text is not in the facts."""

from deeptrust.domain.study import JobFacts
from deeptrust.study.ats import read_apply_url, read_assessment, read_ats
from deeptrust.study.company import read_company
from deeptrust.study.dates import read_deadline, read_interview, read_posted, read_start
from deeptrust.study.description import read_description
from deeptrust.study.employment import read_employment
from deeptrust.study.interview import read_interview_stages
from deeptrust.study.job_title import read_title
from deeptrust.study.locations import read_locations
from deeptrust.study.pay import read_pay
from deeptrust.study.posting import Posting
from deeptrust.study.requirements import read_requirements


def read_facts(text: str) -> JobFacts:
    """Read `text`, which `markup.to_text` returned: every quote of the facts is a stretch of it."""
    posting = Posting(text)
    return JobFacts(
        title=read_title(posting),
        company=read_company(posting),
        description=read_description(posting),
        requirements=tuple(read_requirements(posting)),
        locations=tuple(read_locations(posting)),
        employment=tuple(read_employment(posting)),
        pay=tuple(read_pay(posting)),
        posted=read_posted(posting),
        deadline=read_deadline(posting),
        start=read_start(posting),
        interview=read_interview(posting),
        ats=read_ats(posting),
        assessment=read_assessment(posting),
        apply_url=read_apply_url(posting),
        interview_stages=tuple(read_interview_stages(posting)),
    )
