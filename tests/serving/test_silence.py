"""Nothing leaves the machine that nobody asked for, whichever library would like to send it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deeptrust.cli.bundle import PROJECT, build_bundle
from tests.serving.silence import OWN_PACKET
from tests.waiting import LONG_SECONDS

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.models,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a network of its own"),
    pytest.mark.skipif(shutil.which("ip") is None, reason="a network needs `ip`; on Debian: apt install iproute2"),
]


def ordinary_environment(home: Path) -> dict[str, str]:
    """What a person's shell has. Telemetry is known to keep still where it sees a test runner or CI."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(home)}


def test_dep_10_no_packet_leaves_in_a_full_flow(tmp_path: Path):
    """Native libraries too: onnxruntime sent what it ran on to its maker, unseen by anything that watches Python."""
    build_bundle(PROJECT)  # inside it could not be
    run = subprocess.run(
        ["unshare", "--net", "--mount", sys.executable, "-m", "tests.serving.silence", str(tmp_path / "home")],
        cwd=PROJECT,
        env=ordinary_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=LONG_SECONDS,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[-1]) == [OWN_PACKET]
