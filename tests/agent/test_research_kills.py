"""Kill -9 at points spread over a whole run: the short form of `benchmarks/kill_research.py`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import LONG_SECONDS

pytestmark = pytest.mark.thorough


def test_gra_05_a_run_survives_kill_9_at_any_write_with_the_same_plan_and_each_tool_once():
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "benchmarks.kill_research", "--kills", "10"]
    finished = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=LONG_SECONDS)
    assert finished.returncode == 0, finished.stderr
    counts = json.loads(finished.stdout)
    assert counts.pop("writes") > 20
    assert counts.pop("kills") == 10
    assert not any(counts.values()), (counts, finished.stderr)


def test_hit_20_a_second_try_survives_kill_9_and_runs_no_tool_twice():
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "benchmarks.kill_research", "--retry", "--kills", "8", "--seed", "1"]
    finished = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=LONG_SECONDS)
    assert finished.returncode == 0, finished.stderr
    counts = json.loads(finished.stdout)
    assert counts.pop("writes") > 80
    assert counts.pop("kills") == 8
    assert not any(counts.values()), (counts, finished.stderr)
