"""Which harnesses there are, which can be used now, and which one is taken when nobody chooses (H12, K08)."""

import asyncio
import time
from collections.abc import Callable, Sequence

from deeptrust.domain.record import Record
from deeptrust.errors import NotFound
from deeptrust.harness.base import Availability, ResearchHarness

PATIENCE_SECONDS = 1.5
"""Longest wait for one look at the list; a harness that needs longer is looked at in the background."""
FRESH_SECONDS = 30.0

_CHECKING = Availability(is_available=False, reason="Still being looked at. Look again in a moment.")


class HarnessChoice(Record):
    """A harness as a picker shows it. `answers_here` is false where asking gives a pointer to another tool."""

    id: str
    display_name: str
    is_available: bool
    reason: str
    is_default: bool
    answers_here: bool


class HarnessSelector:
    """Holds the harnesses in order of preference. Close it: it may be looking at one in the background."""

    def __init__(self, harnesses: Sequence[ResearchHarness], now: Callable[[], float] = time.monotonic) -> None:
        self.harnesses = tuple(harnesses)
        self._now = now
        self._known: dict[str, tuple[float, Availability]] = {}
        self._looking: dict[str, asyncio.Task[Availability]] = {}

    def find(self, harness_id: str) -> ResearchHarness:
        """Return the harness of an id.

        Raises:
            NotFound: there is none; the sentence names those that there are.
        """
        for harness in self.harnesses:
            if harness.id == harness_id:
                return harness
        known = ", ".join(harness.id for harness in self.harnesses)
        raise NotFound(f"There is no research harness of that name. Choose one of: {known}.")

    async def default(self) -> ResearchHarness:
        """Return the first that is available, else the first."""
        for harness in self.harnesses:
            if (await self.check(harness)).is_available:
                return harness
        return self.harnesses[0]

    async def choices(self) -> list[HarnessChoice]:
        """Return all harnesses in order, within two seconds."""
        checks = await asyncio.gather(*(self.check(harness) for harness in self.harnesses))
        pairs = list(zip(self.harnesses, checks, strict=True))
        first = next((harness for harness, check in pairs if check.is_available), self.harnesses[0])
        return [
            HarnessChoice(
                id=harness.id,
                display_name=harness.display_name,
                is_available=check.is_available,
                reason=check.reason,
                is_default=harness is first,
                answers_here=harness.answers_here,
            )
            for harness, check in pairs
        ]

    async def check(self, harness: ResearchHarness) -> Availability:
        """Return what is known, if it is fresh, else look; what takes long is told as such and goes on by itself."""
        if known := self._known.get(harness.id):
            at, availability = known
            if self._now() - at < FRESH_SECONDS:
                return availability
        looking = self._looking.get(harness.id)
        if looking is None:
            looking = self._looking[harness.id] = asyncio.create_task(self._look(harness))
        await asyncio.wait({looking}, timeout=PATIENCE_SECONDS)
        return looking.result() if looking.done() else _CHECKING

    def note_failure(self, harness: ResearchHarness, reason: str) -> None:
        """Keep in mind that a harness has just failed."""
        self._known[harness.id] = (self._now(), Availability(is_available=False, reason=reason))

    async def close(self) -> None:
        """Stop looking, and wait until what was started for it has ended."""
        looking = list(self._looking.values())
        for task in looking:
            task.cancel()
        await asyncio.gather(*looking, return_exceptions=True)

    async def _look(self, harness: ResearchHarness) -> Availability:
        try:
            availability = await harness.availability()
            self._known[harness.id] = (self._now(), availability)
            return availability
        finally:
            del self._looking[harness.id]
