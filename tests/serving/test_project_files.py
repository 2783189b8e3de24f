"""Files that must keep step with one another."""

import re
import shutil
from pathlib import Path

from scripts.check_locks import find_mismatches
from scripts.env_example import render_example

PROJECT = Path(__file__).resolve().parents[2]


def test_env_example_lists_every_setting_with_its_default():
    assert (PROJECT / ".env.example").read_text(encoding="utf-8") == render_example()


def test_locks_answer_the_project_file():
    assert find_mismatches(PROJECT) == []


def test_stale_lock_is_noticed(tmp_path: Path):
    for name in ("pyproject.toml", "requirements-serve.lock", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(PROJECT / name, tmp_path)
    lock = tmp_path / "requirements.lock"
    lock.write_text(re.sub(r"^reflex==.*?(?=^\S)", "", lock.read_text(), flags=re.MULTILINE | re.DOTALL))
    assert any(line.startswith("requirements.lock does not answer reflex==") for line in find_mismatches(tmp_path))


def test_locks_name_no_registry():
    for name in ("requirements-serve.lock", "requirements.lock", "requirements-dev.lock", "reflex.lock/bun.lock"):
        assert "://" not in (PROJECT / name).read_text(encoding="utf-8"), name
