from pathlib import Path

import pytest

from tests.cli.conftest import Command

POSTING = """# Data Engineer

Northwind Analytics, Leeds

You build pipelines in Python and SQL. Experience with Kubernetes is required.

Salary: £55,000 to £65,000 per year.

Apply at https://northwind.wd3.myworkdayjobs.com/careers/job/data-engineer
"""


@pytest.fixture
def job(command: Command, tmp_path: Path) -> str:
    posting = tmp_path / "posting.md"
    posting.write_text(POSTING, encoding="utf-8")
    return command("study", "add", posting, "--json").json["jobId"]


def test_ask_takes_the_pack_in_first_and_cites_it(command: Command, job: str):
    answer = command("study", "ask", job, "What does this job pay?", "--harness", "local-rag", "--json").json
    assert answer["grounded"]
    assert any("55,000" in citation["quote"] for citation in answer["citations"])


def test_what_the_pack_does_not_hold_is_refused(command: Command, job: str):
    answer = command("study", "ask", job, "What colour is the office carpet?", "--json").json
    assert (answer["grounded"], answer["citations"]) == (False, [])


def test_an_outside_harness_gives_a_pointer_and_no_answer(command: Command, job: str):
    answer = command("study", "ask", job, "What does this job pay?", "--harness", "notebooklm", "--json").json
    assert answer["grounded"] is False
    assert "NotebookLM" in answer["text"]
    assert "55,000" not in answer["text"]


def test_an_unconfigured_publisher_says_so_and_sends_nothing(command: Command, job: str):
    ended = command("study", "ingest", job, "--harness", "notebooklm-mcp", "--json")
    assert ended.code == 1
    assert "DEEPTRUST_NOTEBOOKLM_MCP" in ended.json["message"]


def test_unknown_job_and_unknown_harness_are_sentences(command: Command, job: str):
    unknown = command("study", "ask", "0" * 32, "What does this job pay?")
    assert (unknown.code, "There is no such job" in unknown.stderr) == (1, True)
    wrong = command("study", "ask", job, "What does this job pay?", "--harness", "oracle")
    assert (wrong.code, "Choose one of: local-rag" in wrong.stderr) == (2, True)
