"""Two starts of a fresh checkout: the second waits for the build of the first, and says so."""

import fcntl
import threading
from pathlib import Path

import pytest

from deeptrust.cli import bundle
from tests.waiting import PATIENCE_SECONDS


def test_a_second_build_says_what_it_waits_for(tmp_path: Path):
    for name in ("deeptrust", "assets", "reflex.lock"):
        (tmp_path / name).mkdir()
    for name in ("rxconfig.py", "requirements.lock"):
        (tmp_path / name).touch()
    stamp = tmp_path / ".build-stamp"
    has_said = threading.Event()

    def build_elsewhere() -> None:
        """Hold the lock until the other has said so, and leave a finished build."""
        with stamp.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            is_held.set()
            has_said.wait(PATIENCE_SECONDS)
            page = tmp_path / ".web" / "build" / "client" / "index.html"
            page.parent.mkdir(parents=True)
            page.touch()
            stamp.write_text(
                bundle._fingerprint(tmp_path, bundle._SOURCES) + bundle._fingerprint(tmp_path, bundle._PACKAGES)
            )

    def say(line: str, err: bool) -> None:
        assert err
        said.append(line)
        has_said.set()

    is_held, said = threading.Event(), list[str]()
    first = threading.Thread(target=build_elsewhere)
    first.start()
    is_held.wait(PATIENCE_SECONDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle.typer, "echo", say)
        bundle.build_bundle(tmp_path)
    first.join()
    assert said == [bundle._WAITING]
