"""What runs have come to, read by their owner; nothing here starts, changes or ends one."""

import contextlib
from collections.abc import AsyncGenerator

from deeptrust.database import runs
from deeptrust.database.engine import Database
from deeptrust.domain.run import ApprovalAsked, RunEvent, RunSummary, StillWorking
from deeptrust.identity.ownership import require_owner
from deeptrust.runs.log import EventLog
from deeptrust.runs.projection import RunView, project_run


class RunHistory:
    """Lists, shows and follows runs. Every method that takes a run's id raises `NotFound` unless it is the owner's."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self._database = database
        self._log = log

    async def require(self, owner: str, run_id: str) -> None:
        """Return if the run is the owner's.

        Raises:
            NotFound: no such run of `owner`.
        """
        require_owner(await self._database.run(lambda session: runs.owner_of(session, run_id)), owner, "run")

    async def find(self, owner: str, run_id: str) -> RunSummary:
        """Return one run.

        Raises:
            NotFound: no such run of `owner`.
        """
        await self.require(owner, run_id)
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

    async def events(self, owner: str, run_id: str) -> list[RunEvent]:
        """Return what the log holds now, without waiting for more.

        Raises:
            NotFound: no such run of `owner`.
        """
        await self.require(owner, run_id)
        return await self._log.read(run_id)

    async def view(self, owner: str, run_id: str) -> RunView:
        """Return what a run has come to.

        Raises:
            NotFound: no such run of `owner`.
        """
        run = await self.find(owner, run_id)
        return project_run(run, [event.body for event in await self._log.read(run_id)])

    async def wait(self, owner: str, run_id: str) -> RunView:
        """Return the run's view once it has ended or waits for a person.

        Raises:
            NotFound: no such run of `owner`.
        """
        async with contextlib.aclosing(self.follow(owner, run_id)) as events:
            async for event in events:
                if isinstance(event.body, ApprovalAsked) and not await self._log.read(run_id, event.sequence):
                    break
        return await self.view(owner, run_id)

    async def follow(self, owner: str, run_id: str, after: int = 0) -> AsyncGenerator[RunEvent]:
        """Yield the run's events above number `after`, stored ones first, until its final status.

        Raises:
            NotFound: no such run of `owner`.
        """
        await self.require(owner, run_id)
        async for event in self._log.follow(run_id, after):
            yield event

    async def watch(
        self, owner: str, run_id: str, after: int = 0, quiet_seconds: float = 10
    ) -> AsyncGenerator[RunEvent | StillWorking]:
        """Follow, with a notice each time that nothing has come for `quiet_seconds` while the run works (HIT-07).

        Raises:
            NotFound: no such run of `owner`.
        """
        await self.require(owner, run_id)
        quiet = 0.0
        async with contextlib.aclosing(self._log.watch(run_id, after, quiet_seconds)) as events:
            async for event in events:
                quiet = 0.0 if event else quiet + quiet_seconds
                if event:
                    yield event
                elif (run := await self.find(owner, run_id)).status.is_at_work:
                    yield StillWorking(run_id=run_id, status=run.status, seconds=quiet)
