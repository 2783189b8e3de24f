"""Where a run that has ended can be taken up again, with the models of now: read off its log alone (HIT-20)."""

from collections.abc import Sequence
from enum import StrEnum

from deeptrust.domain.approval import Approve
from deeptrust.domain.record import Record
from deeptrust.domain.run import (
    AnswerReady,
    ApprovalAsked,
    Audited,
    Decided,
    EventBody,
    PlanProposed,
    RunStatus,
    StatusChanged,
)


class RetryPoint(StrEnum):
    """`step`: the run failed after its approval and goes on there. `report`: only the report is written anew."""

    STEP = "step"
    REPORT = "report"

    @property
    def status(self) -> RunStatus:
        """Where the run is once it was taken up."""
        return RunStatus.EXECUTING if self is RetryPoint.STEP else RunStatus.SYNTHESIZING


class RetryOffer(Record):
    """`leaves_machine` says in sentences what would leave that the approval did not name; empty means nothing."""

    point: RetryPoint
    leaves_machine: tuple[str, ...] = ()


def find_retry(bodies: Sequence[EventBody]) -> RetryPoint | None:
    """Where the run with these events can be taken up; None while it goes on, or if nothing was approved in it.

    A report is written anew only if a model failed at it: then it is quoted, and its guidance says why.
    """
    status = next((body.status for body in reversed(bodies) if isinstance(body, StatusChanged)), None)
    if not _is_approved(bodies):
        return None
    if status is RunStatus.FAILED:
        return RetryPoint.STEP
    if status is not RunStatus.COMPLETE:
        return None
    answers = [body.detail.answer for body in bodies if isinstance(body, AnswerReady)]
    is_fallback = bool(answers) and answers[-1].grounded and answers[-1].model is None and answers[-1].guidance
    return RetryPoint.REPORT if is_fallback else None


def is_retried(bodies: Sequence[EventBody]) -> bool:
    """Whether a run that is not over has been over before."""
    return find_last_end(bodies) is not None


def find_last_end(bodies: Sequence[EventBody]) -> int | None:
    """Index of the last final status, if there is one."""
    ends = [at for at, body in enumerate(bodies) if isinstance(body, StatusChanged) and body.status.is_final]
    return ends[-1] if ends else None


def _is_approved(bodies: Sequence[EventBody]) -> bool:
    """Whether the last word on the plan was a yes that the run then acted on."""
    for body in reversed(bodies):
        if isinstance(body, PlanProposed | Audited | ApprovalAsked):
            return False
        if isinstance(body, Decided):
            return isinstance(body.outcome, Approve)
    return False
