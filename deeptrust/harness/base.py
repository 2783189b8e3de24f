"""The research harness seam (H01): any place that can answer questions over a collection."""

from collections.abc import Callable
from typing import Protocol

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.record import Record
from deeptrust.domain.run import ReasoningEntry


class Availability(Record):
    """Whether a harness can be used now; `reason` is a sentence when it cannot."""

    is_available: bool
    reason: str = ""


Trace = Callable[[ReasoningEntry], None]
"""Told of each stage while an answer is made; the page shows it as progress."""


class ResearchHarness(Protocol):
    """Answers from one collection and never beyond it. Cancel by cancelling the awaiting task."""

    @property
    def id(self) -> str:
        """Stable id on the wire, for instance `local-rag`."""
        ...

    @property
    def display_name(self) -> str:
        """Name for a person."""
        ...

    async def availability(self) -> Availability:
        """Answer within two seconds whether asking is possible."""
        ...

    async def ask(self, owner: str, collection: str, question: str, trace: Trace | None = None) -> AnswerDetail:
        """Answer `question` from the passages of `collection` that belong to the user `owner`.

        Raises:
            BadQuestion: the question is empty or too long.
            ModelUnavailable: retrieval itself is impossible. Softer failures come back as guidance (H18).
        """
        ...
