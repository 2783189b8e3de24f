"""The claim by itself, with a producer that only counts."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlmodel import Session

from deeptrust.database import runs
from deeptrust.database.engine import Database
from deeptrust.domain.approval import Approval, Approve, Outcome
from deeptrust.domain.plan import AuditResult, AuditVerdict, ResearchPlan, ResearchStep, Tool
from deeptrust.domain.run import ApprovalAsked, EventBody, RunKind, RunRequest, RunStatus, StatusChanged
from deeptrust.errors import Conflict
from deeptrust.identity.users import find_local_user
from deeptrust.runs.runner import Runner

NOW = datetime.now(UTC)
PLAN = ResearchPlan(
    objective="x",
    steps=(ResearchStep(id="1", tool=Tool.KNOWLEDGE_SEARCH, input="x", rationale="y"),),
    estimated_token_budget=0,
    created_at=NOW,
    revision=0,
)
AUDIT = AuditResult(verdict=AuditVerdict.APPROVED, audited_at=NOW, policy_hash="p")


def ask() -> ApprovalAsked:
    return ApprovalAsked(
        approval_id=str(uuid4()),
        message="?",
        plan=PLAN,
        audit=AUDIT,
        plan_hash=PLAN.hash,
        policy_hash="p",
        leaves_machine=(),
        expires_at=NOW + timedelta(days=7),
    )


def put_waiting_run(session: Session, owner: str, run_id: str) -> None:
    runs.add_run(session, run_id, owner, RunRequest(kind=RunKind.RESEARCH, question="x"))
    session.flush()
    runs.append_event(session, run_id, StatusChanged(status=RunStatus.AWAITING_APPROVAL))
    session.flush()
    runs.append_event(session, run_id, ask())


class Gate:
    """Asks, and counts how often each run is resumed."""

    def __init__(self) -> None:
        self.resumed: list[str] = []
        self.released: list[str] = []
        self.is_released = asyncio.Event()

    async def start(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody, None]:
        yield StatusChanged(status=RunStatus.AWAITING_APPROVAL)
        yield ask()

    async def review(self, owner: str, request: RunRequest, approval: Approval, outcome: Outcome) -> str | None:
        return None

    async def resume(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval
    ) -> AsyncGenerator[EventBody, None]:
        self.resumed.append(run_id)
        yield StatusChanged(status=RunStatus.COMPLETE)

    async def recover(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval | None, logged: Sequence[EventBody]
    ) -> AsyncGenerator[EventBody, None]:
        async for body in (
            self.resume(run_id, owner, request, approval) if approval else self.start(run_id, owner, request)
        ):
            yield body

    async def review_retry(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval, logged: Sequence[EventBody]
    ) -> tuple[str, ...]:
        return ()

    def retry(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval, logged: Sequence[EventBody]
    ) -> AsyncGenerator[EventBody, None]:
        return self.resume(run_id, owner, request, approval)

    async def release(self, run_id: str) -> None:
        self.released.append(run_id)
        self.is_released.set()

    async def retain(self, run_ids: Collection[str]) -> None:
        pass

    async def erase(self) -> None:
        pass


@pytest.fixture
async def database(tmp_path: Path):
    opened = Database(tmp_path / "deeptrust.sqlite")
    await opened.open()
    yield opened
    await opened.close()


async def wait_until_asked(runner: Runner, owner: str, run_id: str) -> None:
    async for event in runner.history.follow(owner, run_id):
        if isinstance(event.body, ApprovalAsked):
            return


@pytest.mark.thorough
async def test_hit_02_a_thousand_double_approvals_are_a_thousand_single_executions(database: Database):
    owner, gate = await find_local_user(database), Gate()
    runner = Runner(database, {RunKind.RESEARCH: gate}, 100)
    ids = [str(uuid4()) for _ in range(1000)]
    await database.run(lambda session: [put_waiting_run(session, owner, run_id) for run_id in ids])
    calls = [runner.decide(owner, run_id, Approve()) for run_id in ids for _ in range(2)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    await runner.close()
    assert sum(isinstance(result, Conflict) for result in results) == 1000
    assert sum(result is None for result in results) == 1000
    assert sorted(gate.resumed) == sorted(ids)


async def test_an_approval_survives_a_restart_and_is_then_used_once(database: Database):
    owner, gate = await find_local_user(database), Gate()
    former = Runner(database, {RunKind.RESEARCH: gate}, 100)
    run_id = await former.start(owner, RunRequest(kind=RunKind.RESEARCH, question="x"))
    await wait_until_asked(former, owner, run_id)
    await former.close()
    runner = Runner(database, {RunKind.RESEARCH: gate}, 100)
    await runner.recover()
    assert gate.resumed == []
    await runner.decide(owner, run_id, Approve())
    assert [event.body async for event in runner.history.follow(owner, run_id)][-1] == StatusChanged(
        status=RunStatus.COMPLETE
    )
    assert gate.resumed == [run_id]
    await gate.is_released.wait()
    assert gate.released == [run_id]


async def test_a_run_without_a_gate_is_not_decided(database: Database):
    owner = await find_local_user(database)
    runner = Runner(database, {RunKind.ASK: Gate()}, 100)
    run_id = await runner.start(owner, RunRequest(question="x"))
    await wait_until_asked(runner, owner, run_id)
    await runner.cancel(owner, run_id)
    with pytest.raises(Conflict):
        await runner.decide(owner, run_id, Approve())
