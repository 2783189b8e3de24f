"""Postings and jobs that tests are made of."""

from datetime import UTC, datetime

from deeptrust.domain.study import Job
from deeptrust.study.facts import read_facts
from deeptrust.study.markup import to_text

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def job_from(posting: str, resume: str | None = None) -> Job:
    text = to_text(posting)
    return Job(id="0" * 32, created_at=NOW, updated_at=NOW, posting=text, resume=resume, facts=read_facts(text))
