from pathlib import Path

import pytest

from tests.cli.conftest import Command

QUESTION = "How much is the deposit and when is it paid back?"


def test_ask_prints_one_json_object_of_the_citation_schema(command: Command, lease: Path):
    ended = command("ask", QUESTION, "--file", lease, "--offline", "--json")
    assert ended.code == 0
    answer = ended.json
    assert set(answer) == {"text", "grounded", "citations", "guidance", "model", "embedder"}
    assert answer["grounded"]
    assert set(answer["citations"][0]) == {
        "number", "passageId", "title", "page", "section", "url", "quote", "snippet", "score"
    }  # fmt: skip
    assert answer["citations"][0]["quote"] in lease.read_text()
    assert "1,850 euros" in answer["citations"][0]["quote"]


def test_ask_for_a_person_names_source_and_page(command: Command, lease: Path):
    ended = command("ask", QUESTION, "--file", lease)
    assert "1,850 euros" in ended.stdout
    assert "[1] lease.md, page 1" in ended.stdout


def test_documents_stay_for_the_next_command(command: Command, lease: Path):
    command("ingest", lease)
    assert "1,850 euros" in command("ask", QUESTION).stdout


def test_ret_18_nothing_ingested_gives_guidance_and_no_fact(command: Command):
    answer = command("ask", "Who won the 1998 final?", "--json").json
    assert answer["grounded"] is False
    assert answer["citations"] == []
    assert "1998" not in answer["text"]
    assert "add" in answer["guidance"].lower()


@pytest.mark.parametrize("question", ["", "   ", "x" * 20_000])
def test_a_bad_question_is_one_sentence_and_exit_2(command: Command, question: str):
    ended = command("ask", question, "--json")
    assert ended.code == 2
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1


def test_a_file_that_fails_keeps_neither_the_others_nor_the_answer(command: Command, lease: Path, tmp_path: Path):
    ended = command("ask", QUESTION, "--file", tmp_path / "missing.pdf", "--file", lease, "--json")
    assert ended.code == 2
    assert ended.json["grounded"]
    assert "There is no file" in ended.stderr


def test_an_unknown_setting_names_the_nearest(command: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEEPTRUST_PROT", "3001")
    ended = command("documents")
    assert ended.code == 2
    assert "DEEPTRUST_PROT is not a setting. The nearest known one is DEEPTRUST_PORT." in ended.stderr


def test_a_person_reads_plain_text(command: Command, tmp_path: Path):
    note = tmp_path / "price.md"
    note.write_text("The price of the tin box [model 7] is $40 | plus tax.", encoding="utf-8")
    shown = command("ask", "What is the price of the tin box?", "--file", note).stdout
    assert "The price of the tin box [model 7] is $40 | plus tax. [1]" in shown
