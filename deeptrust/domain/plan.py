"""What the agent intends: plan, steps, audit, and what each step brought (D06-D08, K12, K24)."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, cast

from pydantic import AfterValidator, Field, model_validator

from deeptrust.domain.record import Record


class Tool(StrEnum):
    """What a step may do (K22)."""

    KNOWLEDGE_SEARCH = "knowledge_search"
    WEB_SEARCH = "web_search"


class ResearchStep(Record):
    """One action of a plan; `id` is a UUID."""

    id: str
    tool: Tool
    input: str = Field(min_length=1)
    rationale: str


def _require_words(text: str) -> str:
    if not any(character.isalnum() for character in text):
        raise ValueError("holds no word")
    return text


Words = Annotated[str, AfterValidator(_require_words)]
"""Text with a letter or digit in it: blanks and marks alone say nothing to search for."""


class StepDraft(Record):
    """A step as a model or a person writes it; the server gives the id."""

    tool: Tool
    input: Words = Field(min_length=1, max_length=2000)
    rationale: str = Field(max_length=2000)

    @model_validator(mode="before")
    @classmethod
    def _without_what_the_server_decides(cls, fields: object) -> object:
        return _drop(fields, _DECIDED_OF_A_STEP)


class PlanDraft(Record):
    """A plan as a model or a person writes it: what can be chosen, and nothing that the server decides.

    A plan that was shown may come back as it is: what the server decided in it is passed over, and decided anew.
    """

    objective: Words = Field(min_length=1, max_length=2000)
    steps: tuple[StepDraft, ...] = Field(min_length=1, max_length=50)

    @model_validator(mode="before")
    @classmethod
    def _without_what_the_server_decides(cls, fields: object) -> object:
        return _drop(fields, _DECIDED_OF_A_PLAN)


class PlanOrigin(StrEnum):
    """Who made a plan; the page says so."""

    MODEL = "model"
    QUESTION = "question"
    PERSON = "person"


class ResearchPlan(Record):
    """What will be done, in order. `revision` counts how often the plan was made anew."""

    objective: str = Field(min_length=1)
    steps: tuple[ResearchStep, ...] = Field(min_length=1)
    estimated_token_budget: int = Field(ge=0)
    created_at: datetime
    revision: int = Field(ge=0)

    @property
    def hash(self) -> str:
        """SHA-256 of what a person approves: objective and each step, as canonical JSON (K24)."""
        steps = [step.model_dump(mode="json", include={"id", "tool", "input", "rationale"}) for step in self.steps]
        approved = {"objective": self.objective, "steps": steps}
        canonical = json.dumps(approved, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


class AuditVerdict(StrEnum):
    """What the audit says of a plan; only `approved` without a violation leads to the gate (K09)."""

    APPROVED = "approved"
    REJECTED = "rejected"
    NEEDS_REVISION = "needs_revision"


class RuleFinding(Record):
    """The verdict of one machine rule: `line` is the policy's own line, `detail` what broke it."""

    rule: str
    line: str
    holds: bool
    detail: str = ""


class AuditResult(Record):
    """An audit (D08) with the verdict of each machine rule and what the model's opinion was worth."""

    verdict: AuditVerdict
    policy_violations: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    audited_at: datetime
    findings: tuple[RuleFinding, ...] = ()
    model_opinion: str = ""
    policy_hash: str


class StepStatus(StrEnum):
    """How a step ended (K12)."""

    OK = "ok"
    EMPTY = "empty"
    FAILED = "failed"
    REFUSED = "refused"


class StepResult(Record):
    """What one step brought. Text is never data here: evidence is named by passage id, failure by a reason."""

    step_id: str
    status: StepStatus
    engine: str | None = None
    reason: str | None = None
    passage_ids: tuple[str, ...] = ()
    requests: int = Field(default=0, ge=0)
    executed_at: datetime

    @property
    def output(self) -> str:
        """What the step brought, in words; it stands on the wire only (K24)."""
        count = len(self.passage_ids)
        brought = {
            StepStatus.OK: f"{count} {'passage' if count == 1 else 'passages'} of {self.engine or 'a search'}.",
            StepStatus.EMPTY: "Nothing was found.",
            StepStatus.FAILED: "The step failed.",
            StepStatus.REFUSED: "The step was not run.",
        }[self.status]
        return f"{brought} {self.reason}" if self.reason else brought


class ShownStep(ResearchStep):
    """A step as programs see it: with what it brought, once it was done (D06)."""

    output: str | None = None
    executed_at: datetime | None = None


class ShownPlan(ResearchPlan):
    """A plan as programs see it."""

    # Sound, since records are frozen.
    steps: tuple[ShownStep, ...] = Field(min_length=1)  # pyright: ignore[reportIncompatibleVariableOverride]


def show_plan(plan: ResearchPlan, results: Mapping[str, StepResult]) -> ShownPlan:
    """Return the plan with the results of its steps, which are given by step id."""
    shown = plan.model_dump()
    for step in shown["steps"]:
        if done := results.get(step["id"]):
            step |= {"output": done.output, "executed_at": done.executed_at}
    return ShownPlan.model_validate(shown)


def _drop(fields: object, names: frozenset[str]) -> object:
    if not isinstance(fields, dict):
        return fields
    return {name: value for name, value in cast(dict[str, object], fields).items() if name not in names}


_DECIDED_OF_A_PLAN = frozenset({"estimatedTokenBudget", "createdAt", "revision"})
_DECIDED_OF_A_STEP = frozenset({"id", "output", "executedAt"})
