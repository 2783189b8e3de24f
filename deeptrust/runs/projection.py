"""What a run has come to, read off its log alone: the one answer of HTTP, command line and export."""

from collections.abc import Iterable
from datetime import datetime

from deeptrust.domain.answer import Citation
from deeptrust.domain.plan import AuditResult, ResearchPlan, ShownPlan, StepResult, show_plan
from deeptrust.domain.record import Record
from deeptrust.domain.run import (
    AnswerReady,
    Audited,
    EventBody,
    Evidence,
    PlanProposed,
    ReasoningEntry,
    RunKind,
    RunStatus,
    RunSummary,
    Sources,
    StatusChanged,
    StepDone,
)
from deeptrust.runs.retries import RetryPoint, find_retry


class RunView(Record):
    """A run as programs see it. `thread_id` is the run's own id: a thread serves one question.

    The steps of `plan` say what they brought, as `step_results` does in full.
    `final_report` is Markdown whose marks like [1] name `citations`; `reasoning` is the whole trace; `retry` says
    where a run that has ended can be taken up again.
    """

    thread_id: str
    user_query: str
    sources: Sources
    status: RunStatus
    evidence: Evidence | None = None
    plan: ShownPlan | None = None
    plan_hash: str | None = None
    audit_result: AuditResult | None = None
    step_results: tuple[StepResult, ...] = ()
    final_report: str | None = None
    citations: tuple[Citation, ...] = ()
    model: str | None = None
    embedder: str | None = None
    reasoning: tuple[ReasoningEntry, ...] = ()
    error_message: str | None = None
    retry: RetryPoint | None = None
    created_at: datetime
    updated_at: datetime


class RunLine(Record):
    """A run in a list, as programs see it; `thread_id` is the run's own id, as in `RunView`."""

    thread_id: str
    conversation_id: str
    kind: RunKind
    user_query: str
    sources: Sources
    status: RunStatus
    evidence: Evidence | None = None
    created_at: datetime
    updated_at: datetime


def line_of(run: RunSummary) -> RunLine:
    """Name a run's fields as programs know them."""
    return RunLine(
        thread_id=run.id,
        conversation_id=run.thread_id,
        kind=run.kind,
        user_query=run.question,
        sources=run.sources,
        status=run.status,
        evidence=run.evidence,
        created_at=run.created_at,
        updated_at=run.updated_at,
    )


def project_run(run: RunSummary, bodies: Iterable[EventBody]) -> RunView:
    """Fold the events of a run, in their order, into its view."""
    bodies = list(bodies)
    fields: dict[str, object] = {}
    reasoning: list[ReasoningEntry] = []
    results: dict[str, StepResult] = {}
    for body in bodies:
        match body:
            case ReasoningEntry():
                reasoning.append(body)
            case StepDone(result=result):
                results[result.step_id] = result
            case _:
                fields |= _fields_of(body)
    plan = fields.get("plan")
    if isinstance(plan, ResearchPlan):
        fields["plan"] = show_plan(plan, results)
    return RunView.model_validate(
        {
            "thread_id": run.id,
            "user_query": run.question,
            "sources": run.sources,
            "status": run.status,
            "evidence": run.evidence,
            "created_at": run.created_at,
            "updated_at": run.updated_at,
            "reasoning": tuple(reasoning),
            "step_results": tuple(results.values()),
            "retry": find_retry(bodies),
            **fields,
        }
    )


def _fields_of(body: EventBody) -> dict[str, object]:
    match body:
        case PlanProposed():
            return {"plan": body.plan, "plan_hash": body.plan_hash}
        case Audited():
            return {"audit_result": body.audit}
        case StatusChanged():
            return {"error_message": body.message}
        case AnswerReady(detail=detail):
            answer = detail.answer
            return {
                "final_report": answer.text,
                "citations": answer.citations,
                "model": answer.model,
                "embedder": answer.embedder,
            }
        case _:
            return {}
