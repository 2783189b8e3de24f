"""The producers of all kinds of runs, spoken to as one where it makes no difference whose run it is."""

from collections.abc import Collection, Mapping

from deeptrust.domain.run import RunKind
from deeptrust.errors import Conflict
from deeptrust.runs.base import Producer, ResumableProducer


class Producers:
    """One producer for each kind of run; releasing, retaining and erasing concern those that keep something."""

    def __init__(self, by_kind: Mapping[RunKind, Producer]) -> None:
        self._by_kind = by_kind
        self._resumables = [producer for producer in by_kind.values() if isinstance(producer, ResumableProducer)]

    def of(self, kind: RunKind) -> Producer:
        """Return the producer of runs of this kind."""
        return self._by_kind[kind]

    def resumable(self, kind: RunKind) -> ResumableProducer:
        """Return the producer of runs of this kind, which pause for a person.

        Raises:
            Conflict: runs of this kind never pause.
        """
        producer = self._by_kind[kind]
        if not isinstance(producer, ResumableProducer):
            raise Conflict("This run does not wait for approval.")
        return producer

    async def release(self, run_id: str) -> None:
        """Let go of what only a running run needs; harmless for a run that nobody keeps anything of."""
        for producer in self._resumables:
            await producer.release(run_id)

    async def retain(self, run_ids: Collection[str]) -> None:
        """Release every run but these."""
        for producer in self._resumables:
            await producer.retain(run_ids)

    async def erase(self) -> None:
        """Leave no byte on the disk of runs that were released."""
        for producer in self._resumables:
            await producer.erase()
