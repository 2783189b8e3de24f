"""Starting and stopping real servers: what is refused is said in one sentence that names the fix."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.e2e.slow_engine import SlowEngine, slow_engine
from tests.live import LiveServer, clean_environment, free_port, live_server, run_command
from tests.serving.conftest import QUICK
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.thorough


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
    assert httpx.get(server.url, timeout=PATIENCE_SECONDS).status_code == 200


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
            assert httpx.get(second.url + "/api/health", timeout=PATIENCE_SECONDS).json()["status"] == "ok"


@pytest.mark.thorough
def test_killed_server_leaves_the_home_usable(home: Path):
    with live_server(home, settings=QUICK) as first:
        first.stop(signal.SIGKILL)
        with live_server(home, settings=QUICK) as second:
            assert httpx.get(second.url, timeout=PATIENCE_SECONDS).status_code == 200


def test_address_is_printed_once_and_nothing_else(home: Path):
    with live_server(home, settings=QUICK) as running:
        said = [line for line in running.output if not line.startswith("Building the page")]
    assert said == [f"DeepTrust is at {running.url}\n"]


@pytest.mark.parametrize("where", ["WEB_CONCURRENCY", "GRANIAN_WORKERS", "--workers"])
def test_dep_01_more_than_one_worker_is_refused_with_the_reason(
    home: Path, monkeypatch: pytest.MonkeyPatch, where: str
):
    more: list[str] = []
    if where.startswith("--"):
        more = [where, "2"]
    else:
        monkeypatch.setenv(where, "2")
    run = run_command("serve", "--port", str(free_port()), "--home", str(home), *more)
    assert run.returncode == 2
    assert f"{where} asks for 2 processes" in run.stderr
    assert "can belong to one only" in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert not home.exists()


def test_dep_01_one_worker_is_what_hosts_may_ask_for(home: Path):
    with live_server(home, environment={"WEB_CONCURRENCY": "1"}, settings=QUICK) as running:
        assert json.loads((home / "server.lock").read_text()) == {"pid": running.process.pid, "port": running.port}


def test_second_start_is_refused_before_anything_heavy_is_imported(server: LiveServer):
    """At once, that is; how many seconds that makes is the machine's."""
    code = (
        "import sys; from pathlib import Path; from deeptrust.cli.serve import serve\n"
        "from deeptrust.errors import Conflict\n"
        "try: serve(home=Path(sys.argv[1]), port=int(sys.argv[2]))\n"
        "except Conflict as error: print(error)\n"
        "print({'deeptrust.services', 'deeptrust.ui', 'langgraph', 'onnxruntime', 'reflex'} & {*sys.modules})"
    )
    arguments = [sys.executable, "-c", code, str(server.home), str(free_port())]
    run = subprocess.run(arguments, capture_output=True, text=True, timeout=PATIENCE_SECONDS, env=clean_environment())
    assert f"process {server.process.pid}" in run.stdout
    assert run.stdout.splitlines()[-1] == "set()"


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of 1 MB, which root alone may make."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1M", "tmpfs", str(place)]).returncode:
        pytest.skip("only root may mount a file system, and not in every container")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_full_disk_is_said_at_the_start(tiny_disk: Path):
    (tiny_disk / "home").mkdir()
    with suppress(OSError), (tiny_disk / "ballast").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    run = run_command("serve", "--port", str(free_port()), "--home", str(tiny_disk / "home"), **QUICK)
    assert run.returncode == 1
    assert "full" in run.stderr
    assert "Free some space" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_read_only_home_is_said_at_the_start(tiny_disk: Path):
    (tiny_disk / "home").mkdir()
    subprocess.run(["mount", "-o", "remount,ro", str(tiny_disk)], check=True)
    run = run_command("serve", "--port", str(free_port()), "--home", str(tiny_disk / "home"), **QUICK)
    assert run.returncode == 1
    assert f"The home folder {tiny_disk / 'home'} cannot be written" in run.stderr
    assert "--home DIR" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_sigterm_drains_in_mid_run_and_the_run_goes_on_after_a_restart(home: Path):
    engine = SlowEngine()
    with slow_engine(engine) as address:
        settings = {**QUICK, "duckduckgo_url": address, "wikipedia_url": address}
        with live_server(home, settings=settings) as first:
            run_id = start_research(first, "What does the tram to the harbour cost?")
            wait_for_status(first, run_id, "executing")
            assert first.stop() == 0
        engine.may_answer.set()
        with live_server(home, settings=settings) as second:
            wait_for_status(second, run_id, "complete")


@pytest.mark.models
def test_sigterm_drains_in_mid_generation_and_the_run_goes_on_after_a_restart(home: Path):
    settings = {"embedder": "hashing", "chat_model": "bundled", "answers": "written"}
    with live_server(home, settings=settings) as first, client_of(first) as http:
        files = {"file": ("tea.txt", b"Green tea is steeped at 75 degrees for two minutes. " * 60)}
        assert http.post("/api/documents", files=files).status_code == 200
        asking = threading.Thread(target=ask_in_vain, args=(first, "How hot is green tea steeped, and how long?"))
        asking.start()
        run_id = wait_for_a_run(first)
        wait_for_trace(first, run_id)
        assert first.stop() == 0
        asking.join()
    with live_server(home, settings=settings) as second:
        wait_for_status(second, run_id, "complete")


def test_services_that_cannot_open_are_said(home: Path):
    """A damaged database must not end in a stack trace or in a page that spins for ever."""
    home.mkdir()
    (home / "deeptrust.sqlite").write_bytes(b"this is not a database" * 1000)
    run = run_command("serve", "--port", str(free_port()), "--home", str(home), **QUICK)
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    assert len(run.stderr.splitlines()) == 1


def client_of(server: LiveServer) -> httpx.Client:
    token = (server.home / "server.token").read_text()
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=server.url, headers=headers, timeout=PATIENCE_SECONDS, trust_env=False)


def start_research(server: LiveServer, question: str) -> str:
    """Start, approve, and leave; the id of the run."""
    with client_of(server) as http:
        http.post("/api/research", json={"query": question, "sources": "documents+web"})
        run_id: str = http.get("/api/research/runs").json()[0]["threadId"]
        with http.stream("POST", "/api/research/approve", json={"threadId": run_id}) as answer:
            assert answer.status_code == 200
    return run_id


def wait_for_status(server: LiveServer, run_id: str, status: str) -> None:
    with client_of(server) as http:
        wait_until(lambda: http.get(f"/api/research/runs/{run_id}").json()["status"] == status)


def wait_for_a_run(server: LiveServer) -> str:
    with client_of(server) as http:
        wait_until(lambda: bool(http.get("/api/research/runs").json()))
        return http.get("/api/research/runs").json()[0]["threadId"]


def wait_for_trace(server: LiveServer, run_id: str) -> None:
    """Wait until the model is at work: the steps before it have been told."""
    with client_of(server) as http:
        wait_until(lambda: len(http.get(f"/api/research/runs/{run_id}").json()["reasoning"]) >= 2)


def ask_in_vain(server: LiveServer, question: str) -> None:
    with suppress(httpx.HTTPError), client_of(server) as http:
        http.post("/api/ask", json={"question": question})
