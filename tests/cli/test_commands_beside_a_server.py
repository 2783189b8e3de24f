"""DuckDB gives its file to one process: commands speak to the server that holds the home."""

import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests.cli.conftest import LEASE
from tests.live import LiveServer, live_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    home = tmp_path_factory.mktemp("home")
    with live_server(home, settings={"embedder": "hashing", "chat_model": "none"}) as running:
        yield running


def deeptrust(server: LiveServer, *args: object) -> dict[str, object]:
    command = [str(Path(sys.executable).with_name("deeptrust")), *map(str, args), "--home", str(server.home), "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout)


def test_ingest_ask_and_list_go_through_the_server(server: LiveServer, tmp_path: Path):
    lease = tmp_path / "lease.md"
    lease.write_text(LEASE, encoding="utf-8")
    added = deeptrust(server, "ingest", lease)
    assert added["files"][0]["status"] == "added"  # pyright: ignore[reportIndexIssue]
    answer = deeptrust(server, "ask", "How much is the deposit?")
    assert answer["grounded"] is True
    assert len(deeptrust(server, "documents")["documents"]) == 1  # pyright: ignore[reportArgumentType]


def test_a_program_without_the_token_is_refused(server: LiveServer):
    for headers in ({}, {"Authorization": "Bearer guess"}, {"Sec-Fetch-Site": "none"}):
        answered = httpx.get(f"{server.url}/api/documents", headers=headers)
        assert answered.status_code == 401
        assert "server.token" in answered.json()["detail"]


def test_api_errors_are_sentences_with_a_status(server: LiveServer):
    token = (server.home / "server.token").read_text()
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {token}"}) as client:
        empty = client.post("/api/ask", json={"question": " "})
        assert (empty.status_code, empty.json()["detail"][:21]) == (400, "The question is empty")
        missing = client.get("/api/documents/00000000000000000000000000000000/pages/1")
        assert missing.status_code == 404
        assert client.delete("/api/documents/../../etc").status_code in (404, 405)
        refused = client.post("/api/documents", files={"file": ("photo.pdf", b"\x89PNG\r\n\x1a\n" + b"0" * 50)})
        assert refused.json()["status"] == "failed"
        assert "PNG" in refused.json()["reason"]
