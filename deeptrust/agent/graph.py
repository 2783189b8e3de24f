"""The graph: five nodes, their edges, and what holds for every node (D01, D11)."""

# The graph library's own signatures are partly untyped.
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from deeptrust.agent import routing
from deeptrust.agent.auditor import audit
from deeptrust.agent.hitl_gate import ask_person
from deeptrust.agent.parts import Parts
from deeptrust.agent.state import Json, ResearchState, StateUpdate, read_state
from deeptrust.agent.synthesizer import synthesize
from deeptrust.agent.thinker import think
from deeptrust.agent.tool_executor import execute_step
from deeptrust.domain.run import ReasoningEntry, RunStatus

Graph: TypeAlias = CompiledStateGraph[ResearchState, Parts, ResearchState, ResearchState]
Work = Callable[[ResearchState, Parts], Awaitable[StateUpdate]]


class Node(Protocol):
    """What the graph calls."""

    def __call__(self, state: ResearchState, *, runtime: Runtime[Parts]) -> Awaitable[Json]:
        """Work on a state; the update is JSON-plain."""
        ...


RECURSION_LIMIT = 100
"""Above what the policy and the ceiling of revisions can lead to; a loop that they miss ends here."""


def build_graph(saver: BaseCheckpointSaver[str]) -> Graph:
    """Compile the graph over a saver."""
    graph = StateGraph(ResearchState, context_schema=Parts)
    for name, work in (("thinker", think), ("auditor", audit), ("tool_executor", execute_step)):
        graph.add_node(name, _node(_within_budget(name, work)))
    graph.add_node("synthesizer", _node(synthesize))
    graph.add_node("hitl_gate", _node(ask_person))
    graph.add_edge(START, "thinker")
    graph.add_conditional_edges("thinker", routing.after_thinker)
    graph.add_conditional_edges("auditor", routing.after_audit)
    graph.add_conditional_edges("hitl_gate", routing.after_gate)
    graph.add_conditional_edges("tool_executor", routing.after_tool)
    graph.add_edge("synthesizer", routing.END)
    return graph.compile(checkpointer=saver)


def _node(work: Work) -> Node:
    """Make a node of a function: count the move and its time, check the state that comes out, write it as JSON."""

    async def node(state: ResearchState, *, runtime: Runtime[Parts]) -> Json:
        began = time.monotonic()
        update: dict[str, object] = {**await work(state, runtime.context)}
        update["moves"] = state.moves + 1
        update["updated_at"] = runtime.context.now()
        update["seconds_used"] = state.seconds_used + time.monotonic() - began
        checked = read_state({**{key: getattr(state, key) for key in ResearchState.model_fields}, **update})
        return checked.model_dump(mode="json", include=set(update))

    return node


def _within_budget(name: str, work: Work) -> Work:
    """End a run that has used up the policy's seconds or tokens, before a node or in the middle of it (GRA-02)."""

    async def bounded(state: ResearchState, parts: Parts) -> StateUpdate:
        rules = parts.load_policy().rules
        if state.tokens_used > rules.max_tokens:
            return _fail(name, f"The run used {state.tokens_used:,} tokens; the policy allows {rules.max_tokens:,}.")
        try:
            async with asyncio.timeout(rules.max_seconds - state.seconds_used):
                return await work(state, parts)
        except TimeoutError:
            return _fail(name, f"The run took longer than the {rules.max_seconds} seconds that the policy allows.")

    return bounded


def _fail(name: str, message: str) -> StateUpdate:
    entry = ReasoningEntry(node=name, summary=message, status=RunStatus.FAILED)
    return StateUpdate(reasoning=(entry,), status=RunStatus.FAILED, error_message=message)
