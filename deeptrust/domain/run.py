"""Runs and their events: one producer, one numbered log, many followers."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.approval import Outcome
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.document import WORKSPACE
from deeptrust.domain.plan import AuditResult, PlanOrigin, ResearchPlan, StepResult
from deeptrust.domain.record import Record


class RunKind(StrEnum):
    """An ask answers at once from the documents; research plans, waits for a yes, and reports."""

    ASK = "ask"
    RESEARCH = "research"


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

    @property
    def is_at_work(self) -> bool:
        """True while the program has to move the run on: it is not over, and waits for no person."""
        return not self.is_final and self is not RunStatus.AWAITING_APPROVAL


_FINAL = frozenset({RunStatus.COMPLETE, RunStatus.FAILED, RunStatus.REJECTED, RunStatus.CANCELLED, RunStatus.EXPIRED})


class Evidence(StrEnum):
    """Whether a complete run stands on anything."""

    FOUND = "found"
    NONE = "none"


SessionName = Annotated[str, Field(min_length=1, max_length=200)]
SuppliedText = Annotated[str, Field(max_length=100_000)]
Addresses = Annotated[tuple[str, ...], Field(max_length=50)]


class RunRequest(Record):
    """What a person asked for. `thread_id` groups the questions of one conversation.

    `retrieved_context` is text that an outside caller supplies; it becomes a passage that can be cited (K26).
    `context_urls` are addresses that the planner is told of; nothing is fetched.
    """

    kind: RunKind = RunKind.ASK
    question: str
    thread_id: str | None = None
    collection: str = WORKSPACE
    sources: Sources = Sources.DOCUMENTS
    session_name: SessionName = "Unnamed Session"
    retrieved_context: SuppliedText = ""
    context_urls: Addresses = ()


class StatusChanged(Record):
    """The run moved on. `message` is set when it ended otherwise than complete."""

    type: Literal["status"] = "status"
    status: RunStatus
    evidence: Evidence | None = None
    message: str | None = None


class ReasoningEntry(Record):
    """One line of the trace: which node did what (K25), and each model call that it made for it, failed ones too.

    `agreed` says in sentences what a person let leave the machine when they took a run up again (K26).
    """

    type: Literal["reasoning"] = "reasoning"
    node: str
    summary: str
    status: RunStatus
    calls: tuple[ModelCall, ...] = ()
    agreed: tuple[str, ...] = ()


class AnswerReady(Record):
    """The checked answer, whole; followers pace its words (K18)."""

    type: Literal["answer"] = "answer"
    detail: AnswerDetail


class PlanProposed(Record):
    """The agent's plan, before its audit."""

    type: Literal["plan"] = "plan"
    plan: ResearchPlan
    plan_hash: str
    origin: PlanOrigin


class Audited(Record):
    """What the policy says of the latest plan."""

    type: Literal["audit"] = "audit"
    audit: AuditResult


class ApprovalAsked(Record):
    """The run waits for a person. `approval_id` and `plan_hash` belong to the answer.

    `leaves_machine` says in sentences what will go where after a yes; empty means nothing will.
    """

    type: Literal["approval"] = "approval"
    approval_id: str
    message: str
    plan: ResearchPlan
    audit: AuditResult
    plan_hash: str
    policy_hash: str
    leaves_machine: tuple[str, ...]
    expires_at: datetime


class Decided(Record):
    """What the person decided, stored in the transaction that claimed the approval (HIT-16)."""

    type: Literal["decision"] = "decision"
    approval_id: str
    outcome: Outcome


class StepDone(Record):
    """How one step of the approved plan ended."""

    type: Literal["step"] = "step"
    result: StepResult


EventBody = Annotated[
    StatusChanged | ReasoningEntry | PlanProposed | Audited | ApprovalAsked | Decided | StepDone | AnswerReady,
    Field(discriminator="type"),
]


class RunEvent(Record):
    """One line of a run's log; `sequence` counts from 1 without a gap."""

    run_id: str
    sequence: int = Field(ge=1)
    at: datetime
    body: EventBody


class StillWorking(Record):
    """Told to those who watch a run when nothing new has come for `seconds`; it is no event and is not logged."""

    run_id: str
    status: RunStatus
    seconds: float


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
