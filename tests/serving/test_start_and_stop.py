"""Starting and stopping real servers: what is refused is said in one sentence that names the fix."""

import json
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.live import LiveServer, free_port, live_server, run_command
from tests.serving.conftest import QUICK


def test_port_taken_is_said(home: Path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        run = run_command("serve", "--port", str(port), "--home", str(home))
    assert run.returncode == 1
    assert f"Port {port} is taken by" in run.stderr
    assert f"PORT={port + 1}" in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""


def test_second_start_is_refused(server: LiveServer):
    run = run_command("serve", "--port", str(free_port()), "--home", str(server.home))
    assert run.returncode == 1
    assert f"at http://127.0.0.1:{server.port} (process {server.process.pid})" in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert httpx.get(server.url).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_public_host_is_refused(home: Path, host: str):
    run = run_command("serve", "--host", host, "--home", str(home))
    assert run.returncode == 2
    assert "--host 127.0.0.1" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_unknown_setting_is_named(home: Path):
    run = run_command("serve", "--home", str(home), prot="3001")
    assert run.returncode == 2
    assert "DEEPTRUST_PROT is not a setting. The nearest known one is DEEPTRUST_PORT." in run.stderr


def test_dep_08_unusable_home_names_the_folder_and_the_fix(tmp_path: Path):
    (tmp_path / "file").write_text("not a folder")
    run = run_command("serve", "--home", str(tmp_path / "file" / "home"))
    assert run.returncode == 1
    assert str(tmp_path / "file" / "home") in run.stderr
    assert "--home DIR" in run.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_server_and_frees_port_and_home(home: Path, number: int):
    with live_server(home, settings=QUICK) as first:
        assert first.stop(number) == 0
        with live_server(home, port=first.port, settings=QUICK) as second:
            assert httpx.get(second.url + "/api/health").json()["status"] == "ok"


def test_killed_server_leaves_the_home_usable(home: Path):
    with live_server(home, settings=QUICK) as first:
        first.stop(signal.SIGKILL)
        with live_server(home, settings=QUICK) as second:
            assert httpx.get(second.url).status_code == 200


def test_address_is_printed_once_and_nothing_else(home: Path):
    with live_server(home, settings=QUICK) as running:
        said = [line for line in running.output if not line.startswith("Building the page")]
    assert said == [f"DeepTrust is at {running.url}\n"]


def test_dep_01_one_process_serves_whatever_the_environment_says(home: Path):
    with live_server(home, environment={"GRANIAN_WORKERS": "2", "WEB_CONCURRENCY": "2"}, settings=QUICK) as running:
        tree = subprocess.run(
            ["ps", "-o", "args=", "--ppid", str(running.process.pid)], capture_output=True, text=True
        ).stdout
        assert "serve" not in tree
        record = json.loads((home / "server.lock").read_text())
        assert record == {"pid": running.process.pid, "port": running.port}


def test_services_that_cannot_open_are_said(home: Path):
    """A damaged database must not end in a stack trace or in a page that spins for ever."""
    home.mkdir()
    (home / "deeptrust.sqlite").write_bytes(b"this is not a database" * 1000)
    run = run_command("serve", "--port", str(free_port()), "--home", str(home), **QUICK)
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    assert len(run.stderr.splitlines()) == 1
