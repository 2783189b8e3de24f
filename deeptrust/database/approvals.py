"""Reading and writing approvals. Each function is handed to `Database.run`."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import TypeAdapter
from sqlmodel import Session, col, desc, select, update

from deeptrust.database.tables import ApprovalRow
from deeptrust.domain.approval import Approval, ApprovalState, Outcome
from deeptrust.domain.run import ApprovalAsked

_OUTCOME: TypeAdapter[Outcome | None] = TypeAdapter(Outcome | None)


def add_approval(session: Session, run_id: str, owner: str, asked: ApprovalAsked, now: datetime) -> None:
    """Insert the pending record of a question for approval."""
    session.add(
        ApprovalRow(
            id=asked.approval_id,
            run_id=run_id,
            owner=owner,
            plan_hash=asked.plan_hash,
            policy_hash=asked.policy_hash,
            expires_at=asked.expires_at,
            state=ApprovalState.PENDING,
            asked_at=now,
        )
    )


def latest_approval(session: Session, run_id: str) -> Approval | None:
    """The run's latest approval, in whatever state."""
    query = select(ApprovalRow).where(ApprovalRow.run_id == run_id).order_by(desc(col(ApprovalRow.asked_at)))
    row = session.exec(query).first()
    return _approval(row) if row else None


def move_pending(session: Session, approval_id: str, state: ApprovalState, outcome: Outcome | None = None) -> bool:
    """Move a pending record to `state`; False if another call was first. One UPDATE decides (HIT-02)."""
    body = None if outcome is None else _OUTCOME.dump_json(outcome, by_alias=True).decode()
    moved = session.exec(
        update(ApprovalRow)
        .where(col(ApprovalRow.id) == approval_id, col(ApprovalRow.state) == ApprovalState.PENDING)
        .values(state=state, outcome=body)
    )
    return moved.rowcount == 1


def void_pending(session: Session, run_id: str) -> None:
    """Void whatever still waits in a run that has ended."""
    session.exec(
        update(ApprovalRow)
        .where(col(ApprovalRow.run_id) == run_id, col(ApprovalRow.state) == ApprovalState.PENDING)
        .values(state=ApprovalState.VOID)
    )


def overdue_approvals(session: Session, now: datetime) -> Sequence[Approval]:
    """Pending records whose time is over."""
    query = select(ApprovalRow).where(ApprovalRow.state == ApprovalState.PENDING, ApprovalRow.expires_at <= now)
    return [_approval(row) for row in session.exec(query)]


def _approval(row: ApprovalRow) -> Approval:
    fields = row.model_dump(exclude={"asked_at", "outcome"})
    return Approval(**fields, outcome=_OUTCOME.validate_json(row.outcome or "null"))
