"""Commands run in this process, on a home of their own, without model weights."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deeptrust.cli.main import app

LEASE = """# Lease of the flat in Mill Lane

The deposit is 1,850 euros and is paid back within 30 days after the keys are returned.
Pets are allowed if the landlord agrees in writing.
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """The one JSON object on stdout."""
        return json.loads(self.stdout)


Command = Callable[..., Ended]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("DEEPTRUST_EMBEDDER", "hashing")
    monkeypatch.setenv("DEEPTRUST_CHAT_MODEL", "none")

    def run(*args: object) -> Ended:
        result = CliRunner().invoke(app, [*map(str, args), "--home", str(tmp_path / "home")])
        return Ended(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    file = tmp_path / "lease.md"
    file.write_text(LEASE, encoding="utf-8")
    return file
