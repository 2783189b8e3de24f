"""The server runs as somebody who may not write one byte to the folder of the code, as in a container."""

import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from deeptrust.cli.bundle import PROJECT, build_bundle
from tests.live import live_server, run_command
from tests.serving.conftest import QUICK
from tests.waiting import PATIENCE_SECONDS

STRANGER = 1000
SHIPPED = ("deeptrust", "assets", "reflex.lock", ".web/build", ".web/backend")
SHIPPED_FILES = ("rxconfig.py", "requirements.lock", "POLICY.md", ".build-stamp")

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else"),
]


@pytest.fixture
def open_folder() -> Generator[Path]:
    """A folder that others may enter; pytest's own is closed to them."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def code(open_folder: Path) -> Path:
    """A copy of what the image holds, owned by root."""
    build_bundle(PROJECT)
    code = open_folder / "code"
    for name in SHIPPED:
        shutil.copytree(PROJECT / name, code / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in SHIPPED_FILES:
        shutil.copy(PROJECT / name, code / name)
    return code


@pytest.fixture
def volume(open_folder: Path) -> Path:
    volume = open_folder / "volume"
    volume.mkdir(mode=0o700)
    os.chown(volume, STRANGER, STRANGER)
    return volume


def as_stranger() -> list[str | Path]:
    """The command as another user; reading stays allowed, for the interpreter may lie in root's own folder."""
    who = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", "--no-new-privs"]
    may = [f"--{kind}=-all,+dac_read_search" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
    return [*who, *may, sys.executable, "-P", "-c", "from deeptrust.cli.main import app; app()"]


def snapshot(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.lstat().st_mtime_ns for path in folder.rglob("*")}


def test_serving_writes_nothing_beside_the_code(code: Path, volume: Path):
    before = snapshot(code)
    environment = {"PYTHONPATH": str(code), "HOME": "/nonexistent"}
    with live_server(volume, QUICK, environment=environment, command=as_stranger()) as running:
        assert httpx.get(running.url, timeout=PATIENCE_SECONDS).status_code == 200
        status = Path(f"/proc/{running.process.pid}/status").read_text()
        assert f"Uid:\t{STRANGER}\t" in status
        assert running.stop() == 0
    assert running.output == [f"DeepTrust is at {running.url}\n"]
    assert snapshot(code) == before


def test_stale_page_in_a_read_only_folder_names_the_fix(code: Path, volume: Path):
    (code / "assets" / "theme.css").write_text("/* another one */")
    environment = {"PYTHONPATH": str(code)}
    refused = pytest.raises(AssertionError, match="Run `deeptrust bundle` as the owner")
    with refused, live_server(volume, QUICK, environment=environment, command=as_stranger()):
        pass


@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_dep_08_volume_of_root_names_the_folder_and_the_fix(open_folder: Path, mode: int):
    volume = open_folder / "volume"
    volume.mkdir(mode=mode)
    run = run_command("serve", "--home", str(volume), command=as_stranger())
    assert run.returncode == 1
    assert run.stderr == (
        f"The home folder {volume} cannot be written. "
        f"Make it yours (chown {STRANGER} {volume}), or choose another with --home DIR.\n"
    )
