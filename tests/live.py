"""A real server for tests: its own process, its own home, a free port."""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import LONG_SECONDS, PATIENCE_SECONDS

BIN = Path(sys.executable).parent
# The first start may build the front end, which takes minutes on a slow machine.
START_SECONDS = LONG_SECONDS
STOP_SECONDS = PATIENCE_SECONDS
# Below those that a kernel gives away by itself, to whoever connects somewhere or asks for any port.
PORTS = range(12_000, 32_000)


@dataclass
class LiveServer:
    """A server that answers at `url`; `output` grows with what it prints."""

    process: subprocess.Popen[str]
    home: Path
    port: int
    output: list[str]

    @property
    def url(self) -> str:
        """Where its page is."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, wait for the end, return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(STOP_SECONDS)


def free_port() -> int:
    """Return a loopback port that nobody listens on now, and that nobody is given before it is taken."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


@contextmanager
def closed_port() -> Generator[int]:
    """Hold a loopback port on which nobody can listen until the block ends; whoever connects is refused."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def clean_environment(**settings: str) -> dict[str, str]:
    """Return this environment with exactly these DEEPTRUST_* settings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("DEEPTRUST_")}
    return {**kept, **{f"DEEPTRUST_{key.upper()}": value for key, value in settings.items()}}


def run_command(
    *arguments: str, command: Sequence[str | Path] = (BIN / "deeptrust",), **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run `deeptrust` to its end."""
    return subprocess.run(
        [*command, *arguments], env=clean_environment(**settings), capture_output=True, text=True, timeout=LONG_SECONDS
    )


@contextmanager
def live_server(
    home: Path,
    settings: Mapping[str, str] | None = None,
    *,
    port: int | None = None,
    environment: Mapping[str, str] | None = None,
    command: Sequence[str | Path] = (BIN / "deeptrust",),
) -> Generator[LiveServer]:
    """Serve `home` until the block ends; `settings` are DEEPTRUST_* values in lower case without the prefix."""
    port = port or free_port()
    process = subprocess.Popen(
        [*command, "serve", "--port", str(port), "--home", home],
        env={**clean_environment(**(settings or {})), **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    output: list[str] = []
    is_ready = threading.Event()
    reader = threading.Thread(target=_read, args=(process, output, is_ready), daemon=True)
    reader.start()
    try:
        is_ready.wait(START_SECONDS)
        assert any("DeepTrust is at" in line for line in output), "".join(output) or "no word from the server"
        yield LiveServer(process, home, port, output)
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


def _read(process: subprocess.Popen[str], output: list[str], is_ready: threading.Event) -> None:
    assert process.stdout
    for line in process.stdout:
        output.append(line)
        if "DeepTrust is at" in line:
            is_ready.set()
    is_ready.set()
