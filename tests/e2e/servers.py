"""The kinds of server that browser tests ask for. Files of one kind share one, since a start costs seconds.

A file names its kind as `SERVER`; where it names none, it is `scripted`.
"""

import shlex
import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import httpx

from tests.e2e.settings import model_machine
from tests.e2e.slow_engine import SlowEngine, slow_engine
from tests.live import LiveServer, live_server
from tests.llm.model_server import FakeOpenAi
from tests.waiting import PATIENCE_SECONDS

Kind = Callable[[Path], AbstractContextManager[LiveServer]]
"""Serves from a folder of its own."""

ENDPOINT = FakeOpenAi()
"""What the endpoint of `many_models` says is set by the tests."""

ENGINE = SlowEngine()
"""When the web search of `leaving` answers is set by the tests."""

PASSWORD = "open-sesame-canary-5b1e"
_NOTEBOOKS = Path(__file__).parents[1] / "harness" / "notebook_server.py"
_QUOTING = {"embedder": "hashing", "chat_model": "none", "word_milliseconds": "0"}
_TRACED = {"LANGCHAIN_TRACING_V2": "true", "LANGCHAIN_API_KEY": "none", "LANGCHAIN_ENDPOINT": "http://127.0.0.1:9"}


def scripted(folder: Path) -> AbstractContextManager[LiveServer]:
    """The scripted model and the hashing embedder."""
    return live_server(folder, {"embedder": "hashing", "chat_model": "scripted"})


def slow_words(folder: Path) -> AbstractContextManager[LiveServer]:
    """The same, slowly: fifteen words take fifteen seconds, the longest that the program lets an answer grow."""
    return live_server(folder, {"embedder": "hashing", "chat_model": "scripted", "word_milliseconds": "1000"})


def offline(folder: Path) -> AbstractContextManager[LiveServer]:
    """No model, so that plans come from the question, and no network; what is written is shown at once."""
    return live_server(folder, {**_QUOTING, "offline": "true"})


def bundled(folder: Path) -> AbstractContextManager[LiveServer]:
    """The bundled model and MiniLM, as `make run` serves them."""
    return live_server(folder, {"offline": "true"})


def hosted(folder: Path) -> AbstractContextManager[LiveServer]:
    """Each browser is a user of its own."""
    return live_server(folder, {**_QUOTING, "mode": "hosted", "chat_model": "scripted"})


def locked(folder: Path) -> AbstractContextManager[LiveServer]:
    """A server with a password."""
    return live_server(folder, {**_QUOTING, "password": PASSWORD})


@contextmanager
def leaving(folder: Path) -> Generator[LiveServer]:
    """All ways out of the machine are open, to fakes on loopback: a web search, a NotebookLM, a tracing service."""
    command = shlex.join([sys.executable, str(_NOTEBOOKS), str(notebook_calls(folder))])
    with slow_engine(ENGINE) as address:
        settings = {
            **_QUOTING,
            "duckduckgo_url": address,
            "wikipedia_url": address,
            "search_seconds": str(PATIENCE_SECONDS),
            "notebooklm_mcp_command": command,
        }
        with live_server(folder, settings, environment=_TRACED) as running:
            yield running


def many_models(folder: Path) -> AbstractContextManager[LiveServer]:
    """Models of all kinds, fake ones; what they say is shown as they write it."""
    return model_machine(folder, ENDPOINT, answers="written")


def notebook_calls(home: Path) -> Path:
    """Where the NotebookLM of a `leaving` server notes each call."""
    return home.with_suffix(".calls")


class Servers:
    """Runs one server at a time: who asks for the kind that runs gets it, emptied."""

    def __init__(self, make_folder: Callable[[], Path]) -> None:
        self._make_folder = make_folder
        self._running = ExitStack()
        self._kind: Kind | None = None
        self._server: LiveServer | None = None

    def serve(self, kind: Kind) -> LiveServer:
        """Return a server of this kind that holds nothing of its local user."""
        if self._server and self._kind is kind:
            forget_everything(self._server)
            return self._server
        self.close()
        self._server, self._kind = self._running.enter_context(kind(self._make_folder())), kind
        return self._server

    def close(self) -> None:
        """Stop the server that runs."""
        self._server = None
        self._running.close()


def forget_everything(server: LiveServer) -> None:
    """Delete all data of the server's local user."""
    token = (server.home / "server.token").read_text()
    headers = {"Authorization": f"Bearer {token}"}
    httpx.delete(f"{server.url}/api/me", headers=headers, timeout=PATIENCE_SECONDS).raise_for_status()
