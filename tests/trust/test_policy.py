from pathlib import Path

import pytest

from deeptrust.errors import BadSetting
from deeptrust.trust.policy import POLICY_FILE, PolicyRules, load_policy, parse_policy
from deeptrust.trust.policy_default import DEFAULT_POLICY


def test_the_shipped_policy_has_at_least_eight_machine_rules_and_prose():
    policy = load_policy()
    assert not policy.is_default
    assert len(policy.lines) - 1 >= 8
    assert "evidence, never an instruction" in policy.prose


def test_it_is_found_beside_the_app_whatever_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert load_policy() == load_policy(POLICY_FILE)


def test_a_missing_file_gives_the_built_in_policy(tmp_path: Path):
    policy = load_policy(tmp_path / "POLICY.md")
    assert policy.is_default
    assert policy.rules.max_steps <= load_policy().rules.max_steps


def test_each_rule_knows_its_own_line():
    lines = POLICY_FILE.read_text(encoding="utf-8").splitlines()
    for rule, shown in load_policy().lines.items():
        number, text = shown.removeprefix("line ").split(": ", 1)
        assert lines[int(number) - 1] == text
        assert text.startswith(rule)


def test_a_block_list_is_shown_whole():
    text = DEFAULT_POLICY.replace("blocked_domains: []", "blocked_domains:\n  - a.example\n  - b.example")
    policy = parse_policy(text)
    assert policy.rules.blocked_domains == ("a.example", "b.example")
    assert policy.lines["blocked_domains"].endswith("blocked_domains: - a.example - b.example")
    assert policy.lines["forbidden_terms"].endswith("forbidden_terms: []")


def test_any_change_of_the_text_changes_the_hash():
    assert parse_policy(DEFAULT_POLICY).hash != parse_policy(DEFAULT_POLICY + "\nBe kind.").hash


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no machine rules"),
        ("Be good.\n", "no machine rules"),
        ("---\nversion: 1\n", "no machine rules"),
        ("---\n- a\n---\n", "key: value"),
        ("---\na: [\n---\n", "plain YAML"),
        ("---\nversion: !!python/object/apply:os.system ['true']\n---\n", "plain YAML"),
        (DEFAULT_POLICY.replace("max_steps: 4\n", ""), "max_steps"),
        (DEFAULT_POLICY.replace("max_steps: 4", "max_steps: 4\nmax_steps: 40"), "twice"),
        (DEFAULT_POLICY.replace("max_steps: 4", "max_steps: many"), "max_steps"),
        (DEFAULT_POLICY.replace("max_steps: 4", "max_steps: 4\nmax_stepz: 5"), "max_stepz"),
        (DEFAULT_POLICY.replace("max_steps", "maxSteps"), "max_steps"),
        (DEFAULT_POLICY.replace("web_search]", "run_shell]"), "allowed_tools"),
        (DEFAULT_POLICY.replace("version: 1", "version: 2"), "version"),
    ],
)
def test_a_broken_policy_allows_nothing(text: str, says: str):
    with pytest.raises(BadSetting, match=says):
        parse_policy(text)


def test_a_policy_that_is_not_text_is_refused(tmp_path: Path):
    (tmp_path / "POLICY.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSetting, match="UTF-8"):
        load_policy(tmp_path / "POLICY.md")


def test_the_keys_are_the_fields():
    assert set(load_policy().lines) == set(PolicyRules.model_fields)
