"""The graph as a producer of events: what was checkpointed is told, once, in order, across restarts."""

# The graph library's own signatures are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import contextlib
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command, Interrupt

from deeptrust.agent.checkpoints import erase_deleted, list_threads, open_saver
from deeptrust.agent.events import ask_approval, events_of, list_agreed, list_egress, not_yet_logged
from deeptrust.agent.graph import RECURSION_LIMIT, build_graph
from deeptrust.agent.parts import Parts
from deeptrust.agent.rebuilt_state import rebuild_state
from deeptrust.agent.state import Json, ResearchState, read_state
from deeptrust.agent.supplied import cut_supplied
from deeptrust.agent.thinker import make_plan
from deeptrust.agent.tracing import RUN_NAME, run_metadata
from deeptrust.domain.approval import Approval, Approve, Edit, Outcome
from deeptrust.domain.run import EventBody, RunRequest, RunStatus, StatusChanged
from deeptrust.errors import BadInput, Conflict
from deeptrust.runs.retries import RetryPoint, find_retry, is_retried
from deeptrust.trust.plan_rules import check_plan

PartsOf = Callable[[str], Parts]
"""From an owner to the working parts of that person's runs."""

_POLICY_CHANGED = (
    "POLICY.md has changed since this plan was audited, so nothing was run. "
    "The plan is audited again; look at it and decide anew."
)
_POLICY_CHANGED_SINCE = (
    "POLICY.md has changed since you approved this plan, so its steps may not go on. Ask the question again."
)
_NOT_AGREED_SINCE = (
    "You did not agree to that when you took the run up, before DeepTrust was restarted. Take it up again if it may."
)
_NO_WRITER = (
    "No model writes reports now, so this one would only be quoted again. Choose a model that writes, then try again."
)


