"""Reading and writing runs and their events. Each function is handed to `Database.run`."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import TypeAdapter
from sqlmodel import Session, col, delete, desc, func, select

from deeptrust.database.approvals import add_approval, void_pending
from deeptrust.database.tables import ApprovalRow, EventRow, EvidenceRow, RunRow, StepResultRow
from deeptrust.domain.run import ApprovalAsked, EventBody, RunEvent, RunRequest, RunStatus, RunSummary, StatusChanged

_BODY: TypeAdapter[EventBody] = TypeAdapter(EventBody)


def add_run(session: Session, run_id: str, owner: str, request: RunRequest) -> RunSummary:
    """Insert a new idle run; `request.thread_id` defaults to the run's own id."""
    now = datetime.now(UTC)
    row = RunRow(
        id=run_id,
        owner=owner,
        thread_id=request.thread_id or run_id,
        kind=request.kind,
        question=request.question,
        collection=request.collection,
        sources=request.sources,
        session_name=request.session_name,
        retrieved_context=request.retrieved_context,
        context_urls=list(request.context_urls),
        status=RunStatus.IDLE,
        created_at=now,
        updated_at=now,
    )
    session.add(row)
    return _summary(row)


def append_event(session: Session, run_id: str, body: EventBody) -> RunEvent:
    """Append `body` under the next number.

    In the same transaction a status moves the run's own status, a question for approval becomes a record, and
    the end of the run voids a record that still waits.
    """
    last = session.exec(select(func.max(EventRow.sequence)).where(EventRow.run_id == run_id)).one()
    now = datetime.now(UTC)
    event = RunEvent(run_id=run_id, sequence=(last or 0) + 1, at=now, body=body)
    session.add(
        EventRow(run_id=run_id, sequence=event.sequence, at=now, body=_BODY.dump_json(body, by_alias=True).decode())
    )
    if isinstance(body, StatusChanged):
        row = session.get_one(RunRow, run_id)
        row.status, row.evidence, row.updated_at = body.status, body.evidence, now
        if body.status.is_final:
            void_pending(session, run_id)
    elif isinstance(body, ApprovalAsked):
        add_approval(session, run_id, session.get_one(RunRow, run_id).owner, body, now)
    return event


def events_after(session: Session, run_id: str, after: int) -> list[RunEvent]:
    """Events of the run with a number above `after`, in order."""
    rows = session.exec(
        select(EventRow).where(EventRow.run_id == run_id, EventRow.sequence > after).order_by(col(EventRow.sequence))
    )
    return [
        RunEvent(run_id=run_id, sequence=row.sequence, at=row.at, body=_BODY.validate_json(row.body)) for row in rows
    ]


def owner_of(session: Session, run_id: str) -> str | None:
    """The user that the run belongs to, or None if there is no such run."""
    row = session.get(RunRow, run_id)
    return row.owner if row else None


def status_of(session: Session, run_id: str) -> RunStatus | None:
    """Where the run is, or None if there is no such run."""
    row = session.get(RunRow, run_id)
    return RunStatus(row.status) if row else None


def find_run(session: Session, run_id: str) -> RunSummary:
    """The run's summary; it must exist."""
    return _summary(session.get_one(RunRow, run_id))


def request_of(session: Session, run_id: str) -> RunRequest:
    """What was asked; the run must exist."""
    return _request(session.get_one(RunRow, run_id))


def runs_of(session: Session, owner: str, limit: int) -> list[RunSummary]:
    """The owner's latest runs, newest first."""
    query = select(RunRow).where(RunRow.owner == owner).order_by(desc(col(RunRow.created_at))).limit(limit)
    return [_summary(row) for row in session.exec(query)]


def runs_of_thread(session: Session, owner: str, thread_id: str) -> list[RunSummary]:
    """The owner's runs of one conversation, oldest first."""
    query = select(RunRow).where(RunRow.owner == owner, RunRow.thread_id == thread_id).order_by(col(RunRow.created_at))
    return [_summary(row) for row in session.exec(query)]


def unfinished_runs(session: Session) -> Sequence[tuple[str, str, RunRequest]]:
    """(run id, owner, request) of every run that a former process left without a final status."""
    finals = [status.value for status in RunStatus if status.is_final]
    rows = session.exec(select(RunRow).where(col(RunRow.status).not_in(finals)))
    return [(row.id, row.owner, _request(row)) for row in rows]


def delete_run(session: Session, run_id: str) -> None:
    """Delete the run and all that hangs on it, quotes included; nothing happens if it is gone already."""
    for table in (EventRow, ApprovalRow, StepResultRow, EvidenceRow):
        session.exec(delete(table).where(col(table.run_id) == run_id))
    session.exec(delete(RunRow).where(col(RunRow.id) == run_id))


def ids_of(session: Session, owner: str) -> Sequence[str]:
    """The ids of all runs of the owner."""
    return session.exec(select(RunRow.id).where(RunRow.owner == owner)).all()


def _request(row: RunRow) -> RunRequest:
    return RunRequest.model_validate(row.model_dump(include=set(RunRequest.model_fields)))


def _summary(row: RunRow) -> RunSummary:
    return RunSummary.model_validate(row.model_dump(include=set(RunSummary.model_fields)))
