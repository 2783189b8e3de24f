"""The event log: what happened in a run, numbered, durable, replayed and then live."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from weakref import WeakValueDictionary

from deeptrust.database import approvals, runs
from deeptrust.database.engine import Database
from deeptrust.domain.approval import Approval, ApprovalState
from deeptrust.domain.run import Decided, EventBody, RunEvent, StatusChanged


class EventLog:
    """Appends events and wakes those who follow. An event is acknowledged only after its commit."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # Weak: an entry lives as long as somebody waits for it, however many runs are looked at (DEP-14).
        self._news: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()

    async def append(self, run_id: str, body: EventBody) -> RunEvent:
        """Store `body` under the run's next number, then wake the followers."""
        event = await self._database.run(lambda session: runs.append_event(session, run_id, body))
        self._wake(run_id)
        return event

    async def claim(self, run_id: str, approval: Approval, state: ApprovalState, body: EventBody) -> bool:
        """Move a pending approval to `state` and append `body`, in one transaction; False if another was first."""
        outcome = body.outcome if isinstance(body, Decided) else None
        is_first = await self._database.run(
            lambda session: (
                approvals.move_pending(session, approval.id, state, outcome)
                and bool(runs.append_event(session, run_id, body))
            )
        )
        if is_first:
            self._wake(run_id)
        return is_first

    async def read(self, run_id: str, after: int = 0) -> list[RunEvent]:
        """What is stored of the run so far, numbered above `after`."""
        return await self._database.run(lambda session: runs.events_after(session, run_id, after))

    async def follow(self, run_id: str, after: int = 0) -> AsyncGenerator[RunEvent]:
        """Yield the events numbered above `after`: stored ones, then new ones until the run ends or is deleted.

        A run may have ended before and been taken up again: only the end that nothing follows is one.
        """
        async with aclosing(self.watch(run_id, after)) as events:
            async for event in events:
                if event is not None:
                    yield event

    async def watch(
        self, run_id: str, after: int = 0, quiet_seconds: float | None = None
    ) -> AsyncGenerator[RunEvent | None]:
        """Follow, and yield None whenever nothing has come for `quiet_seconds`; None: never."""
        while True:
            # Taken before reading: an event that lands between the read and the wait still wakes us.
            news = self._news.setdefault(run_id, asyncio.Event())
            status = await self._database.run(lambda session: runs.status_of(session, run_id))
            events = await self.read(run_id, after)
            for event in events:
                after = event.sequence
                yield event
            if status is None or (_is_end(events[-1]) if events else status.is_final):
                return
            try:
                async with asyncio.timeout(quiet_seconds):
                    await news.wait()
            except TimeoutError:
                yield None

    def dismiss(self, run_id: str) -> None:
        """Let those who follow a run that was deleted go."""
        self._wake(run_id)

    def _wake(self, run_id: str) -> None:
        if waiting := self._news.pop(run_id, None):
            waiting.set()


def _is_end(event: RunEvent) -> bool:
    return isinstance(event.body, StatusChanged) and event.body.status.is_final
