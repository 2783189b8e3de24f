"""`deeptrust models`, without a server beside it."""

import contextlib
import json
import signal
import stat
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deeptrust.cli.main import app
from deeptrust.llm.catalogue import CATALOGUE
from tests.cli.conftest import Command
from tests.live import BIN, clean_environment, free_port
from tests.waiting import PATIENCE_SECONDS, wait_until

CANARY = "sk-canary-51b2"


@pytest.fixture
def models(command: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command on a machine where no model server runs."""
    monkeypatch.delenv("DEEPTRUST_CHAT_MODEL")
    monkeypatch.setenv("DEEPTRUST_OLLAMA_URL", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("DEEPTRUST_CLAUDE_COMMAND", "no-such-program")
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    return command


def test_the_list_names_each_model_where_it_runs_and_what_it_lacks(models: Command):
    ended = models("models")
    assert ended.code == 0
    lines = {line[2:].split()[0]: line for line in ended.stdout.splitlines()}
    assert lines["bundled"].startswith("* ")
    assert "on this machine" in lines["qwen3-4b"]
    assert "2.5 GB" in lines["qwen3-4b"]
    assert "leaves this machine" in lines["claude"]
    assert "Claude CLI not found" in lines["claude"]
    assert "Ollama does not answer" in lines["ollama:qwen3:8b"]


def test_the_json_is_the_list_of_the_api(models: Command):
    found = models("models", "--json").json
    assert set(found) == {"models", "choice", "fixedBy"}
    assert found["choice"] == "auto"
    bundled = next(model for model in found["models"] if model["id"] == "bundled")
    assert bundled["isReady"] and bundled["isChosen"] and not bundled["reachesNetwork"]


def test_use_is_kept_and_what_is_not_ready_is_refused(models: Command, tmp_path: Path):
    assert models("models", "use", "none", "--json").json["choice"] == "none"
    assert json.loads((tmp_path / "home" / "model.json").read_text()) == {"model": "none"}
    ended = models("models", "use", "qwen3-4b")
    assert ended.code == 1
    assert "deeptrust models download qwen3-4b" in ended.stderr
    ended = models("models", "use", "qwen")
    assert (ended.code, ended.stderr) == (2, "There is no model qwen. The nearest is qwen3-8b.\n")
    assert models("models", "--json").json["choice"] == "none"


def test_a_setting_decides(models: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEEPTRUST_CHAT_MODEL", "scripted")
    assert "DEEPTRUST_CHAT_MODEL=scripted decides" in models("models").stderr
    assert models("models", "use", "none").code == 1
    tested = models("models", "test", "--json")
    assert tested.json["completionTokens"] > 0


def test_a_download_that_fails_ends_in_one_sentence(models: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deeptrust.llm.hub._ATTEMPTS", 1)
    ended = models("models", "download", "smollm2-360m")
    assert ended.code == 1
    assert "cannot be reached" in ended.stderr
    assert "Traceback" not in ended.stderr + ended.stdout


def test_a_key_is_asked_for_without_an_echo(models: Command, tmp_path: Path):
    home = str(tmp_path / "home")
    result = CliRunner().invoke(app, ["models", "key", "endpoint", "--home", home], input=f"{CANARY}\n")
    assert result.exit_code == 0
    assert CANARY not in result.output
    file = tmp_path / "home" / "keys.json"
    assert json.loads(file.read_text()) == {"endpoint": CANARY}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert models("models", "key", "endpoint", "--forget").code == 0
    assert CANARY not in file.read_text()


def test_an_address_is_kept_and_forgotten(models: Command, tmp_path: Path):
    assert models("models", "server", "endpoint_url", "http://127.0.0.1:9/v1").code == 0
    assert json.loads((tmp_path / "home" / "model.json").read_text()) == {"endpoint_url": "http://127.0.0.1:9/v1"}
    assert "Nothing answers at http://127.0.0.1:9/v1" in models("models").stdout
    assert models("models", "server", "endpoint_url").code == 0
    assert "Give its base address" in models("models").stdout
    ended = models("models", "server", "home", "/tmp")
    assert (ended.code, ended.stderr.split(".")[0]) == (2, "There is nothing to keep under home")
    assert (
        "DEEPTRUST_OLLAMA_URL is set and wins" in models("models", "server", "ollama_url", "http://127.0.0.1:9").stderr
    )


class SlowHub(BaseHTTPRequestHandler):
    """A hub whose file has the right size and never ends."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(find_size("smollm2-360m")))
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(bytes(100_000))
                time.sleep(0.05)

    def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Say nothing."""


def find_size(model_id: str) -> int:
    return next(model.file.size_bytes for model in CATALOGUE if model.id == model_id)


def test_ctrl_c_stops_a_download_and_keeps_what_came(tmp_path: Path):
    hub = ThreadingHTTPServer(("127.0.0.1", 0), SlowHub)
    threading.Thread(target=hub.serve_forever, daemon=True).start()
    settings = clean_environment(chat_model="none", ollama_url=f"http://127.0.0.1:{free_port()}")
    download = subprocess.Popen(
        [BIN / "deeptrust", "models", "download", "smollm2-360m", "--home", tmp_path],
        env={**settings, "HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}"},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )
    part = tmp_path / "models" / "smollm2-360m-instruct-q8_0.gguf.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 0)
    download.send_signal(signal.SIGINT)
    told = download.communicate(timeout=PATIENCE_SECONDS)[1]
    hub.shutdown()
    assert download.returncode == 130
    assert "what came is kept. Go on with: deeptrust models download smollm2-360m" in told
    assert part.stat().st_size > 0
