"""The runner owns the task of every run; pages, streams and commands only follow."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from uuid import uuid4

from deeptrust.database import runs
from deeptrust.database.engine import Database
from deeptrust.domain.question import check_question
from deeptrust.domain.run import (
    ReasoningEntry,
    RunEvent,
    RunKind,
    RunRequest,
    RunStatus,
    RunSummary,
    StatusChanged,
)
from deeptrust.errors import Conflict, DeepTrustError
from deeptrust.identity.ownership import require_owner
from deeptrust.runs.base import Producer
from deeptrust.runs.log import EventLog

logger = logging.getLogger(__name__)


class Runner:
    """Starts, cancels, follows and recovers runs. A closed tab changes nothing; a restart goes on."""

    def __init__(self, database: Database, producers: Mapping[RunKind, Producer], max_question_characters: int) -> None:
        self._database = database
        self._producers = producers
        self._max_question_characters = max_question_characters
        self._log = EventLog(database)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._is_closing = False

    async def start(self, owner: str, request: RunRequest) -> str:
        """Store the run, start its task, and return its id (a UUID).

        Raises:
            BadQuestion: the question is empty or too long; no run is stored.
            NotFound: `request.thread_id` is not a conversation of `owner`.
        """
        question = check_question(request.question, self._max_question_characters)
        if request.thread_id is not None:
            await self.runs_of_thread(owner, request.thread_id)
        request = request.model_copy(update={"question": question})
        run_id = str(uuid4())
        await self._database.run(lambda session: runs.add_run(session, run_id, owner, request))
        await self._launch(run_id, owner, request)
        return run_id

    async def follow(self, owner: str, run_id: str, after: int = 0) -> AsyncIterator[RunEvent]:
        """Yield the run's events above number `after`, stored ones first, until its final status.

        Raises:
            NotFound: no such run of `owner`.
        """
        await self._require(owner, run_id)
        async for event in self._log.follow(run_id, after):
            yield event

    async def cancel(self, owner: str, run_id: str) -> None:
        """Stop the run; returns once `cancelled` is in the log.

        Raises:
            NotFound: no such run of `owner`.
            Conflict: the run has ended already.
        """
        await self._require(owner, run_id)
        task = self._tasks.get(run_id)
        if task is None:
            raise Conflict("This run has ended already, so there is nothing to stop.")
        if not task.cancelling():  # a second Stop only waits for the first one (UI-17)
            task.cancel()
        await asyncio.wait({task})

    async def find(self, owner: str, run_id: str) -> RunSummary:
        """Return one run.

        Raises:
            NotFound: no such run of `owner`.
        """
        await self._require(owner, run_id)
        return await self._database.run(lambda session: runs.find_run(session, run_id))

    async def runs(self, owner: str, limit: int = 50) -> list[RunSummary]:
        """Return the owner's latest runs, newest first."""
        return await self._database.run(lambda session: runs.runs_of(session, owner, limit))

    async def runs_of_thread(self, owner: str, thread_id: str) -> list[RunSummary]:
        """Return the runs of one conversation, oldest first.

        Raises:
            NotFound: `owner` has no such conversation.
        """
        found = await self._database.run(lambda session: runs.runs_of_thread(session, owner, thread_id))
        require_owner(owner if found else None, owner, "conversation")
        return found

    async def delete(self, owner: str, run_id: str) -> None:
        """Delete a run with all its events, stopping it first.

        Raises:
            NotFound: no such run of `owner`.
        """
        with contextlib.suppress(Conflict):
            await self.cancel(owner, run_id)
        await self._database.run(lambda session: runs.delete_run(session, run_id))

    async def recover(self) -> None:
        """Take up every run that a former process left unfinished. Call once, before new runs start."""
        for run_id, owner, request in await self._database.run(runs.unfinished_runs):
            note = ReasoningEntry(
                node="runner", summary="DeepTrust was restarted; this run goes on.", status=RunStatus.THINKING
            )
            await self._log.append(run_id, note)
            await self._launch(run_id, owner, request)

    async def close(self) -> None:
        """Let go of the running tasks without ending their runs: the next start recovers them."""
        self._is_closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _require(self, owner: str, run_id: str) -> None:
        require_owner(await self._database.run(lambda session: runs.owner_of(session, run_id)), owner, "run")

    async def _launch(self, run_id: str, owner: str, request: RunRequest) -> None:
        task = asyncio.create_task(self._carry_out(run_id, owner, request), name=f"run {run_id}")
        self._tasks[run_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(run_id, None))
        # A task cancelled before its first step never reaches its `except`: let it take that step.
        await asyncio.sleep(0)

    async def _carry_out(self, run_id: str, owner: str, request: RunRequest) -> None:
        """Log what the producer yields; whatever happens, the log ends with a final status."""
        try:
            async with contextlib.aclosing(self._producers[request.kind].start(run_id, owner, request)) as bodies:
                async for body in bodies:
                    await self._log.append(run_id, body)
        except asyncio.CancelledError:
            if not self._is_closing:
                await self._end(run_id, RunStatus.CANCELLED, "Stopped by you.")
        except DeepTrustError as error:
            await self._end(run_id, RunStatus.FAILED, str(error))
        except Exception:
            logger.exception("run %s failed", run_id)
            await self._end(run_id, RunStatus.FAILED, f"Something went wrong inside DeepTrust (run {run_id[:8]}).")

    async def _end(self, run_id: str, status: RunStatus, message: str) -> None:
        await self._log.append(run_id, StatusChanged(status=status, message=message))
