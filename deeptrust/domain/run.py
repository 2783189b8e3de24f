"""Runs and their events: one producer, one numbered log, many followers."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.document import WORKSPACE
from deeptrust.domain.record import Record


class RunKind(StrEnum):
    """An ask answers at once from the documents."""

    ASK = "ask"


class Sources(StrEnum):
    """What a run may reach (K28)."""

    DOCUMENTS = "documents"
    DOCUMENTS_AND_WEB = "documents+web"


class RunStatus(StrEnum):
    """Where a run is (K25)."""

    IDLE = "idle"
    THINKING = "thinking"
    AUDITING = "auditing"
    AWAITING_APPROVAL = "awaiting_approval"
    EXECUTING = "executing"
    SYNTHESIZING = "synthesizing"
    COMPLETE = "complete"
    FAILED = "failed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    EXPIRED = "expired"

    @property
    def is_final(self) -> bool:
        """True once nothing more will happen in the run."""
        return self in _FINAL


_FINAL = frozenset({RunStatus.COMPLETE, RunStatus.FAILED, RunStatus.REJECTED, RunStatus.CANCELLED, RunStatus.EXPIRED})


class Evidence(StrEnum):
    """Whether a complete run stands on anything."""

    FOUND = "found"
    NONE = "none"


class RunRequest(Record):
    """What a person asked for. `thread_id` groups the questions of one conversation."""

    kind: RunKind = RunKind.ASK
    question: str
    thread_id: str | None = None
    collection: str = WORKSPACE
    sources: Sources = Sources.DOCUMENTS


class StatusChanged(Record):
    """The run moved on. `message` is set when it ended otherwise than complete."""

    type: Literal["status"] = "status"
    status: RunStatus
    evidence: Evidence | None = None
    message: str | None = None


class ReasoningEntry(Record):
    """One line of the trace: which node did what (K25)."""

    type: Literal["reasoning"] = "reasoning"
    node: str
    summary: str
    status: RunStatus


class AnswerReady(Record):
    """The checked answer, whole; followers pace its words (K18)."""

    type: Literal["answer"] = "answer"
    detail: AnswerDetail


EventBody = Annotated[StatusChanged | ReasoningEntry | AnswerReady, Field(discriminator="type")]


class RunEvent(Record):
    """One line of a run's log; `sequence` counts from 1 without a gap."""

    run_id: str
    sequence: int = Field(ge=1)
    at: datetime
    body: EventBody


class RunSummary(Record):
    """A run as the list shows it."""

    id: str
    thread_id: str
    kind: RunKind
    question: str
    sources: Sources
    status: RunStatus
    evidence: Evidence | None = None
    created_at: datetime
    updated_at: datetime
