"""Approvals: single-use records, claimed by one atomic update before anything runs (K10)."""

from collections.abc import Callable
from datetime import UTC, datetime

from deeptrust.database import approvals
from deeptrust.database.engine import Database
from deeptrust.domain.approval import Approval, ApprovalState, Outcome
from deeptrust.domain.run import Decided, EventBody, RunStatus, StatusChanged
from deeptrust.errors import Conflict
from deeptrust.runs.log import EventLog

Clock = Callable[[], datetime]

_EXPIRED = "Nobody decided in time, so this run was closed and nothing was done. Start it again if you still want it."


def utc_now() -> datetime:
    """The time, aware."""
    return datetime.now(UTC)


class Approvals:
    """The one place where an approval is spent. Whoever is second gets a `Conflict`, and nothing runs."""

    def __init__(self, database: Database, log: EventLog, now: Clock = utc_now) -> None:
        self._database = database
        self._log = log
        self._now = now

    async def latest(self, run_id: str) -> Approval | None:
        """The run's latest approval, in whatever state."""
        return await self._database.run(lambda session: approvals.latest_approval(session, run_id))

    async def require_pending(self, run_id: str, plan_hash: str | None) -> Approval:
        """Return the approval that waits, if it is in time and about the plan that the person saw.

        Raises:
            Conflict: nothing waits, another plan waits (`plan_hash` is stale), or the time is over.
        """
        approval = await self.latest(run_id)
        if approval is None:
            raise Conflict("This run does not wait for approval.")
        if approval.state is ApprovalState.PENDING and approval.expires_at <= self._now():
            await self._expire(approval)
            raise Conflict(_EXPIRED)
        if approval.state is not ApprovalState.PENDING:
            raise Conflict(_REFUSALS[approval.state])
        if plan_hash is not None and plan_hash != approval.plan_hash:
            raise Conflict("The plan has changed since you saw it. Look at the plan that waits now, then decide.")
        return approval

    async def claim(self, approval: Approval, outcome: Outcome) -> Approval:
        """Spend the approval on `outcome` and log the decision with it.

        Raises:
            Conflict: another call was first.
        """
        body = Decided(approval_id=approval.id, outcome=outcome)
        if not await self._log.claim(approval.run_id, approval, ApprovalState.CLAIMED, body):
            raise Conflict(_REFUSALS[ApprovalState.CLAIMED])
        return approval.model_copy(update={"state": ApprovalState.CLAIMED, "outcome": outcome})

    async def withdraw(self, run_id: str, body: EventBody) -> bool:
        """Void what waits and log `body`, the end of the run; False if nothing waits."""
        approval = await self.latest(run_id)
        return approval is not None and await self._log.claim(run_id, approval, ApprovalState.VOID, body)

    async def expire_overdue(self) -> list[str]:
        """Close every run whose approval is overdue; returns their ids (HIT-11)."""
        overdue = await self._database.run(lambda session: approvals.overdue_approvals(session, self._now()))
        return [approval.run_id for approval in overdue if await self._expire(approval)]

    async def _expire(self, approval: Approval) -> bool:
        body = StatusChanged(status=RunStatus.EXPIRED, message=_EXPIRED)
        return await self._log.claim(approval.run_id, approval, ApprovalState.EXPIRED, body)


_REFUSALS = {
    ApprovalState.CLAIMED: "This plan was decided already, so nothing was done a second time.",
    ApprovalState.EXPIRED: _EXPIRED,
    ApprovalState.VOID: "This run was stopped while it waited, so there is nothing to decide.",
}
