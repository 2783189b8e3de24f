"""`deeptrust runs retry`: the model was dead, another one is chosen, the same run goes on."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command

QUESTION = "How much is the deposit of the flat in Mill Lane?"


def test_a_report_that_a_dead_model_could_not_write_is_written_by_the_next(
    command: Command, lease: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DEEPTRUST_ANSWERS", "written")
    monkeypatch.setenv("DEEPTRUST_CHAT_MODEL", "endpoint:any")
    monkeypatch.setenv("DEEPTRUST_ENDPOINT_URL", "http://127.0.0.1:9/v1")
    quoted = command("research", QUESTION, "--file", lease, "--approve", "--json").json
    assert (quoted["status"], quoted["model"], quoted["retry"]) == ("complete", None, "report")
    calls = [call for entry in quoted["reasoning"] for call in entry["calls"]]
    assert [call["purpose"] for call in calls] == ["plan", "report"]
    assert all(call["note"] for call in calls)

    monkeypatch.setenv("DEEPTRUST_CHAT_MODEL", "scripted")
    shown = command("runs", "retry", quoted["threadId"])
    assert shown.code == 0
    assert "1,850 euros" in shown.stdout
    assert "Report by Scripted: " in shown.stderr
    again = command("runs", "retry", quoted["threadId"])
    assert again.code == 1
    assert "can be taken up again" in again.stderr
    assert [line["threadId"] for line in command("runs", "--json").json["runs"]] == [quoted["threadId"]]


def test_an_unknown_run_is_a_sentence(command: Command):
    ended = command("runs", "retry", "no-such-run")
    assert ended.code == 1
    assert "run" in ended.stderr
