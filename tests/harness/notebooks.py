"""Our MCP server of notebooks as a test sees it: how to start it, what it was told, whether it is gone."""

import json
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deeptrust.harness.mcp_server import McpServer, read_server
from tests.live import free_port
from tests.waiting import PATIENCE_SECONDS

SCRIPT = Path(__file__).with_name("notebook_server.py")


class Notebooks:
    """The server with its log below `folder`."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "calls.jsonl"

    def server(self, mode: str = "", tools: str = "") -> McpServer:
        """A server to be started by command, misbehaving as `mode` says."""
        command = shlex.join([sys.executable, str(SCRIPT), str(self.log), *([mode] if mode else [])])
        made = read_server(command, "", tools)
        assert made
        return made

    @contextmanager
    def listening(self) -> Iterator[str]:
        """Run it over streamable HTTP until the block ends; yields its address."""
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, SCRIPT, self.log, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while not _listens(port):
                assert process.poll() is None
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)

    def calls(self, tool: str | None = None) -> list[dict[str, Any]]:
        """What it was asked to do, in order."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        calls = [json.loads(line) for line in lines]
        return [call for call in calls if tool is None or call["tool"] == tool]

    @property
    def was_started(self) -> bool:
        """Whether any process of it ever ran."""
        return self.log.with_suffix(".pids").exists()

    def left_behind(self) -> list[int]:
        """Processes of it that still exist, zombies included."""
        pids = [int(line) for line in self.log.with_suffix(".pids").read_text().split()] if self.was_started else []
        return [pid for pid in pids if _exists(pid)]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
