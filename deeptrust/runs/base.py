"""The producer seam: what the runner runs."""

from collections.abc import AsyncGenerator
from typing import Protocol

from deeptrust.domain.run import EventBody, RunRequest


class Producer(Protocol):
    """Turns a request into events. It knows neither log nor followers; the runner owns the task.

    A producer ends by returning (the runner then requires that its last status was a final one) or by
    raising a `DeepTrustError` (the runner logs `failed` with that sentence).
    """

    def start(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody, None]:
        """Produce the events of a run of the user `owner`; also called again for a run cut off by a restart."""
        ...
