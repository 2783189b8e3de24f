"""Restarts, cut streams, damaged checkpoints, other event loops."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from deeptrust.agent.checkpoints import open_saver
from deeptrust.domain.approval import Approve
from deeptrust.domain.plan import ResearchStep, Tool
from deeptrust.domain.run import AnswerReady, ApprovalAsked, ReasoningEntry, RunKind, RunRequest, RunStatus, StepDone
from deeptrust.errors import StoreUnavailable
from tests.agent.conftest import NOTE, QUESTION, Bench, OpenBench, open_bench_in


async def test_a_waiting_run_goes_on_waiting_after_a_restart(open_bench: OpenBench):
    first = await open_bench()
    await first.library.add_note(NOTE, "Harbour rules")
    run_id = await first.ask()
    asked = (await first.bodies(run_id, ApprovalAsked))[0]
    before = await first.events(run_id)
    await first.die()
    second = await open_bench()
    await second.runner.recover()
    await second.settle(run_id)
    assert await second.events(run_id) == before
    await second.decide(run_id, Approve(), asked.plan_hash)
    done = [body.result.step_id for body in await second.bodies(run_id, StepDone)]
    assert done == [step.id for step in asked.plan.steps]


@pytest.mark.parametrize("cut_at", (1, 2, 4, 6, 8, 9, 11, 12, 14, 16, 17))
async def test_gra_06_a_run_cut_at_any_event_reaches_the_same_end(open_bench: OpenBench, cut_at: int):
    """The process is let go while event `cut_at` is written; the next one goes on."""
    bench = await open_bench()
    await bench.library.add_note(NOTE, "Harbour rules")
    request = RunRequest(kind=RunKind.RESEARCH, question=QUESTION)
    run_id = await bench.runner.start(bench.owner, request)
    bench = await _follow_or_restart(bench, open_bench, run_id, cut_at)
    kinds = [body for body in [event.body for event in await bench.events(run_id)] if not _is_note(body)]
    assert len(kinds) == 17
    assert len(await bench.bodies(run_id, StepDone)) == 1
    assert len(await bench.bodies(run_id, AnswerReady)) == 1
    assert (await bench.runner.history.find(bench.owner, run_id)).status is RunStatus.COMPLETE


async def _follow_or_restart(bench: Bench, open_bench: OpenBench, run_id: str, cut_at: int) -> Bench:
    seen = 0
    while not (await bench.runner.history.find(bench.owner, run_id)).status.is_final:
        async for event in bench.runner.history.follow(bench.owner, run_id, after=seen):
            seen = event.sequence
            if seen == cut_at:
                await bench.die()
                bench = await open_bench()
                await bench.runner.recover()
                break
            if isinstance(event.body, ApprovalAsked):
                await bench.runner.decide(bench.owner, run_id, Approve())
        else:
            continue
        if cut_at == 8:  # it was cut while it waited
            await bench.settle(run_id)
            await bench.runner.decide(bench.owner, run_id, Approve())
    await bench.settle(run_id)
    return bench


def _is_note(body: object) -> bool:
    return isinstance(body, ReasoningEntry) and body.node == "runner"


async def test_a_step_that_was_recorded_is_not_run_again(bench: Bench):
    run_id = await bench.ask()
    step: ResearchStep = (await bench.bodies(run_id, ApprovalAsked))[0].plan.steps[0]
    assert step.tool is Tool.KNOWLEDGE_SEARCH
    other = await bench.ask("Who is the harbour master of Norrvik?")
    await bench.decide(other, Approve())
    result = (await bench.bodies(other, StepDone))[0].result.model_copy(update={"step_id": step.id})
    await bench.parts.evidence.record(run_id, result, ())
    await bench.decide(run_id, Approve())
    assert (await bench.bodies(run_id, StepDone))[0].result == result


async def test_gra_11_a_type_in_the_checkpoint_is_not_rebuilt(bench: Bench, tmp_path: Path):
    run_id = await bench.ask()
    marker = tmp_path / "pwned"
    # A msgpack extension record as the library writes it for `os.system(...)`.
    import ormsgpack

    inner = ormsgpack.packb(("os", "system", f"touch {marker}"))
    payload = ormsgpack.packb(ormsgpack.Ext(1, inner))
    database = sqlite3.connect(tmp_path / "checkpoints.sqlite")
    database.execute("UPDATE checkpoints SET checkpoint = ? WHERE thread_id = ?", (payload, run_id))
    database.commit()
    database.close()
    await bench.decide(run_id, Approve())
    assert (await bench.runner.history.find(bench.owner, run_id)).status is RunStatus.FAILED
    assert not marker.exists()
    assert not await bench.bodies(run_id, StepDone)


async def test_gra_15_no_passage_text_enters_a_checkpoint(bench: Bench, tmp_path: Path):
    secret = "zebra-crossing-of-Norrvik " * 30
    await bench.library.add_note(f"The harbour of Norrvik forbids the {secret} on the quay.", "Long note")
    run_id = await bench.ask()
    for suffix in ("", "-wal"):
        file = tmp_path / f"checkpoints.sqlite{suffix}"
        assert b"zebra-crossing" not in (file.read_bytes() if file.exists() else b"")
    await bench.decide(run_id, Approve())


def test_gra_17_a_second_loop_in_another_thread_works(tmp_path: Path):
    async def once() -> RunStatus:
        async with AsyncExitStack() as stack:
            bench = await open_bench_in(tmp_path, stack)
            run_id = await bench.ask()
            await bench.decide(run_id, Approve())
            return (await bench.runner.history.find(bench.owner, run_id)).status

    assert [asyncio.run(once()) for _ in range(2)] == [RunStatus.COMPLETE] * 2


async def test_a_damaged_checkpoint_file_is_said(tmp_path: Path):
    (tmp_path / "checkpoints.sqlite").write_bytes(b"not a database " * 100)
    with pytest.raises(StoreUnavailable, match="damaged"):
        async with open_saver(tmp_path / "checkpoints.sqlite"):
            pass


async def test_the_seam_works_from_a_script(bench: Bench):
    from deeptrust.agent.research import approve_and_resume, run_research

    events = [event async for event in run_research(bench.runner, bench.owner, RunRequest(question=QUESTION))]
    assert isinstance(events[-1].body, ApprovalAsked)
    rest = [event async for event in approve_and_resume(bench.runner, bench.owner, events[0].run_id)]
    assert [event.sequence for event in (*events, *rest)] == list(range(1, 18))
