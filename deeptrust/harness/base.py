"""The research harness seam (H01): any place that can answer questions over a collection."""

from collections.abc import Callable
from typing import Protocol

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.record import Record
from deeptrust.domain.run import ReasoningEntry
from deeptrust.domain.study import PrepPack
from deeptrust.harness.ingest import IngestReport


class Availability(Record):
    """Whether a harness can be used now; `reason` is a sentence when it cannot."""

    is_available: bool
    reason: str = ""


Trace = Callable[[ReasoningEntry], None]
"""Told of each stage while an answer is made; the page shows it as progress."""


class ResearchHarness(Protocol):
    """Answers from one collection and never beyond it, or points to a tool that does. Cancel by cancelling the task."""

    @property
    def id(self) -> str:
        """Stable id on the wire, for instance `local-rag`."""
        ...

    @property
    def display_name(self) -> str:
        """Name for a person."""
        ...

    @property
    def answers_here(self) -> bool:
        """False where `ask` gives a pointer to another tool."""
        ...

    async def availability(self) -> Availability:
        """Find out by trying whether it can be used; `selector` bounds the wait and keeps the result for a while."""
        ...

    async def ingest(self, owner: str, pack: PrepPack, confirmation: str | None = None) -> IngestReport:
        """Take in a job's prep pack in place of the one before; the same pack twice is the same as once.

        A harness that would send it out of this machine answers with a question first, and acts on the `confirmation`
        that the question carries (H11).

        Raises:
            Conflict: the confirmation is not good for this.
            BadDocument, Unavailable: the pack was not taken in; the sentence says what was done of it.
        """
        ...

    async def forget(self, owner: str, collection: str) -> None:
        """Drop what is kept of a collection on this machine: the job is deleted.

        Raises:
            StoreUnavailable: nothing was dropped.
        """
        ...

    async def ask(self, owner: str, collection: str, question: str, trace: Trace | None = None) -> AnswerDetail:
        """Answer `question` from the passages of `collection` that belong to the user `owner`.

        Raises:
            BadQuestion: the question is empty or too long.
            ModelUnavailable: retrieval itself is impossible. Softer failures come back as guidance (H18).
        """
        ...
