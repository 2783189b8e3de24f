"""What is sent to LangSmith, watched at a server of our own (D50, K21)."""

import json
import subprocess
import sys
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deeptrust.agent.events import list_egress
from deeptrust.agent.tracing import settle_tracing
from tests.agent.conftest import Bench
from tests.live import clean_environment
from tests.waiting import LONG_SECONDS


@pytest.fixture(autouse=True)
def leave_tracing_off() -> Generator[None]:
    yield
    settle_tracing(True)


class Watch:
    """A server that takes whatever a tracer sends."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        watch = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                watch.received.append(self._read_body())
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"{}")

            do_GET = do_PATCH = do_POST  # noqa: N815

            def _read_body(self) -> bytes:
                if length := self.headers.get("Content-Length"):
                    return self.rfile.read(int(length))
                body = b""
                while self.headers.get("Transfer-Encoding") == "chunked":
                    size = int(self.rfile.readline(), 16)
                    body += self.rfile.read(size)
                    self.rfile.readline()
                    if not size:
                        break
                return body

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def watch() -> Generator[Watch]:
    watching = Watch()
    yield watching
    watching.server.shutdown()


def research(home: Path, watch: Watch, *flags: str) -> dict[str, object]:
    """Run and approve in a process of its own: tracing is settled once a process."""
    command = [Path(sys.executable).with_name("deeptrust"), "research", "What is the deposit?"]
    variables = {
        "LANGCHAIN_TRACING_V2": "true",
        "LANGCHAIN_API_KEY": "test-key",
        "LANGCHAIN_ENDPOINT": watch.url,
        "LANGSMITH_RUNS_ENDPOINTS": "",
    }
    environment = clean_environment(embedder="hashing", chat_model="none") | variables
    arguments = ["--approve", "--json", "--home", str(home), *flags]
    ended = subprocess.run(
        [*command, *arguments], env=environment, capture_output=True, text=True, timeout=LONG_SECONDS
    )
    return json.loads(ended.stdout)


def test_first_and_resumed_parts_of_a_run_are_traced_with_their_metadata(tmp_path: Path, watch: Watch):
    assert research(tmp_path, watch)["status"] == "complete"
    sent = b"".join(watch.received)
    assert sent.count(b"DeepTrust research session") >= 2
    assert b"deeptrust-ui" in sent


def test_offline_turns_tracing_off(tmp_path: Path, watch: Watch):
    assert research(tmp_path, watch, "--offline")["status"] == "complete"
    assert watch.received == []


@pytest.mark.parametrize(
    "variables", [{}, {"LANGCHAIN_TRACING_V2": "true"}, {"LANGCHAIN_API_KEY": "k"}, {"LANGCHAIN_TRACING_V2": "no"}]
)
def test_without_both_variables_nothing_is_traced(variables: dict[str, str]):
    assert settle_tracing(False, variables) is None


def test_the_project_has_a_default_and_a_name():
    chosen = {"LANGCHAIN_TRACING_V2": "true", "LANGCHAIN_API_KEY": "k"}
    assert settle_tracing(False, chosen) == "deeptrust"
    assert settle_tracing(False, chosen | {"LANGCHAIN_PROJECT": "mine"}) == "mine"
    assert settle_tracing(True, chosen) is None


async def test_the_approval_says_that_the_run_is_traced(bench: Bench):
    run_id = await bench.ask()
    state = await bench.producer._state(run_id)  # pyright: ignore[reportPrivateUsage]
    assert list_egress(state, bench.parts) == []
    settle_tracing(False, {"LANGCHAIN_TRACING_V2": "true", "LANGCHAIN_API_KEY": "k"})
    assert any("LangSmith" in sentence for sentence in list_egress(state, bench.parts))
