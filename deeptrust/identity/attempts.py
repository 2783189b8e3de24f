"""Slows down whoever guesses: each wrong try makes the next wait longer, by address and by browser."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

FREE_TRIES = 5
FIRST_DELAY_SECONDS = 1.0
LONGEST_DELAY_SECONDS = 900.0
_MOST_KEYS = 10_000


@dataclass
class _Record:
    tries: int = 0
    free_at: float = 0.0


class Attempts:
    """Failed tries by key; a key is an address or a browser. Kept in memory, the oldest forgotten first."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._records: OrderedDict[str, _Record] = OrderedDict()

    def wait_seconds(self, *keys: str) -> int:
        """Return how long these keys still have to wait, 0 if not at all."""
        free_at = max((self._records[key].free_at for key in keys if key in self._records), default=0.0)
        return max(0, math.ceil(free_at - self._now()))

    def note(self, *keys: str) -> None:
        """Count a try, before its password is looked at: tries at the same time may not share one count."""
        for key in keys:
            record = self._records.setdefault(key, _Record())
            self._records.move_to_end(key)
            record.tries += 1
            over = record.tries - FREE_TRIES
            if over >= 0:
                delay = min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0 ** min(over, 20))
                record.free_at = self._now() + delay
        while len(self._records) > _MOST_KEYS:
            self._records.popitem(last=False)

    def forget(self, *keys: str) -> None:
        """Begin anew for these keys: the password was right."""
        for key in keys:
            self._records.pop(key, None)
