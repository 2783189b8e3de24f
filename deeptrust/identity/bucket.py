"""So much at once, and so much a second from then on: for each client by itself."""

import time
from collections import OrderedDict
from collections.abc import Callable

_MOST_CLIENTS = 10_000


class Bucket:
    """A token bucket for each client; those that were not seen for longest are forgotten first."""

    def __init__(self, burst: int, per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._per_second = per_second
        self._now = now
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_seconds(self, client: str, cost: float = 1) -> float:
        """Take `cost` tokens and return 0, or take none and return how long the client has to wait for the first.

        Who has one token may take more, and waits for them afterwards.
        """
        level = self._level(client)
        wait = 0.0 if level >= 1 else (1 - level) / self._per_second
        self._levels[client] = (level if wait else level - cost, self._now())
        self._levels.move_to_end(client)
        if len(self._levels) > _MOST_CLIENTS:
            self._levels.popitem(last=False)
        return wait

    def is_empty(self, client: str) -> bool:
        """Whether whatever the client does next has to wait."""
        return self._level(client) < 1

    def _level(self, client: str) -> float:
        now = self._now()
        level, at = self._levels.get(client, (float(self._burst), now))
        return min(float(self._burst), level + (now - at) * self._per_second)
