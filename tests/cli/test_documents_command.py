from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_ingest_lists_each_file_with_its_outcome(command: Command, lease: Path, tmp_path: Path):
    empty = tmp_path / "empty.txt"
    empty.touch()
    ended = command("ingest", lease, lease, empty, tmp_path, "--json")
    assert ended.code == 2
    assert [file["status"] for file in ended.json["files"]] == ["added", "duplicate", "failed", "failed"]
    assert all(file["reason"] for file in ended.json["files"][2:])
    listed = command("documents", "--json").json["documents"]
    assert [document["label"] for document in listed] == ["lease.md"]


def test_ing_25_a_folder_is_not_walked_and_leads_nowhere(command: Command, tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("The code is 7431.")
    folder = tmp_path / "import"
    folder.mkdir()
    (folder / "notes.txt").symlink_to(secret)
    refused = command("ingest", folder, "--json")
    assert refused.code == 2
    assert refused.json["files"][0]["reason"].endswith("is a folder. Name the files in it.")
    assert command("documents", "--json").json == {"documents": []}


def test_a_remark_on_a_file_that_was_added_is_shown(command: Command, tmp_path: Path):
    old = tmp_path / "alt.txt"
    old.write_bytes("Die Straße ist für Fußgänger gesperrt.".encode("cp1252"))
    assert "was read as windows-1252" in command("ingest", old).stdout


def test_text_shows_pages_and_stores_nothing(command: Command, lease: Path):
    shown = command("ingest", lease, "--text", "--json").json
    assert shown["status"] == "ok"
    assert shown["pages"][0]["page"] == 1
    assert "1,850 euros" in shown["pages"][0]["text"]
    assert command("documents", "--json").json == {"documents": []}


def test_an_encrypted_pdf_takes_its_password_from_the_environment(
    command: Command, shared_data: Path, monkeypatch: pytest.MonkeyPatch
):
    locked = shared_data / "pdfs" / "files" / "password-example.pdf"
    refused = command("ingest", locked, "--text", "--json")
    assert refused.code == 2
    assert refused.json["status"] == "needs_password"
    assert "DEEPTRUST_PDF_PASSWORD" in refused.json["reason"] or "password" in refused.json["reason"]
    monkeypatch.setenv("DEEPTRUST_PDF_PASSWORD", "test")
    assert command("ingest", locked, "--text", "--json").json["status"] == "ok"


def test_a_large_file_is_refused_before_it_is_read(command: Command, tmp_path: Path):
    large = tmp_path / "large.pdf"
    with large.open("wb") as file:
        file.truncate(60 * 1024 * 1024)
    ended = command("ingest", large, "--text")
    assert ended.code == 2
    assert "60.0 MB; the limit is 50 MB" in ended.stderr


def test_an_empty_home_says_how_to_begin(command: Command):
    assert "deeptrust ingest" in command("documents").stdout
