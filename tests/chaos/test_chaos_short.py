"""The short form of `make chaos`: a few kills of a real server, in the suite."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import LONG_SECONDS

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.thorough
def test_eight_kills_lose_tear_and_double_nothing():
    command = [sys.executable, "-m", "chaos", "--kills", "8", "--seed", "6"]
    finished = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=LONG_SECONDS)
    assert finished.stdout, finished.stderr
    report = json.loads(finished.stdout)
    assert finished.returncode == 0, finished.stderr
    assert (report["kills"], report["lost"], report["torn"], report["doubled"]) == (8, 0, 0, 0)
    assert sum(report["acknowledged"].values()) > 5
