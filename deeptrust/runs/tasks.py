"""The tasks of the runs at work: each logs what its producer yields, and no run ends without saying so."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable

from deeptrust.domain.run import EventBody, RunStatus, StatusChanged
from deeptrust.errors import DeepTrustError
from deeptrust.runs.log import EventLog

logger = logging.getLogger(__name__)

STOPPED = StatusChanged(status=RunStatus.CANCELLED, message="Stopped by you.")


class RunTasks:
    """At most one task for each run. A run that waits for approval has none."""

    def __init__(self, log: EventLog, settle: Callable[[str], Awaitable[None]]) -> None:
        """`settle` is called with the run's id after the last event of each task."""
        self._log = log
        self._settle = settle
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._is_closing = False

    def __contains__(self, run_id: str) -> bool:
        return run_id in self._tasks

    def __len__(self) -> int:
        return len(self._tasks)

    async def launch(self, run_id: str, bodies: AsyncGenerator[EventBody, None]) -> None:
        """Start the task that logs `bodies`, once a former one of this run has ended."""
        await self.join(run_id)  # it has asked for approval and is about to end
        task = asyncio.create_task(self._carry_out(run_id, bodies), name=f"run {run_id}")
        self._tasks[run_id] = task
        task.add_done_callback(lambda _: self._let_go(run_id, task))
        # A task cancelled before its first step never reaches its `except`: let it take that step.
        await asyncio.sleep(0)

    async def join(self, run_id: str) -> None:
        """Return once the run has no task."""
        while task := self._tasks.get(run_id):
            await asyncio.wait({task})
            await asyncio.sleep(0)  # a finished task is forgotten in the next turn of the loop

    async def stop(self, run_id: str) -> bool:
        """Return once the run's task has ended, `cancelled` logged; False if it has none.

        A second call only waits for the first one (UI-17).
        """
        task = self._tasks.get(run_id)
        if task is None:
            return False
        if not task.cancelling():
            task.cancel()
        await asyncio.wait({task})
        return True

    async def close(self) -> None:
        """Let go of the tasks without ending their runs: the next start recovers them."""
        self._is_closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _let_go(self, run_id: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(run_id) is task:
            del self._tasks[run_id]

    async def _carry_out(self, run_id: str, bodies: AsyncGenerator[EventBody, None]) -> None:
        """Log what the producer yields; whatever happens, the log ends with a final status or waits for a person."""
        try:
            async with contextlib.aclosing(bodies):
                async for body in bodies:
                    await self._log.append(run_id, body)
        except asyncio.CancelledError:
            if self._is_closing:
                return
            await self._log.append(run_id, STOPPED)
        except DeepTrustError as error:
            await self._fail(run_id, str(error))
        except Exception:  # a run ends here: its log must say so, whatever went wrong (UI-14)
            logger.exception("run %s failed", run_id)
            await self._fail(run_id, f"Something went wrong inside DeepTrust (run {run_id[:8]}).")
        await self._settle(run_id)

    async def _fail(self, run_id: str, message: str) -> None:
        await self._log.append(run_id, StatusChanged(status=RunStatus.FAILED, message=message))
