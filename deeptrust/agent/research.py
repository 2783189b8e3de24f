"""Research from a script, a job or a test: three async generators, and no web layer (D31)."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from deeptrust.domain.approval import Approve, Outcome
from deeptrust.domain.run import ApprovalAsked, RunEvent, RunKind, RunRequest
from deeptrust.runs.runner import Runner


async def run_research(runner: Runner, owner: str, request: RunRequest) -> AsyncGenerator[RunEvent, None]:
    """Start a research run and yield its events until it waits for approval or ends; each names its `run_id`.

    Raises:
        BadQuestion: the question is empty or too long; nothing was started.
    """
    run_id = await runner.start(owner, request.model_copy(update={"kind": RunKind.RESEARCH}))
    async with aclosing(_until_gate(runner.history.follow(owner, run_id))) as events:
        async for event in events:
            yield event


async def approve_and_resume(
    runner: Runner, owner: str, run_id: str, outcome: Outcome | None = None, plan_hash: str | None = None
) -> AsyncGenerator[RunEvent, None]:
    """Decide on a run that waits (approve by default) and yield what follows, until it waits again or ends.

    Raises:
        BadInput, Conflict, NotFound: as `Runner.decide`; nothing was run.
    """
    seen = (await runner.history.events(owner, run_id))[-1].sequence
    await runner.decide(owner, run_id, outcome or Approve(), plan_hash)
    async with aclosing(_until_gate(runner.history.follow(owner, run_id, after=seen))) as events:
        async for event in events:
            yield event


async def retry_and_follow(
    runner: Runner, owner: str, run_id: str, *, may_leave: bool = False
) -> AsyncGenerator[RunEvent, None]:
    """Take up a run that has ended and yield what follows, until it ends.

    Raises:
        Conflict, NotFound: as `Runner.retry`; nothing was run.
    """
    logged = await runner.history.events(owner, run_id)
    await runner.retry(owner, run_id, may_leave=may_leave)
    async with aclosing(runner.history.follow(owner, run_id, after=logged[-1].sequence)) as events:
        async for event in events:
            yield event


async def _until_gate(events: AsyncIterator[RunEvent]) -> AsyncGenerator[RunEvent, None]:
    async for event in events:
        yield event
        if isinstance(event.body, ApprovalAsked):
            return
