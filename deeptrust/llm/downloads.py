"""Downloads under way: each is one task, shared by all who ask for the same model."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable

from deeptrust.domain.model import DownloadPhase, DownloadProgress
from deeptrust.errors import DeepTrustError, NotFound

logger = logging.getLogger(__name__)

Tell = Callable[[DownloadProgress], None]
Work = Callable[[Tell], Awaitable[None]]
"""Downloads one model; tells how far it is. It raises where it fails, and stops where it is cancelled."""

_ENDED = frozenset({DownloadPhase.DONE, DownloadPhase.CANCELLED, DownloadPhase.FAILED})
_POLL_SECONDS = 0.2
_RATE_SECONDS = 5
"""The rate is that of the last seconds, so that it follows the line and not the history."""


class Meter:
    """Turns bytes into progress with a rate and the time that is left."""

    def __init__(self, model_id: str, total_bytes: int, tell: Tell) -> None:
        self._id = model_id
        self._total = total_bytes
        self._tell = tell
        self._samples: deque[tuple[float, int]] = deque()

    def __call__(self, phase: DownloadPhase, received_bytes: int, message: str) -> None:
        """Take one report of a `Hub`."""
        rate = self._rate(received_bytes) if phase is DownloadPhase.DOWNLOADING else None
        self._tell(
            DownloadProgress(
                id=self._id,
                phase=phase,
                received_bytes=received_bytes,
                total_bytes=self._total,
                bytes_per_second=rate,
                seconds_left=(self._total - received_bytes) / rate if rate else None,
                message=message,
            )
        )

    def _rate(self, received_bytes: int) -> float | None:
        now = time.monotonic()
        self._samples.append((now, received_bytes))
        while now - self._samples[0][0] > _RATE_SECONDS:
            self._samples.popleft()
        since, bytes_then = self._samples[0]
        return (received_bytes - bytes_then) / (now - since) if now > since else None


class Downloads:
    """The downloads of one process, those that have ended included."""

    def __init__(self) -> None:
        self._progress: dict[str, DownloadProgress] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, model_id: str, work: Work) -> DownloadProgress:
        """Start `work`, or join the one that runs for the same model."""
        if model_id not in self._tasks:
            self._progress[model_id] = DownloadProgress(id=model_id, phase=DownloadPhase.WAITING)
            task = self._tasks[model_id] = asyncio.create_task(self._run(model_id, work))
            task.add_done_callback(lambda _: self._forget(model_id))
        return self._progress[model_id]

    def all(self) -> list[DownloadProgress]:
        """Every download that was asked for since the start."""
        return list(self._progress.values())

    def is_running(self, model_id: str) -> bool:
        """Whether it is under way now."""
        return model_id in self._tasks

    async def follow(self, model_id: str) -> AsyncGenerator[DownloadProgress, None]:
        """Yield each change until the download has ended; leaving does not end it.

        Raises:
            NotFound: nothing was downloaded under this name.
        """
        shown: DownloadProgress | None = None
        while shown is None or shown.phase not in _ENDED:
            progress = self._progress.get(model_id)
            if progress is None:
                raise NotFound(f"{model_id} is not being downloaded.")
            if progress != shown:
                shown = progress
                yield progress
            else:
                await asyncio.sleep(_POLL_SECONDS)

    async def cancel(self, model_id: str) -> None:
        """End a download and keep what came; returns once it has ended."""
        if task := self._tasks.get(model_id):
            task.cancel()
            await asyncio.wait({task})

    async def close(self) -> None:
        """End all of them, and keep what came."""
        for model_id in list(self._tasks):
            await self.cancel(model_id)

    async def _run(self, model_id: str, work: Work) -> None:
        def tell(progress: DownloadProgress) -> None:
            self._progress[model_id] = progress

        try:
            await work(tell)
        except DeepTrustError as error:
            self._end(model_id, DownloadPhase.FAILED, str(error))
        except Exception:  # a download ends here: nobody awaits its task
            logger.exception("the download of %s failed", model_id)
            self._end(model_id, DownloadPhase.FAILED, "Something went wrong inside DeepTrust; its log says what.")

    def _forget(self, model_id: str) -> None:
        """Also for a task that was cancelled before its first step, and so never ran."""
        del self._tasks[model_id]
        if self._progress[model_id].phase not in _ENDED:
            self._end(model_id, DownloadPhase.CANCELLED, "Cancelled. What came is kept.")

    def _end(self, model_id: str, phase: DownloadPhase, message: str) -> None:
        told = {"phase": phase, "message": message, "seconds_left": None, "bytes_per_second": None}
        self._progress[model_id] = self._progress[model_id].model_copy(update=told)
