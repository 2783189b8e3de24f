"""DuckDB gives its file to one process: commands speak to the server that holds the home."""

import json
import stat
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from deeptrust.cli.main import app
from tests.cli.conftest import LEASE, Ended
from tests.live import LiveServer, live_server
from tests.waiting import PATIENCE_SECONDS


class EmptyHub(BaseHTTPRequestHandler):
    """A hub that holds no file."""

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Say nothing."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    home = tmp_path_factory.mktemp("home")
    hub = ThreadingHTTPServer(("127.0.0.1", 0), EmptyHub)
    threading.Thread(target=hub.serve_forever, daemon=True).start()
    settings = {"embedder": "hashing", "chat_model": "none", "claude_command": "no-such-program"}
    environment = {"HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}"}
    with live_server(home, settings=settings, environment=environment) as running:
        yield running
    hub.shutdown()


def run(server: LiveServer, *args: object, text: str = "") -> Ended:
    """Run a command in this process; to the server, it is another one."""
    result = CliRunner().invoke(app, [*map(str, args), "--home", str(server.home)], input=text)
    return Ended(result.exit_code, result.stdout, result.stderr)


def deeptrust(server: LiveServer, *args: object) -> dict[str, object]:
    ended = run(server, *args, "--json")
    assert ended.code == 0, ended.stderr
    return ended.json


def test_ingest_ask_and_list_go_through_the_server(server: LiveServer, tmp_path: Path):
    lease = tmp_path / "lease.md"
    lease.write_text(LEASE, encoding="utf-8")
    added = deeptrust(server, "ingest", lease)
    assert added["files"][0]["status"] == "added"  # pyright: ignore[reportIndexIssue]
    answer = deeptrust(server, "ask", "How much is the deposit?")
    assert answer["grounded"] is True
    assert len(deeptrust(server, "documents")["documents"]) == 1  # pyright: ignore[reportArgumentType]


def test_models_are_those_of_the_server(server: LiveServer):
    found = deeptrust(server, "models")
    assert found["choice"] == "none"
    assert "DEEPTRUST_CHAT_MODEL=none decides" in str(found["fixedBy"])
    refused = run(server, "models", "use", "bundled")
    assert (refused.code, refused.stdout) == (1, "")
    assert "DEEPTRUST_CHAT_MODEL=none decides" in refused.stderr


def test_a_download_is_the_servers_and_its_end_is_told(server: LiveServer):
    ended = run(server, "models", "download", "smollm2-360m")
    assert ended.code == 1
    assert "has no smollm2-360m-instruct-q8_0.gguf" in ended.stderr


def test_a_key_is_handed_to_the_server(server: LiveServer):
    kept = run(server, "models", "key", "endpoint", text="sk-canary-88\n")
    assert kept.code == 0, kept.stderr
    file = server.home / "keys.json"
    assert json.loads(file.read_text()) == {"endpoint": "sk-canary-88"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "sk-canary-88" not in kept.stdout + kept.stderr + "".join(server.output)


def test_a_program_without_the_token_is_refused(server: LiveServer):
    for headers in ({}, {"Authorization": "Bearer guess"}, {"Sec-Fetch-Site": "none"}):
        answered = httpx.get(f"{server.url}/api/documents", headers=headers, timeout=PATIENCE_SECONDS)
        assert answered.status_code == 401
        assert "server.token" in answered.json()["detail"]


def test_api_errors_are_sentences_with_a_status(server: LiveServer):
    token = (server.home / "server.token").read_text()
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=PATIENCE_SECONDS) as client:
        empty = client.post("/api/ask", json={"question": " "})
        assert (empty.status_code, empty.json()["detail"][:21]) == (400, "The question is empty")
        missing = client.get("/api/documents/00000000000000000000000000000000/pages/1")
        assert missing.status_code == 404
        assert client.delete("/api/documents/../../etc").status_code in (404, 405)
        refused = client.post("/api/documents", files={"file": ("photo.pdf", b"\x89PNG\r\n\x1a\n" + b"0" * 50)})
        assert refused.json()["status"] == "failed"
        assert "PNG" in refused.json()["reason"]
