"""The state of a run between two nodes (D05): JSON-plain in the checkpoint, checked at every node, ids for text."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypedDict

from pydantic import Field, ValidationError

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.plan import AuditResult, PlanOrigin, ResearchPlan, StepResult
from deeptrust.domain.record import Record
from deeptrust.domain.run import ReasoningEntry, RunStatus, Sources
from deeptrust.errors import StoreUnavailable

MAX_REASONING = 20
"""Entries of the trace that the state keeps (D09); the event log keeps all."""

Json = dict[str, object]


def append_reasoning(kept: Sequence[Json], new: Sequence[Json]) -> list[Json]:
    """Merge rule of `reasoning`: append, keep the tail. Every other key is replaced."""
    return [*kept, *new][-MAX_REASONING:]


class ResearchState(Record):
    """All that a node may read. `thread_id` is the run's id: a thread serves one question (GRA-09).

    `moves` counts finished nodes; `seconds_used` and `tokens_used` add up what the run has cost while it ran,
    waiting for a person not counted.
    """

    thread_id: str
    session_name: str = Field(default="Unnamed Session", min_length=1)
    user_query: str = Field(min_length=1)
    collection: str
    sources: Sources
    knowledge_context: tuple[str, ...] = ()
    context_urls: tuple[str, ...] = ()

    plan: ResearchPlan | None = None
    plan_origin: PlanOrigin = PlanOrigin.QUESTION
    rejection_feedback: str | None = None
    plan_revision_count: int = Field(default=0, ge=0)
    max_plan_revisions: int = Field(default=5, gt=0)
    audit_result: AuditResult | None = None
    named_writer: str | None = None
    """The hosted model that the person is told of before a yes: no other one reads the passages (K26)."""

    human_approved: bool = False
    approved_plan_hash: str | None = None
    current_step_index: int = Field(default=0, ge=0)
    step_results: tuple[StepResult, ...] = ()
    final_report: AnswerDetail | None = None

    requests_used: int = Field(default=0, ge=0)
    tokens_used: int = Field(default=0, ge=0)
    seconds_used: float = Field(default=0, ge=0)
    moves: int = Field(default=0, ge=0)
    reasoning: Annotated[tuple[ReasoningEntry, ...], append_reasoning] = ()
    status: RunStatus = RunStatus.IDLE
    updated_at: datetime
    error_message: str | None = None

    @property
    def agreed_plan(self) -> ResearchPlan:
        """The plan, in nodes that are reached only with one."""
        if self.plan is None:
            raise StoreUnavailable("The saved state of this run lacks its plan. Start the run again.")
        return self.plan


class StateUpdate(TypedDict, total=False):
    """What a node may change. `reasoning` holds exactly one new entry."""

    plan: ResearchPlan | None
    plan_origin: PlanOrigin
    rejection_feedback: str | None
    plan_revision_count: int
    audit_result: AuditResult | None
    named_writer: str | None
    human_approved: bool
    approved_plan_hash: str | None
    current_step_index: int
    step_results: tuple[StepResult, ...]
    final_report: AnswerDetail | None
    requests_used: int
    tokens_used: int
    reasoning: tuple[ReasoningEntry, ...]
    status: RunStatus
    error_message: str | None


def read_state(values: object) -> ResearchState:
    """Check what a checkpoint holds.

    Raises:
        StoreUnavailable: it is not a state that this program wrote; nothing of it is used (GRA-11, GRA-18).
    """
    try:
        return ResearchState.model_validate(values)
    except ValidationError as error:
        raise StoreUnavailable(
            "The saved state of this run is damaged or was changed from outside, so the run was not continued. "
            "Start it again."
        ) from error
