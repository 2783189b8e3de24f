"""The human gate: what was asked for approval, and what the person decided (K10, K23)."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from deeptrust.domain.plan import PlanDraft
from deeptrust.domain.record import Record
from deeptrust.errors import BadInput


class Approve(Record):
    """Yes to exactly the plan that was shown."""

    action: Literal["approve"] = "approve"


class Edit(Record):
    """This plan in place of the one that was shown; it is audited again and asked for again."""

    action: Literal["edit"] = "edit"
    plan: PlanDraft


class Reject(Record):
    """No. With a reason the plan is made anew; without one the run ends."""

    action: Literal["reject"] = "reject"
    reason: str | None = Field(default=None, max_length=4000)

    @property
    def words(self) -> str:
        """The reason, if it says anything: blanks and marks alone are none."""
        reason = (self.reason or "").strip()
        return reason if any(character.isalnum() for character in reason) else ""


Outcome = Annotated[Approve | Edit | Reject, Field(discriminator="action")]
_OUTCOME: TypeAdapter[Approve | Edit | Reject] = TypeAdapter(Outcome)


class ApprovalState(StrEnum):
    """A record is pending until exactly one of the others happens to it."""

    PENDING = "pending"
    CLAIMED = "claimed"
    EXPIRED = "expired"
    VOID = "void"


class Approval(Record):
    """A single-use record: who may say yes to which plan under which policy, and until when.

    `id` is the id of the interrupt that waits, so that an answer can reach no other one (HIT-13).
    """

    id: str
    run_id: str
    owner: str
    plan_hash: str
    policy_hash: str
    expires_at: datetime
    state: ApprovalState = ApprovalState.PENDING
    outcome: Outcome | None = None


def parse_outcome(value: object) -> Approve | Edit | Reject:
    """Read what a client sent as a decision.

    Raises:
        BadInput: it is anything but one of the three outcomes; "yes", 1 and true are not.
    """
    if isinstance(value, Approve | Edit | Reject):
        return value
    try:
        return _OUTCOME.validate_python(value, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadInput(
            f"This is not a decision ({place or 'value'}: {first['msg']}). "
            "Send approve, edit with a whole plan, or reject with or without a reason."
        ) from error
