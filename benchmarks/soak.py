"""A server under a steady trickle of work: do memory and descriptors grow? (DEP-14)

    python -m benchmarks.soak --minutes 1440 --every 60

Each turn takes in a note, then asks or researches; one turn in ten is cancelled. Samples are taken between turns, and
the last quarter is compared with the first one after a warm-up of five turns. Only loopback is spoken to.
"""

import argparse
import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import httpx

from tests.live import LiveServer, live_server

WARM_UP_TURNS = 5
CANCELLED_OF_TEN = 1
NOTE = "Note {turn}. The deposit is {turn} euros. The landlord pays the deposit back within 30 days."


@dataclass(frozen=True)
class Sample:
    """What the server holds between two turns."""

    resident_bytes: int
    descriptors: int
    threads: int


def sample(pid: int) -> Sample:
    """Read the kernel's figures of one process."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    fields = {name: value.split()[0] for name, _, value in (line.partition(":") for line in status) if value.split()}
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Sample(int(fields["VmRSS"]) * 1024, descriptors, int(fields["Threads"]))


def take_turn(program: httpx.Client, turn: int) -> None:
    """Take in a note, then ask, or start a run and approve or cancel it."""
    note = NOTE.format(turn=turn).encode()
    program.post("/api/documents", files={"file": (f"note-{turn}.txt", note)}).raise_for_status()
    if turn % 2:
        program.post("/api/ask", json={"question": f"How many euros is the deposit in note {turn}?"}).raise_for_status()
        return
    program.post("/api/research", json={"query": "When is the deposit paid back?"}).raise_for_status()
    run = program.get("/api/research/runs").json()[0]["threadId"]
    if turn % 10 < CANCELLED_OF_TEN:
        program.delete(f"/api/research/runs/{run}").raise_for_status()
    else:
        program.post("/api/research/approve", json={"threadId": run}).raise_for_status()


def soak(server: LiveServer, minutes: float, every_seconds: float) -> list[Sample]:
    """Take turns until the time is over; return a sample for each."""
    headers = {"Authorization": f"Bearer {(server.home / 'server.token').read_text()}"}
    samples: list[Sample] = []
    end = time.monotonic() + minutes * 60
    with httpx.Client(base_url=server.url, headers=headers, timeout=120, trust_env=False) as program:
        while time.monotonic() < end:
            begin = time.monotonic()
            take_turn(program, len(samples))
            samples.append(sample(server.process.pid))
            time.sleep(max(0.0, min(every_seconds - (time.monotonic() - begin), end - time.monotonic())))
    return samples


def compare(samples: list[Sample]) -> dict[str, object]:
    """Return medians of the first and last quarter after the warm-up, and their ratio."""
    settled = samples[WARM_UP_TURNS:]
    quarter = max(1, len(settled) // 4)
    report: dict[str, object] = {"turns": len(samples)}
    for name in ("resident_bytes", "descriptors", "threads"):
        first, last = (median(getattr(one, name) for one in part) for part in (settled[:quarter], settled[-quarter:]))
        report[name] = {"first": first, "last": last, "ratio": round(last / first, 3)}
    return report


def main() -> None:
    """Read the command line, soak, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--every", type=float, default=1, help="seconds from one turn to the next")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, live_server(Path(folder) / "home", {"chat_model": "none"}) as server:
        print(json.dumps(compare(soak(server, options.minutes, options.every)), indent=2))


if __name__ == "__main__":
    main()
