"""Files that must keep step with one another."""

import re
import shutil
from pathlib import Path

from deeptrust.settings import Settings, setting_names
from scripts.check_locks import find_mismatches

PROJECT = Path(__file__).resolve().parents[2]


def test_env_example_lists_every_setting_with_its_default():
    shown = dict(re.findall(r"^#([A-Z]\w+)=(.*)$", (PROJECT / ".env.example").read_text(), re.MULTILINE))
    defaults = {key: Settings.model_fields[name].default for key, name in setting_names().items()}
    written = {key: "" if value is None else str(value) for key, value in defaults.items()}
    assert {key: value.lower() for key, value in shown.items()} == {k: v.lower() for k, v in written.items()}


def test_locks_answer_the_project_file():
    assert find_mismatches(PROJECT) == []


def test_stale_lock_is_noticed(tmp_path: Path):
    for name in ("pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(PROJECT / name, tmp_path)
    lock = tmp_path / "requirements.lock"
    lock.write_text(re.sub(r"^reflex==.*?(?=^\S)", "", lock.read_text(), flags=re.MULTILINE | re.DOTALL))
    assert find_mismatches(tmp_path)[0].startswith("requirements.lock does not answer reflex==")


def test_locks_name_no_registry():
    for name in ("requirements.lock", "requirements-dev.lock", "reflex.lock/bun.lock"):
        assert "://" not in (PROJECT / name).read_text(encoding="utf-8"), name