class ResearchProducer:
    """Implements `runs.base.ResumableProducer` over the graph; the run's id is the graph's thread."""

    def __init__(self, saver: BaseCheckpointSaver[str], parts_of: PartsOf) -> None:
        """Build the graph over `saver`, which belongs to the running event loop."""
        self._saver = saver
        self._graph = build_graph(saver)
        self._parts_of = parts_of

    async def start(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody, None]:
        """See `Producer.start`."""
        yield StatusChanged(status=RunStatus.THINKING)
        async with contextlib.aclosing(self._begin(run_id, owner, request)) as bodies:
            async for body in bodies:
                yield body

    async def review(self, owner: str, request: RunRequest, approval: Approval, outcome: Outcome) -> str | None:
        """See `ResumableProducer.review`."""
        parts = self._parts_of(owner)
        policy = parts.load_policy()
        if isinstance(outcome, Edit):
            state = await self._state(approval.run_id)
            plan = make_plan(outcome.plan, state, parts)
            findings = check_plan(plan, policy, parts.plan_context(request.sources))
            if broken := [f"{finding.line} ({finding.detail})" for finding in findings if not finding.holds]:
                raise BadInput(
                    f"The edited plan breaks a rule of the policy: {'; '.join(broken)}. Change that and try again."
                )
        is_stale = isinstance(outcome, Approve) and policy.hash != approval.policy_hash
        return _POLICY_CHANGED if is_stale else None

    async def resume(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval
    ) -> AsyncGenerator[EventBody, None]:
        """See `ResumableProducer.resume`. Only the interrupt that the approval was made for can take it."""
        moves = (await self._state(run_id)).moves
        async with contextlib.aclosing(self._answer(run_id, owner, approval, moves)) as bodies:
            async for body in bodies:
                yield body

    async def recover(
        self,
        run_id: str,
        owner: str,
        request: RunRequest,
        approval: Approval | None,
        logged: Sequence[EventBody],
    ) -> AsyncGenerator[EventBody, None]:
        """See `ResumableProducer.recover`."""
        snapshot = await self._graph.aget_state(_config(run_id))
        is_empty = not snapshot.values or not snapshot.values.get("moves")
        if is_empty and approval and is_retried(logged):
            if leaves := await self.review_retry(run_id, owner, request, approval, logged):
                raise Conflict(f"{' '.join(leaves)} {_NOT_AGREED_SINCE}")
            await self.release(run_id)
            again = self.retry(run_id, owner, request, approval, logged)
        elif is_empty:
            await self.release(run_id)  # a first checkpoint may be half there, and nothing stands on it yet
            again = self._begin(run_id, owner, request) if logged else self.start(run_id, owner, request)
        else:
            state = read_state(snapshot.values)
            for body in not_yet_logged(state, logged):
                yield body
            again = self._go_on(run_id, owner, state, snapshot.interrupts, approval)
        async with contextlib.aclosing(again) as bodies:
            async for body in bodies:
                yield body

    async def review_retry(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval, logged: Sequence[EventBody]
    ) -> tuple[str, ...]:
        """See `ResumableProducer.review_retry`."""
        parts = self._parts_of(owner)
        state = await self._rebuild(run_id, request, approval, logged, parts)
        if state.status is RunStatus.EXECUTING and parts.load_policy().hash != approval.policy_hash:
            raise Conflict(_POLICY_CHANGED_SINCE)
        if find_retry(logged) is RetryPoint.REPORT and parts.writer is None:
            raise Conflict(_NO_WRITER)
        agreed = list_agreed(logged, approval.id)
        return tuple(sentence for sentence in list_egress(state, parts) if sentence not in agreed)

    async def retry(
        self, run_id: str, owner: str, request: RunRequest, approval: Approval, logged: Sequence[EventBody]
    ) -> AsyncGenerator[EventBody, None]:
        """See `ResumableProducer.retry`. The state is written as if the last tool had just ended."""
        parts = _with_approval(self._parts_of(owner), approval)
        state = await self._rebuild(run_id, request, approval, logged, parts)
        values: Any = state.model_dump(mode="json")
        await self._graph.aupdate_state(_config(run_id), values, as_node="tool_executor")
        async with contextlib.aclosing(self._drive(run_id, None, parts, state.moves)) as bodies:
            async for body in bodies:
                yield body

    async def release(self, run_id: str) -> None:
        """Delete the run's checkpoints: its log holds what happened, and nothing can be replayed (GRA-15, GRA-21)."""
        await self._saver.adelete_thread(run_id)

    async def retain(self, run_ids: Collection[str]) -> None:
        """See `ResumableProducer.retain`."""
        left = [run_id for run_id in await list_threads(self._saver) if run_id not in run_ids]
        for run_id in left:
            await self.release(run_id)
        if left:
            await self.erase()

    async def erase(self) -> None:
        """See `ResumableProducer.erase`."""
        await erase_deleted(self._saver)

    async def _begin(self, run_id: str, owner: str, request: RunRequest) -> AsyncGenerator[EventBody, None]:
        parts = self._parts_of(owner)
        first = await _first_state(run_id, request, parts)
        async with contextlib.aclosing(self._drive(run_id, first, parts, moves=0)) as bodies:
            async for body in bodies:
                yield body

    async def _go_on(
        self,
        run_id: str,
        owner: str,
        state: ResearchState,
        interrupts: Sequence[Interrupt],
        approval: Approval | None,
    ) -> AsyncGenerator[EventBody, None]:
        """Go on from a saved state: act on a decision, ask for one, run the next node, or nothing at all."""
        parts = _with_approval(self._parts_of(owner), approval)
        if interrupts and approval and approval.id == interrupts[0].id:
            bodies = self._answer(run_id, owner, approval, state.moves)
        elif interrupts:
            yield ask_approval(state, interrupts[0].id, interrupts[0].value["message"], parts)
            return
        elif not state.status.is_final:  # the library's own `next` is empty also after a node whose checkpoint was cut
            bodies = self._drive(run_id, None, parts, state.moves)
        else:
            return
        async with contextlib.aclosing(bodies):
            async for body in bodies:
                yield body

    def _answer(self, run_id: str, owner: str, approval: Approval, moves: int) -> AsyncGenerator[EventBody, None]:
        command: Command[Any] = Command(resume={approval.id: approval.model_dump(mode="json")})
        return self._drive(run_id, command, _with_approval(self._parts_of(owner), approval), moves)

    async def _drive(
        self, run_id: str, given: Json | Command[Any] | None, parts: Parts, moves: int
    ) -> AsyncGenerator[EventBody, None]:
        """Run the graph until it ends or waits. `moves` were told already.

        A node's events are held back until its checkpoint is on the disk: the library begins the next node, or ends
        the stream, only after that. So the log never says what a restart would not know.
        """
        held: ResearchState | None = None
        waiting: Sequence[Interrupt] = ()
        # A dict, not a ResearchState, is what goes in: the library would put the state's objects into checkpoints.
        stream = cast(
            "AsyncGenerator[tuple[str, dict[str, Any]], None]",
            self._graph.astream(
                cast("Any", given), _config(run_id), context=parts, stream_mode=["values", "tasks"], durability="sync"
            ),
        )
        async with contextlib.aclosing(stream):
            async for mode, chunk in stream:
                if mode == "values":
                    waiting = chunk.pop("__interrupt__", waiting)
                    state = read_state(chunk)
                    held = state if state.moves > moves else held
                elif held and "input" in chunk:
                    for body in events_of(held):
                        yield body
                    moves, held = held.moves, None
        for body in events_of(held) if held else ():
            yield body
        if waiting:
            yield ask_approval(await self._state(run_id), waiting[0].id, waiting[0].value["message"], parts)

    async def _rebuild(
        self, run_id: str, request: RunRequest, approval: Approval, logged: Sequence[EventBody], parts: Parts
    ) -> ResearchState:
        """The state that the log leaves; the writer of now was or will be agreed to, see `review_retry`."""
        state = rebuild_state(read_state(await _first_state(run_id, request, parts)), approval, logged)
        return state.model_copy(update={"named_writer": parts.hosted_writer})

    async def _state(self, run_id: str) -> ResearchState:
        return read_state((await self._graph.aget_state(_config(run_id))).values)


