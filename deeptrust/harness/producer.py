"""An ask as a run: the harness's answer turned into events."""

import asyncio
from collections.abc import AsyncGenerator

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.run import AnswerReady, EventBody, Evidence, ReasoningEntry, RunRequest, RunStatus, StatusChanged
from deeptrust.harness.base import ResearchHarness


class AskProducer:
    """Implements `runs.base.Producer` over one harness."""

    def __init__(self, harness: ResearchHarness) -> None:
        """Every ask goes to `harness`."""
        self._harness = harness

    async def start(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody]:
        """Yield thinking, the trace as it happens, the answer, complete. Closing the iterator ends the asking.

        Raises:
            BadQuestion, ModelUnavailable, StoreUnavailable: no answer could be made; the runner logs `failed`.
        """
        yield StatusChanged(status=RunStatus.THINKING)
        entries: asyncio.Queue[ReasoningEntry | None] = asyncio.Queue()
        asking = asyncio.create_task(self._harness.ask(owner, request.collection, request.question, entries.put_nowait))
        asking.add_done_callback(lambda _: entries.put_nowait(None))
        try:
            while (entry := await entries.get()) is not None:
                yield entry
            detail = await asking
        finally:
            asking.cancel()
        yield AnswerReady(detail=detail)
        yield StatusChanged(status=RunStatus.COMPLETE, evidence=_evidence(detail))


def _evidence(detail: AnswerDetail) -> Evidence:
    return Evidence.FOUND if detail.answer.grounded else Evidence.NONE
