"""What tools brought, kept outside the checkpoint: text stored once, by passage id."""

from collections.abc import Sequence
from typing import Protocol

from deeptrust.database import evidence
from deeptrust.database.engine import Database
from deeptrust.domain.document import Passage
from deeptrust.domain.plan import StepResult


class EvidenceStore(Protocol):
    """Keeps passages that stand in no knowledge store, and the result of each step that was done."""

    async def put(self, run_id: str, passages: Sequence[Passage]) -> None:
        """Store passages; an id that is there already stays as it is."""
        ...

    async def get(self, run_id: str, ids: Sequence[str]) -> list[Passage]:
        """The stored passages among `ids`, in that order."""
        ...

    async def record(self, run_id: str, result: StepResult, passages: Sequence[Passage]) -> None:
        """Store a step's result with its passages, in one transaction, before the checkpoint is written."""
        ...

    async def recorded(self, run_id: str, step_id: str) -> StepResult | None:
        """The result of a step that was done already, perhaps by a process that then died."""
        ...


class DatabaseEvidence:
    """An `EvidenceStore` in the database; a run's evidence is deleted with the run."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, run_id: str, passages: Sequence[Passage]) -> None:
        """See `EvidenceStore.put`."""
        await self._database.run(lambda session: evidence.put_passages(session, run_id, passages))

    async def get(self, run_id: str, ids: Sequence[str]) -> list[Passage]:
        """See `EvidenceStore.get`."""
        return await self._database.run(lambda session: evidence.get_passages(session, run_id, ids))

    async def record(self, run_id: str, result: StepResult, passages: Sequence[Passage]) -> None:
        """See `EvidenceStore.record`."""
        await self._database.run(
            lambda session: (
                evidence.put_passages(session, run_id, passages),
                evidence.put_step_result(session, run_id, result),
            )
        )

    async def recorded(self, run_id: str, step_id: str) -> StepResult | None:
        """See `EvidenceStore.recorded`."""
        return await self._database.run(lambda session: evidence.get_step_result(session, run_id, step_id))