@contextlib.asynccontextmanager
async def open_research(file: Path, parts_of: PartsOf) -> AsyncGenerator[ResearchProducer]:
    """Open the producer over the checkpoints in `file`, for the running event loop.

    Raises:
        StoreUnavailable: the file is damaged or cannot be written.
    """
    async with open_saver(file) as saver:
        yield ResearchProducer(saver, parts_of)


async def _first_state(run_id: str, request: RunRequest, parts: Parts) -> Json:
    supplied = cut_supplied(request.retrieved_context, parts.embedder)
    await parts.evidence.put(run_id, supplied)
    return ResearchState(
        thread_id=run_id,
        session_name=request.session_name,
        user_query=request.question,
        collection=request.collection,
        sources=request.sources,
        knowledge_context=tuple(passage.id for passage in supplied),
        context_urls=request.context_urls,
        status=RunStatus.THINKING,
        updated_at=parts.now(),
    ).model_dump(mode="json")


def _with_approval(parts: Parts, approval: Approval | None) -> Parts:
    is_yes = approval is not None and isinstance(approval.outcome, Approve)
    return replace(parts, approved_plan_hash=approval.plan_hash) if approval and is_yes else parts


def _config(run_id: str) -> RunnableConfig:
    """The library accepts any text as a thread id; ours are the UUIDs that the runner made."""
    return {
        "configurable": {"thread_id": run_id},
        "recursion_limit": RECURSION_LIMIT,
        "run_name": RUN_NAME,
        "metadata": run_metadata(),
    }
