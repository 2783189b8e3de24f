import gzip
import json
from pathlib import Path

import pytest

from deeptrust.home import HomeFolder
from tests.cli.conftest import Command

POSTING = """# Platform Engineer

Company: Alder & Finch
Location: Bergen, Norway

## Requirements

- 5+ years of experience with Kubernetes
- Terraform

Apply at https://alderfinch.wd3.myworkdayjobs.com/jobs/R-7
"""
RESUME = "Six years of experience running k8s clusters for a shipping line.\n"


@pytest.fixture
def posting(tmp_path: Path) -> Path:
    file = tmp_path / "job.md"
    file.write_text(POSTING, encoding="utf-8")
    return file


def test_add_prints_the_job_with_its_gaps_and_what_is_not_stated(command: Command, posting: Path, tmp_path: Path):
    resume = tmp_path / "resume.txt"
    resume.write_text(RESUME, encoding="utf-8")
    job = command("study", "add", posting, "--resume", resume, "--json").json
    assert job["facts"]["title"]["value"] == "Platform Engineer"
    assert job["facts"]["ats"]["value"] == "Workday"
    assert [gap["status"] for gap in job["gaps"]] == ["met", "missing"]
    assert job["gaps"][0]["found"] == RESUME.strip()
    assert "pay" in job["notStated"]
    listed = command("study", "list", "--json").json["jobs"]
    assert [one["jobId"] for one in listed] == [job["jobId"]]


def test_pack_writes_four_titled_documents(command: Command, posting: Path, tmp_path: Path):
    job_id = command("study", "add", posting, "--json").json["jobId"]
    out = tmp_path / "deep" / "pack"
    ended = command("study", "pack", job_id, "--out", out)
    assert ended.code == 0
    documents = sorted(out.glob("*.md"))
    assert len(documents) == 4
    assert all(document.read_text(encoding="utf-8").startswith("# ") for document in documents)


def test_a_real_posting_gives_four_documents(command: Command, shared_data: Path, tmp_path: Path):
    with gzip.open(shared_data / "jobs" / "job_postings.jsonl.gz", "rt", encoding="utf-8") as lines:
        text = json.loads(next(lines))["text"]
    file = tmp_path / "real.md"
    file.write_text(text, encoding="utf-8")
    resume = next((shared_data / "jobs" / "resumes").glob("*.pdf"))
    job = command("study", "add", file, "--resume", resume, "--json").json
    command("study", "pack", job["jobId"], "--out", tmp_path / "pack")
    assert len(list((tmp_path / "pack").glob("*.md"))) == 4
    assert job["gaps"]


def test_an_unknown_job_and_a_missing_file_are_one_sentence(command: Command, tmp_path: Path):
    unknown = command("study", "pack", "0" * 32, "--out", tmp_path / "pack")
    assert (unknown.code, unknown.stderr.count("\n")) == (1, 1)
    assert "no such job" in unknown.stderr
    missing = command("study", "add", tmp_path / "nothing.md")
    assert missing.code == 2
    assert "There is no file" in missing.stderr


def test_a_home_that_a_server_holds_is_said(command: Command, posting: Path, tmp_path: Path):
    with HomeFolder(tmp_path / "home").hold_server_lock(3999):
        ended = command("study", "add", posting)
    assert ended.code == 1
    assert "serves this home at http://127.0.0.1:3999" in ended.stderr


def test_an_empty_home_says_how_to_begin_with_jobs(command: Command):
    assert "deeptrust study add" in command("study", "list").stdout
