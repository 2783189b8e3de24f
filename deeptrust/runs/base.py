"""The producer seam: what the runner runs."""

from collections.abc import AsyncGenerator, Collection, Sequence
from typing import Protocol, runtime_checkable

from deeptrust.domain.approval import Approval, Outcome
from deeptrust.domain.run import EventBody, RunRequest


class Producer(Protocol):
    """Turns a request into events. It knows neither log nor followers; the runner owns the task.

    A producer ends by returning (the runner then requires that its last status was a final one, or that it
    waits for approval) or by raising a `DeepTrustError` (the runner logs `failed` with that sentence).
    """

    def start(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody, None]:
        """Produce the events of a run of the user `owner`; also called again for a run cut off by a restart."""
        ...


@runtime_checkable
class ResumableProducer(Producer, Protocol):
    """A producer that pauses for a person and survives a restart at any point.

    It pauses by yielding `ApprovalAsked` as its last event; the runner stores the approval with that event.
    """

    async def review(self, owner: str, request: RunRequest, approval: Approval, outcome: Outcome) -> str | None:
        """Look at a decision before its approval is spent.

        Returns a sentence if nothing may run on it because the policy has changed since; the run, resumed, then
        audits and asks again by itself.

        Raises:
            BadInput: an edited plan breaks a rule; the sentence names it.
        """
        ...

    def resume(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval
    ) -> AsyncGenerator[EventBody, None]:
        """Go on after the decision in the claimed `approval`."""
        ...

    def recover(
        self,
        run_id: str,
        owner: str,
        request: RunRequest,
        approval: Approval | None,
        logged: Sequence[EventBody],
    ) -> AsyncGenerator[EventBody, None]:
        """Go on where a former process was cut off.

        Args:
            run_id: the run.
            owner: the user it belongs to.
            request: what was asked.
            approval: the latest one if it was claimed; its decision may or may not have been acted on.
            logged: what the log holds of this run; nothing of it is produced again.
        """
        ...

    async def review_retry(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval, logged: Sequence[EventBody]
    ) -> tuple[str, ...]:
        """Look at a run that has ended before it is taken up again, with the models of now.

        Returns what would leave the machine that the claimed `approval` did not name, in sentences.

        Raises:
            Conflict: the policy has changed since the approval, or nothing could come out differently.
        """
        ...

    def retry(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval, logged: Sequence[EventBody]
    ) -> AsyncGenerator[EventBody, None]:
        """Go on from the last step that has a result, none of which is done twice; `approval` still binds.

        Nothing of the run is kept but its log and its evidence: `release` was called before.
        """
        ...

    async def release(self, run_id: str) -> None:
        """Let go of what only a running run needs; called once its final status is in the log."""
        ...

    async def retain(self, run_ids: Collection[str]) -> None:
        """Release every run but these; called at a start, as a kill may fall between a run's end and its release."""
        ...

    async def erase(self) -> None:
        """Leave no byte on the disk of runs that were released; called after a deletion."""
        ...
