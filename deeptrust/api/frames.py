"""Run events as the server-sent events of the contract (D27-D29): `event:`, `data:` JSON, blank line."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from typing import Any

from deeptrust.domain.approval import Approve
from deeptrust.domain.run import (
    AnswerReady,
    ApprovalAsked,
    Audited,
    Decided,
    EventBody,
    PlanProposed,
    ReasoningEntry,
    RunEvent,
    RunStatus,
    StatusChanged,
    StepDone,
)

HEARTBEAT_SECONDS = 15
"""A comment line that often keeps proxies from cutting a silent stream (UI-07)."""

_HEARTBEAT = ": still at work\n\n"
Json = dict[str, Any]


def write_start(run_id: str) -> str:
    """The first frame of a new run."""
    return _write("start", "_start", {"status": "started", "threadId": run_id})


def write_frame(event: RunEvent) -> str:
    """The frame of one event. Its `id:` is what Last-Event-ID resumes after."""
    name, node, state = _describe(event)
    state["updatedAt"] = event.at.isoformat()
    return f"id: {event.sequence}\n" + _write(name, node, state)


async def stream_frames(events: AsyncGenerator[RunEvent], opening: str = "") -> AsyncGenerator[str]:
    """Yield `opening`, then a frame for each event, and a comment where there is none for a while.

    An event is taken when the one before is on its way: who reads slowly is served from the log, and fills no memory.
    """
    if opening:
        yield opening
    async with contextlib.aclosing(events):
        while True:
            coming = asyncio.ensure_future(anext(events, None))
            try:
                while not (await asyncio.wait({coming}, timeout=HEARTBEAT_SECONDS))[0]:
                    yield _HEARTBEAT
            finally:
                coming.cancel()
                await asyncio.wait({coming})
            event = coming.result()
            if event is None:
                return
            yield write_frame(event)


def _describe(event: RunEvent) -> tuple[str, str, Json]:
    body: EventBody = event.body
    match body:
        case ReasoningEntry():
            entry = {**body.to_wire(), "timestamp": event.at.isoformat()}
            del entry["type"]
            return "research", body.node, {"status": body.status, "reasoning": [entry]}
        case PlanProposed():
            return "research", "thinker", {"plan": body.plan.to_wire(), "planHash": body.plan_hash}
        case Audited():
            return "research", "auditor", {"auditResult": body.audit.to_wire()}
        case ApprovalAsked():
            return "hitl_waiting", "__interrupt__", {"threadId": event.run_id, "interrupt": _interrupt(body)}
        case Decided():
            decision = {"humanApproved": isinstance(body.outcome, Approve), "decision": body.outcome.action}
            return "research", "hitl_gate", decision
        case StepDone():
            return (
                "research",
                "tool_executor",
                {"stepResults": [{**body.result.to_wire(), "output": body.result.output}]},
            )
        case AnswerReady(detail=detail):
            answer = detail.answer.to_wire()
            return "research", "synthesizer", {"finalReport": answer.pop("text"), **answer}
        case StatusChanged(status=RunStatus.FAILED):
            return "error", "_error", {"status": body.status, "errorMessage": body.message}
        case StatusChanged():
            return "research", "_status", {"status": body.status, "evidence": body.evidence, "message": body.message}


def _interrupt(body: ApprovalAsked) -> Json:
    return {
        "message": body.message,
        "plan": body.plan.to_wire(),
        "auditResult": body.audit.to_wire(),
        "planHash": body.plan_hash,
        "leavesMachine": list(body.leaves_machine),
        "expiresAt": body.expires_at.isoformat(),
    }


def _write(name: str, node: str, state: Json) -> str:
    data = json.dumps({"node": node, "state": state}, ensure_ascii=False)
    return f"event: {name}\ndata: {data}\n\n"
