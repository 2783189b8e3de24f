"""Reading and writing jobs. Each function is handed to `Database.run`."""

from datetime import datetime

from pydantic import TypeAdapter
from sqlmodel import Session, col, desc, select

from deeptrust.database.tables import JobRow
from deeptrust.domain.study import Job, JobFacts

_DOCUMENTS: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])


def add_job(session: Session, owner: str, job: Job) -> None:
    """Insert the job; its id must be new."""
    row = JobRow(id=job.id, owner=owner, posting=job.posting, created_at=job.created_at, updated_at=job.updated_at)
    _fill(row, job)
    session.add(row)


def update_job(session: Session, job: Job, seen: datetime) -> bool:
    """Bring the job's row up to date; False if it is not the one of `seen` any more. It must exist."""
    row = session.get_one(JobRow, job.id)
    if row.updated_at != seen:
        return False
    _fill(row, job)
    return True


def owner_of_job(session: Session, job_id: str) -> str | None:
    """The user that the job belongs to, or None if there is no such job."""
    row = session.get(JobRow, job_id)
    return row.owner if row else None


def find_job(session: Session, job_id: str) -> Job:
    """The job; it must exist."""
    return _job(session.get_one(JobRow, job_id))


def jobs_of(session: Session, owner: str) -> list[Job]:
    """The owner's jobs, newest first."""
    query = select(JobRow).where(JobRow.owner == owner).order_by(desc(col(JobRow.created_at)))
    return [_job(row) for row in session.exec(query)]


def delete_job(session: Session, job_id: str) -> None:
    """Delete the job; it must exist."""
    session.delete(session.get_one(JobRow, job_id))


def _fill(row: JobRow, job: Job) -> None:
    row.posting, row.resume, row.updated_at = job.posting, job.resume, job.updated_at
    row.facts = job.facts.model_dump_json()
    row.own_documents = _DOCUMENTS.dump_json(job.own_documents).decode()


def _job(row: JobRow) -> Job:
    return Job(
        id=row.id,
        created_at=row.created_at,
        updated_at=row.updated_at,
        posting=row.posting,
        resume=row.resume,
        facts=JobFacts.model_validate_json(row.facts or "{}"),
        own_documents=_DOCUMENTS.validate_json(row.own_documents or "{}"),
    )
