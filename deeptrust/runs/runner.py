"""The runner decides which run goes to work, waits, goes on or ends; pages, streams and commands only follow."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from uuid import uuid4

from deeptrust.database import runs
from deeptrust.database.engine import Database
from deeptrust.domain.approval import Approval, ApprovalState, parse_outcome
from deeptrust.domain.question import check_question
from deeptrust.domain.run import (
    AnswerReady,
    EventBody,
    Evidence,
    ReasoningEntry,
    RunKind,
    RunRequest,
    RunStatus,
    StatusChanged,
)
from deeptrust.errors import Conflict
from deeptrust.runs.approvals import Approvals, Clock, utc_now
from deeptrust.runs.base import Producer, ResumableProducer
from deeptrust.runs.history import RunHistory
from deeptrust.runs.log import EventLog
from deeptrust.runs.producers import Producers
from deeptrust.runs.retries import RetryOffer, RetryPoint, find_retry
from deeptrust.runs.tasks import STOPPED, RunTasks

_GOES_ON = "This run is going on, so nothing was started a second time."
_NO_RETRY = (
    "Only a run that failed after you approved its plan, or whose report a model failed to write, can be taken up "
    "again. Ask the question anew."
)
_NOT_AGREED = "You did not agree to that when you approved the plan. Say that it may leave, and try again."
_RETRIES = {
    RetryPoint.STEP: "You took the run up again; steps that have a result are not run twice.",
    RetryPoint.REPORT: "You asked for the report to be written anew from the same passages.",
}


class Runner:
    """Starts, decides, cancels, deletes and recovers runs. A closed tab changes nothing; a restart goes on.

    A run that waits for approval has no task: what it waits for is a record in the database.
    """

    history: RunHistory
    """Where the runs are read and followed."""

    def __init__(
        self,
        database: Database,
        producers: Mapping[RunKind, Producer],
        max_question_characters: int,
        now: Clock = utc_now,
        max_runs_at_once: int | None = None,
    ) -> None:
        """`max_runs_at_once` is for each owner; None: as many as they start."""
        self._database = database
        self._producers = Producers(producers)
        self._max_question_characters = max_question_characters
        self._log = EventLog(database)
        self.history = RunHistory(database, self._log)
        self._approvals = Approvals(database, self._log, now)
        self._tasks = RunTasks(self._log, self._settle)
        self._gate = asyncio.Lock()
        self._leaving: set[str] = set()
        self._max_runs_at_once = max_runs_at_once

    async def start(self, owner: str, request: RunRequest) -> str:
        """Store the run, start its task, and return its id (a UUID).

        Raises:
            BadQuestion: the question is empty or too long; no run is stored.
            Conflict: all data of `owner` is being deleted.
            NotFound: `request.thread_id` is not a conversation of `owner`.
            Conflict: as many runs of `owner` as may be are at work; no run is stored.
        """
        question = check_question(request.question, self._max_question_characters)
        if request.thread_id is not None:
            await self.history.runs_of_thread(owner, request.thread_id)
        request = request.model_copy(update={"question": question})
        run_id = str(uuid4())
        async with self._gate:  # a deletion of all runs finds either no row or a task
            if owner in self._leaving:
                raise Conflict("All your data is being deleted just now. Ask again in a moment.")
            await self._require_place(owner)
            await self._database.run(lambda session: runs.add_run(session, run_id, owner, request))
            await self._tasks.launch(run_id, self._producers.of(request.kind).start(run_id, owner, request))
        return run_id

    async def decide(self, owner: str, run_id: str, outcome: object, plan_hash: str | None = None) -> None:
        """Spend the approval that the run waits for; returns once the run goes on.

        Args:
            owner: who decides.
            run_id: the run that waits.
            outcome: approve, edit or reject; anything else is refused.
            plan_hash: hash of the plan that the person saw, if the caller knows it.

        Raises:
            BadInput: `outcome` is no decision, or an edited plan breaks a rule; the run still waits.
            NotFound: no such run of `owner`.
            Conflict: nothing waits, it was decided already, it is overdue, `plan_hash` is not that of the plan that
                waits, or the policy has changed (the plan is then audited and asked for again). Nothing was run.
        """
        run = await self.history.find(owner, run_id)
        decision = parse_outcome(outcome)
        if run.status.is_final:
            raise Conflict(f"This run is already finished ({run.status.value}), so nothing was done. Open its report.")
        approval = await self._approvals.require_pending(run_id, plan_hash)
        request = await self._database.run(lambda session: runs.request_of(session, run_id))
        producer = self._producers.resumable(request.kind)
        objection = await producer.review(owner, request, approval, decision)
        async with self._gate:
            await self._require_place(owner, but=run_id)
            approval = await self._approvals.claim(approval, decision)
            await self._tasks.launch(run_id, producer.resume(run_id, owner, request, approval))
        if objection:
            raise Conflict(objection)

    async def offer_retry(self, owner: str, run_id: str) -> RetryOffer:
        """Return where a run that has ended would be taken up, and what would newly leave the machine.

        Raises:
            NotFound: no such run of `owner`.
            Conflict: it goes on, nothing was approved in it, the policy has changed since, or nothing could come out
                differently with the models of now.
        """
        await self.history.require(owner, run_id)
        _, offer = await self._prepare_retry(owner, run_id)
        return offer

    async def retry(self, owner: str, run_id: str, *, may_leave: bool = False) -> None:
        """Take up a run that has ended where it stopped, with the models of now; returns once it goes on.

        It keeps its log, its approved plan and every step that has a result (HIT-20). One call at a time: the
        second finds a run that goes on.

        Args:
            owner: whose run it is.
            run_id: the run.
            may_leave: the person agrees to what `offer_retry` says would newly leave the machine.

        Raises:
            NotFound, Conflict: as `offer_retry`; also Conflict if something would leave and `may_leave` is false.
        """
        await self.history.require(owner, run_id)
        async with self._gate:
            (request, approval), offer = await self._prepare_retry(owner, run_id)
            if offer.leaves_machine and not may_leave:
                raise Conflict(f"{' '.join(offer.leaves_machine)} {_NOT_AGREED}")
            await self._require_place(owner, but=run_id)
            producer = self._producers.resumable(request.kind)
            await producer.release(run_id)
            await self._log.append(run_id, StatusChanged(status=offer.point.status))
            note = ReasoningEntry(
                node="runner",
                summary=_RETRIES[offer.point],
                status=offer.point.status,
                agreed=offer.leaves_machine,
            )
            await self._log.append(run_id, note)
            logged = await self._bodies(run_id)
            await self._tasks.launch(run_id, producer.retry(run_id, owner, request, approval, logged))

    async def expire_overdue(self) -> None:
        """Close the runs that nobody decided in time; call now and then (hourly is plenty)."""
        for run_id in await self._approvals.expire_overdue():
            await self._settle(run_id)

    async def cancel(self, owner: str, run_id: str) -> None:
        """Stop the run; returns once `cancelled` is in the log.

        Raises:
            NotFound: no such run of `owner`.
            Conflict: the run has ended already.
        """
        await self.history.require(owner, run_id)
        async with self._gate:  # a decision is either not yet claimed here, or has its task
            if await self._approvals.withdraw(run_id, STOPPED):
                await self._settle(run_id)
                return
        if not await self._tasks.stop(run_id):
            raise Conflict("This run has ended already, so there is nothing to stop.")

    async def forget(self, owner: str, run_id: str) -> None:
        """Delete a run with its events, evidence and checkpoints, stopping it first; no byte of it is left.

        Raises:
            NotFound: no such run of `owner`.
            StoreUnavailable: the disk is full or fails; ask again.
        """
        await self.history.require(owner, run_id)
        async with self._gate:
            await self._delete([run_id])
        await self._erase()

    @contextlib.asynccontextmanager
    async def forgetting(self, owner: str) -> AsyncGenerator[None, None]:
        """Delete every run of `owner` in the same way, and start none within the block.

        Raises:
            Conflict: that is being done already.
            StoreUnavailable: the disk is full or fails; ask again.
        """
        if owner in self._leaving:
            raise Conflict("All your data is being deleted already. Wait for that to end.")
        self._leaving.add(owner)
        try:
            async with self._gate:
                await self._delete(await self._database.run(lambda session: runs.ids_of(session, owner)))
            await self._erase()
            yield
        finally:
            self._leaving.discard(owner)

    async def recover(self) -> None:
        """Take up every run that a former process left unfinished. Call once, before new runs start.

        A run that waits for approval goes on waiting, unless its time is over.
        """
        await self.expire_overdue()
        unfinished = await self._database.run(runs.unfinished_runs)
        await self._producers.retain({run_id for run_id, _, _ in unfinished})
        for run_id, owner, request in unfinished:
            approval = await self._approvals.latest(run_id)
            if approval and approval.state is ApprovalState.PENDING:
                continue
            bodies = await self._take_up(run_id, owner, request, approval)
            note = ReasoningEntry(
                node="runner", summary="DeepTrust was restarted; this run goes on.", status=RunStatus.THINKING
            )
            await self._log.append(run_id, note)
            await self._tasks.launch(run_id, bodies)

    async def close(self) -> None:
        """Let go of the running tasks without ending their runs: the next start recovers them."""
        await self._tasks.close()

    async def _delete(self, run_ids: Sequence[str]) -> None:
        """Stop and delete runs, within the gate: none of them can be started or decided meanwhile."""
        for run_id in run_ids:
            await self._tasks.stop(run_id)
        await self._database.run(lambda session: [runs.delete_run(session, run_id) for run_id in run_ids])
        # After the rows: a run that waits must never be found without its checkpoint. What a kill leaves is swept.
        for run_id in run_ids:
            self._log.dismiss(run_id)
            await self._producers.release(run_id)

    async def _erase(self) -> None:
        await self._database.erase()
        await self._producers.erase()

    async def _bodies(self, run_id: str) -> list[EventBody]:
        return [event.body for event in await self._log.read(run_id)]

    async def _prepare_retry(self, owner: str, run_id: str) -> tuple[tuple[RunRequest, Approval], RetryOffer]:
        if not (await self._database.run(lambda session: runs.find_run(session, run_id))).status.is_final:
            raise Conflict(_GOES_ON)
        bodies = await self._bodies(run_id)
        point, approval = find_retry(bodies), await self._approvals.latest(run_id)
        if point is None or approval is None or approval.state is not ApprovalState.CLAIMED:
            raise Conflict(_NO_RETRY)
        request = await self._database.run(lambda session: runs.request_of(session, run_id))
        producer = self._producers.resumable(request.kind)
        leaves = await producer.review_retry(run_id, owner, request, approval, bodies)
        return (request, approval), RetryOffer(point=point, leaves_machine=leaves)

    async def _take_up(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval | None
    ) -> AsyncGenerator[EventBody, None]:
        producer, logged = self._producers.of(request.kind), await self._bodies(run_id)
        if isinstance(producer, ResumableProducer):
            return producer.recover(run_id, owner, request, approval, logged)
        if answer := next((body for body in logged if isinstance(body, AnswerReady)), None):
            return _complete(answer)
        return producer.start(run_id, owner, request)

    async def _require_place(self, owner: str, but: str = "") -> None:
        """Let one more run of `owner` go to work; `but` is that run, if it is there already."""
        if self._max_runs_at_once is None:
            return
        mine = await self._database.run(lambda session: runs.ids_of(session, owner))
        if sum(run_id in self._tasks for run_id in mine if run_id != but) >= self._max_runs_at_once:
            raise Conflict(
                f"{self._max_runs_at_once} of your runs are at work, as many as this server does for you at once. "
                "Wait for one to end, or stop it."
            )

    async def _settle(self, run_id: str) -> None:
        """Let the producers forget a run that has ended."""
        if (await self._database.run(lambda session: runs.find_run(session, run_id))).status.is_final:
            await self._producers.release(run_id)


async def _complete(answer: AnswerReady) -> AsyncGenerator[EventBody, None]:
    """What is left of a run that was cut off between its answer and its end: to answer again would double it."""
    found = Evidence.FOUND if answer.detail.answer.grounded else Evidence.NONE
    yield StatusChanged(status=RunStatus.COMPLETE, evidence=found)
