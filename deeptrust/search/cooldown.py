"""An engine that asked us to wait is left in peace until the time is over (WEB-05)."""

import math
import time
from collections.abc import Callable

from deeptrust.search.base import PageStatus, SearchEngine, SearchPage

UNSAID_SECONDS = 60
"""Wait after a block or a spent limit whose length the engine did not say."""

_WAITING = frozenset({PageStatus.BLOCKED, PageStatus.QUOTA})


class CoolingEngine:
    """Wraps one engine; shared by all runs, so that no run repeats a request that another saw refused."""

    def __init__(self, engine: SearchEngine, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds that never run backwards."""
        self._engine = engine
        self._clock = clock
        self._until = -math.inf
        self._last: SearchPage | None = None

    @property
    def name(self) -> str:
        """The name of the engine within."""
        return self._engine.name

    async def search(self, query: str, limit: int) -> SearchPage:
        """Search, or repeat the refusal without a request while the engine wants to be left alone."""
        remaining = math.ceil(self._until - self._clock()) if self._last else 0
        if self._last and remaining > 0:
            return _still_waiting(self._last, remaining)
        page = await self._engine.search(query, limit)
        if page.status in _WAITING:
            self._last = page
            seconds = page.retry_after_seconds
            self._until = self._clock() + (UNSAID_SECONDS if seconds is None else seconds)
        return page


def _still_waiting(page: SearchPage, seconds: int) -> SearchPage:
    reason = f"{page.engine} refused an earlier search and is not asked again for {seconds:,} s."
    return page.model_copy(update={"reason": reason, "retry_after_seconds": seconds, "requests": 0})
