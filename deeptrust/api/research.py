"""`/api/research`: start, decide, watch and list runs (D27-D29, K17)."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import StreamingResponse
from pydantic import Field

from deeptrust.agent.research import approve_and_resume, retry_and_follow, run_research
from deeptrust.api.caller import Caller, Parts
from deeptrust.api.frames import stream_frames, write_start
from deeptrust.domain.approval import Approve, Edit, Reject
from deeptrust.domain.plan import PlanDraft
from deeptrust.domain.record import Record
from deeptrust.domain.run import Addresses, RunEvent, RunKind, RunRequest, SessionName, Sources, SuppliedText
from deeptrust.errors import BadInput
from deeptrust.runs.projection import RunLine, RunView, line_of
from deeptrust.services import Services

router = APIRouter(prefix="/api/research", tags=["research"])

_EVENT_NUMBER = re.compile(r"[0-9]{1,15}")


class ResearchBody(Record):
    """The body of a start (D27, K28)."""

    query: str
    retrieved_context: SuppliedText | None = None
    context_urls: Addresses | None = None
    sources: Sources = Sources.DOCUMENTS
    session_name: SessionName = "Unnamed Session"


class ApproveBody(Record):
    """A yes; `plan_hash` binds it to the plan that the caller saw. Nothing else is taken (HIT-19)."""

    thread_id: str
    plan_hash: str | None = None


class EditBody(Record):
    """A plan in place of the one that waits."""

    thread_id: str
    plan: PlanDraft


class RejectBody(Record):
    """A no; with a reason the plan is made anew."""

    thread_id: str
    reason: Annotated[str | None, Field(max_length=4000)] = None


class RetryBody(Record):
    """A run that has ended; `may_leave` agrees to what would newly leave the machine with the models of now."""

    thread_id: str
    may_leave: bool = False


@router.post("", response_class=StreamingResponse)
async def start(caller: Caller, parts: Parts, body: ResearchBody) -> StreamingResponse:
    """Start a run and stream it until it waits for approval or ends. It goes on if the stream is closed."""
    request = RunRequest(
        kind=RunKind.RESEARCH,
        question=body.query,
        sources=body.sources,
        retrieved_context=body.retrieved_context or "",
        context_urls=body.context_urls or (),
        session_name=body.session_name,
    )
    return await _respond(run_research(parts.runner, caller, request), is_new=True)


@router.post("/approve", response_class=StreamingResponse)
async def approve(caller: Caller, parts: Parts, body: ApproveBody) -> StreamingResponse:
    """Say yes to the plan that waits, then stream the rest of the run."""
    return await _decide(parts, caller, body.thread_id, Approve(), body.plan_hash)


@router.post("/edit", response_class=StreamingResponse)
async def edit(caller: Caller, parts: Parts, body: EditBody) -> StreamingResponse:
    """Put another plan in place of the one that waits; it is audited and asked for again."""
    return await _decide(parts, caller, body.thread_id, Edit(plan=body.plan))


@router.post("/reject", response_class=StreamingResponse)
async def reject(caller: Caller, parts: Parts, body: RejectBody) -> StreamingResponse:
    """Say no, then stream what follows: a new plan if a reason was given, else the end."""
    return await _decide(parts, caller, body.thread_id, Reject(reason=body.reason))


@router.post("/retry", response_class=StreamingResponse)
async def retry(caller: Caller, parts: Parts, body: RetryBody) -> StreamingResponse:
    """Take up a run that failed after its approval, or whose report a model failed to write; stream what follows."""
    return await _respond(retry_and_follow(parts.runner, caller, body.thread_id, may_leave=body.may_leave))


@router.get("/runs")
async def list_runs(caller: Caller, parts: Parts) -> list[RunLine]:
    """List the caller's latest runs, newest first."""
    return [line_of(run) for run in await parts.history.runs(caller)]


@router.get("/runs/{thread_id}")
async def show_run(caller: Caller, parts: Parts, thread_id: str) -> RunView:
    """Return what a run has come to."""
    return await parts.history.view(caller, thread_id)


@router.delete("/runs/{thread_id}", status_code=204)
async def cancel_run(caller: Caller, parts: Parts, thread_id: str) -> None:
    """Stop a run; its log stays."""
    await parts.runner.cancel(caller, thread_id)


@router.get("/runs/{thread_id}/events", response_class=StreamingResponse)
async def replay(
    caller: Caller, parts: Parts, thread_id: str, last_event_id: Annotated[str, Header()] = "0"
) -> StreamingResponse:
    """Stream a run from the event after `Last-Event-ID` on, stored events first, through the gate to its end."""
    if not _EVENT_NUMBER.fullmatch(last_event_id):
        raise BadInput("Last-Event-ID is the number of the last event that you have.")
    await parts.history.find(caller, thread_id)
    return _stream(parts.history.follow(caller, thread_id, int(last_event_id)))


async def _decide(
    parts: Services, caller: str, run_id: str, outcome: Approve | Edit | Reject, plan_hash: str | None = None
) -> StreamingResponse:
    return await _respond(approve_and_resume(parts.runner, caller, run_id, outcome, plan_hash))


async def _respond(events: AsyncGenerator[RunEvent], *, is_new: bool = False) -> StreamingResponse:
    """Stream `events`. The first is awaited here, so that a refusal is an answer with a status and not a stream."""
    first = await anext(events)
    return _stream(_put_back(first, events), opening=write_start(first.run_id) if is_new else "")


async def _put_back(first: RunEvent, rest: AsyncGenerator[RunEvent]) -> AsyncGenerator[RunEvent]:
    yield first
    async with aclosing(rest):
        async for event in rest:
            yield event


def _stream(events: AsyncGenerator[RunEvent], opening: str = "") -> StreamingResponse:
    return StreamingResponse(
        stream_frames(events, opening),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
