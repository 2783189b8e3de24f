"""Kill a real server at random instants and compare what it stores with what it acknowledged.

Usage: python -m chaos [--kills N] [--seed S] [--keep DIR]      (`make chaos`: 300 kills)

Prints one JSON object; everything else goes to stderr. The seed draws what is done and when the server dies; how
the hands of the client interleave is the machine's.
"""

import argparse
import asyncio
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from chaos import snapshot
from chaos.checker import Kind, adopt, check
from chaos.client import Client
from chaos.engine import CountingEngine, counting_engine
from chaos.server import Life, warm_up

EARLY_SHARE = 0.15
"""Of the lives that end while the server starts, counted from its first instant."""
LONGEST_START_SECONDS = 0.6
LONGEST_LIFE_SECONDS = 2.5
"""After the first answer; on a slow machine longer, until something was acknowledged."""


async def run_chaos(folder: Path, kills: int, seed: int, engine: CountingEngine) -> dict[str, object]:
    """Live and die `kills` times in `folder`, check each time, settle at the end, and report."""
    home, client = folder / "home", Client(seed)
    dice = random.Random(seed)  # noqa: S311 - repeatable, not secret
    home.mkdir(parents=True)
    faults: Counter[Kind] = Counter()
    reopen_seconds: list[float] = []
    await asyncio.to_thread(warm_up)
    begun = time.monotonic()
    for number in range(1, kills + 1):
        is_early = dice.random() < EARLY_SHARE
        delay = dice.uniform(0.0, LONGEST_START_SECONDS if is_early else LONGEST_LIFE_SECONDS)
        if ready := await _live_and_die(client, Life(home, engine.url), delay, is_early=is_early):
            reopen_seconds.append(ready)
        faults += _judge(client, home, engine, f"kill {number} at {delay:.3f} s")
        if number % 25 == 0:
            sys.stderr.write(f"{number} kills in {time.monotonic() - begun:.0f} s: {dict(faults) or 'no faults'}\n")
    unsettled = await _settle(client, home, engine)
    faults += _judge(client, home, engine, "at the end")
    return {
        "kills": kills,
        "seed": seed,
        **{kind.value: faults[kind] for kind in Kind},
        "unsettled": len(unsettled),
        "refused": len(client.refusals),
        "asked_again": _count_repeats(client, engine),
        "reopen_p50_ms": round(statistics.median(reopen_seconds) * 1000) if reopen_seconds else None,
        "reopen_max_ms": round(max(reopen_seconds, default=0) * 1000),
        "killed_while_starting": kills - len(reopen_seconds),
        "acknowledged": dict(sorted(client.done.items())),
        "seconds": round(time.monotonic() - begun),
    }


async def _live_and_die(client: Client, life: Life, delay: float, *, is_early: bool) -> float | None:
    """One life, killed `delay` seconds after its start or its first answer; returns the seconds to that answer.

    A life that got as far as an answer is not killed before it has acknowledged something.
    """
    if is_early:
        await asyncio.sleep(delay)
        life.kill()
        return None
    ready = await life.wait_ready()
    if ready is None:
        raise RuntimeError("the server did not start again")
    acknowledged = client.done.total()
    working = asyncio.create_task(client.work(life.port))
    await asyncio.sleep(delay)
    while client.done.total() == acknowledged and not working.done():  # noqa: ASYNC110 - a count has no event
        await asyncio.sleep(0.01)
    life.kill()
    await working
    return ready


def _judge(client: Client, home: Path, engine: CountingEngine, moment: str) -> Counter[Kind]:
    found = snapshot.take(home)
    verdict = check(client.beliefs, found, engine.count)
    for kind, what in verdict.faults:
        sys.stderr.write(f"{moment}: {kind}: {what}\n")
    for refusal in client.refusals:
        sys.stderr.write(f"{moment}: refused: {refusal}\n")
    adopt(client.beliefs, found)
    return Counter(kind for kind, _ in verdict.faults)


async def _settle(client: Client, home: Path, engine: CountingEngine) -> list[str]:
    """One more life, that is given the time to finish what was begun."""
    life = Life(home, engine.url)
    if await life.wait_ready() is None:
        raise RuntimeError("the server did not start again")
    unsettled = await client.settle(life.port)
    for what in unsettled:
        sys.stderr.write(f"at the end: unsettled: {what}\n")
    life.kill()
    return unsettled


def _count_repeats(client: Client, engine: CountingEngine) -> int:
    """Searches whose answer died with the process before it could be stored, and which were made again."""
    return sum(max(0, engine.count(word) - 1) for word in client.beliefs.runs)


def main() -> int:
    """Run from the command line; 1 where anything was lost, torn or doubled."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="an empty folder for the home, kept afterwards")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="deeptrust-chaos-"))
    try:
        with counting_engine() as engine:
            report = asyncio.run(run_chaos(folder, options.kills, options.seed, engine))
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(report))
    faults = [report[name] for name in (*(kind.value for kind in Kind), "unsettled", "refused")]
    return 1 if any(faults) else 0


if __name__ == "__main__":
    sys.exit(main())
