"""What a research run costs beside the model: ms a run, next to a bare five-node graph with the same saver.

Usage: .venv/bin/python -m benchmarks.run_overhead [--runs N]

Both are measured in turns in one process, so that a busy machine slows both. The run has no model, one step in a
library of one note, the hashing embedder, an approval, and every event committed with a sync to disk. `graph` is our
graph driven by its producer without runner and log: what the nodes, the checks and the saver cost.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import TypedDict
from uuid import uuid4

from langgraph.graph import END, START, StateGraph

from deeptrust.agent.checkpoints import open_saver
from deeptrust.domain.approval import Approval, ApprovalState, Approve
from deeptrust.domain.run import ApprovalAsked, RunKind, RunRequest
from tests.agent.conftest import NOTE, QUESTION, Bench, open_bench_in

NODES = ("a", "b", "c", "d", "e")


class Count(TypedDict):
    count: int


async def bare_run(graph, times: list[float]) -> None:
    began = time.perf_counter()
    await graph.ainvoke({"count": 0}, {"configurable": {"thread_id": str(uuid4())}}, durability="sync")
    times.append((time.perf_counter() - began) * 1000)


def build_bare(saver):
    async def node(state: Count) -> Count:
        return {"count": state["count"] + 1}

    graph = StateGraph(Count)
    for name in NODES:
        graph.add_node(name, node)
    for before, after in zip((START, *NODES), (*NODES, END), strict=True):
        graph.add_edge(before, after)
    return graph.compile(checkpointer=saver)


async def graph_run(bench: Bench, times: list[float]) -> None:
    run_id, request = str(uuid4()), RunRequest(kind=RunKind.RESEARCH, question=QUESTION)
    await bench.database.run(lambda session: _add_run(session, run_id, bench.owner, request))
    began = time.perf_counter()
    asked = None
    async with aclosing(bench.producer.start(run_id, bench.owner, request)) as bodies:
        async for body in bodies:
            asked = body if isinstance(body, ApprovalAsked) else asked
    assert asked
    approval = Approval(
        id=asked.approval_id,
        run_id=run_id,
        owner=bench.owner,
        plan_hash=asked.plan_hash,
        policy_hash=asked.policy_hash,
        expires_at=asked.expires_at,
        state=ApprovalState.CLAIMED,
        outcome=Approve(),
    )
    async with aclosing(bench.producer.resume(run_id, bench.owner, request, approval)) as bodies:
        async for _ in bodies:
            pass
    times.append((time.perf_counter() - began) * 1000)


def _add_run(session, run_id: str, owner: str, request: RunRequest) -> None:
    from deeptrust.database import runs

    runs.add_run(session, run_id, owner, request)


async def whole_run(bench: Bench, times: list[float]) -> None:
    began = time.perf_counter()
    run_id = await bench.ask()
    await bench.decide(run_id, Approve())
    times.append((time.perf_counter() - began) * 1000)


async def main(runs: int) -> None:
    measured: dict[str, list[float]] = {"bare_five_nodes": [], "graph": [], "whole_run": []}
    with tempfile.TemporaryDirectory() as name:
        async with AsyncExitStack() as stack:
            folder = Path(name)
            bench = await open_bench_in(folder, stack)
            await bench.library.add_note(NOTE, "Harbour rules of Norrvik")
            bare = build_bare(await stack.enter_async_context(open_saver(folder / "bare.sqlite")))
            for number in range(runs + 3):
                if number == 3:  # the first ones warm up
                    for times in measured.values():
                        times.clear()
                await bare_run(bare, measured["bare_five_nodes"])
                await graph_run(bench, measured["graph"])
                await whole_run(bench, measured["whole_run"])
    medians = {f"{name}_ms": round(statistics.median(times), 1) for name, times in measured.items()}
    print(json.dumps({"runs": runs, **medians}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=40)
    asyncio.run(main(parser.parse_args().runs))
