import json
import re
from pathlib import Path

from typer.testing import CliRunner

from deeptrust.cli.main import app
from tests.cli.conftest import Command

QUESTION = "How much is the deposit and when is it paid back?"
FIELDS = {
    "threadId", "status", "evidence", "userQuery", "plan", "auditResult", "stepResults", "finalReport", "citations",
    "model", "embedder", "errorMessage", "reasoning", "retry",
}  # fmt: skip


def test_an_approved_run_ends_complete_with_every_mark_cited(command: Command, lease: Path):
    ended = command("research", QUESTION, "--file", lease, "--offline", "--approve", "--json")
    assert ended.code == 0
    run = ended.json
    assert set(run) == FIELDS
    assert (run["status"], run["evidence"]) == ("complete", "found")
    assert all(citation["quote"] in lease.read_text() for citation in run["citations"])
    marks = {int(mark) for mark in re.findall(r"\[(\d+)\]", run["finalReport"])}
    assert marks and marks <= {citation["number"] for citation in run["citations"]}
    assert [line["status"] for line in command("runs", "--json").json["runs"]] == ["complete"]


def test_without_approve_the_plan_is_shown_and_a_no_runs_nothing(command: Command, lease: Path, tmp_path: Path):
    command("ingest", lease)
    home = ["--home", str(tmp_path / "home")]
    refused = CliRunner().invoke(app, ["research", QUESTION, "--json", *home], input="n\n")  # it echoes what is typed
    assert refused.exit_code == 1
    assert "Plan:" in refused.stderr
    run = json.loads(refused.stdout.partition("\n")[2])
    assert (run["status"], run["stepResults"], run["finalReport"]) == ("rejected", [], None)
    agreed = CliRunner().invoke(app, ["research", QUESTION, "--json", *home], input="y\n")
    assert json.loads(agreed.stdout.partition("\n")[2])["status"] == "complete"


def test_without_evidence_the_report_says_so_and_states_nothing(command: Command, lease: Path):
    run = command("research", "Who won the 1998 final?", "--file", lease, "--approve", "--offline", "--json").json
    assert (run["status"], run["evidence"], run["citations"]) == ("complete", "none", [])
    assert "1,850" not in run["finalReport"]


def test_policy_check_lists_the_rules_and_refuses_a_broken_policy(command: Command, tmp_path: Path):
    listed = CliRunner().invoke(app, ["policy", "check"])
    assert "max_steps" in listed.stdout
    broken = tmp_path / "POLICY.md"
    broken.write_text("no front matter")
    refused = CliRunner().invoke(app, ["policy", "check", str(broken)])
    assert refused.exit_code == 2
    assert "no machine rules" in refused.stderr
