"""What the agent intends: plan, steps, audit, and what each step brought (D06-D08, K12, K24)."""

import hashlib
import json
from datetime import datetime
from enum import StrEnum

from pydantic import Field

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


class StepDraft(Record):
    """A step as a model or a person writes it; the server gives the id."""

    tool: Tool
    input: str = Field(min_length=1, max_length=2000)
    rationale: str = Field(max_length=2000)


class PlanDraft(Record):
    """A plan as a model or a person writes it: what can be chosen, and nothing that the server decides."""

    objective: str = Field(min_length=1, max_length=2000)
    steps: tuple[StepDraft, ...] = Field(min_length=1, max_length=50)


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
        approved = {"objective": self.objective, "steps": [step.to_wire() for step in self.steps]}
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
