"""The examples for nginx and Caddy in front of a real hosted server: page, password, websocket, events, size."""

import socket
import ssl
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.deploy.proxy import NAMES, find, proxy
from tests.live import free_port, live_server
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.thorough

PASSWORD = "the door behind the door"
NOTE = b"The deposit is 1,850 euros. The landlord pays the deposit back within 30 days."


class Behind:
    """A hosted server behind a proxy, and a browser-like client that speaks to the proxy alone."""

    def __init__(self, address: str, folder: Path, token: str) -> None:
        self.address = address
        self.token = token
        self.trust = ssl.create_default_context(cafile=str(folder / "crt"))
        self.client = httpx.Client(
            base_url=address, verify=self.trust, trust_env=False, headers={"Origin": address}, timeout=PATIENCE_SECONDS
        )


@pytest.fixture(scope="module", params=NAMES)
def behind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Behind]:
    name = str(request.param)
    if find(name) is None:
        pytest.skip(f"{name} is not installed; on Debian: apt install {name}")
    port = free_port()
    settings = {
        "mode": "hosted",
        "password": PASSWORD,
        "behind_proxy": "true",
        "allowed_hosts": f"localhost:{port}",
        "embedder": "hashing",
        "chat_model": "none",
    }
    folder = tmp_path_factory.mktemp(name)
    with (
        live_server(tmp_path_factory.mktemp("home"), settings) as server,
        proxy(name, folder, port, server.port) as address,
    ):
        yield Behind(address, folder, (server.home / "server.token").read_text())


@pytest.fixture(scope="module")
def signed_in(behind: Behind) -> httpx.Client:
    behind.client.get("/login")
    answer = behind.client.post("/login", data={"password": PASSWORD})
    assert answer.status_code == 303
    assert "secure" in answer.headers["set-cookie"].lower(), "the server did not believe X-Forwarded-Proto"
    return behind.client


def test_page_comes_with_its_security_headers(signed_in: httpx.Client):
    answer = signed_in.get("/")
    assert answer.status_code == 200
    assert "strict-transport-security" in answer.headers
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_websocket_opens(behind: Behind, signed_in: httpx.Client):
    with _websocket(behind, signed_in, behind.address) as wire:
        assert str(wire.recv(timeout=PATIENCE_SECONDS)).startswith("0{")  # Engine.IO's open packet


def test_foreign_page_is_refused_at_the_handshake(behind: Behind, signed_in: httpx.Client):
    with pytest.raises(InvalidStatus) as refused, _websocket(behind, signed_in, "https://elsewhere.example"):
        pass
    assert refused.value.response.status_code == 403


def test_events_arrive_while_the_stream_is_open(behind: Behind):
    """A run waits for its approval: whatever the proxy held back until the end would never be seen."""
    headers = {"Authorization": f"Bearer {behind.token}"}
    with httpx.Client(
        base_url=behind.address, verify=behind.trust, headers=headers, timeout=PATIENCE_SECONDS
    ) as program:
        program.post("/api/documents", files={"file": ("lease.txt", NOTE)}).raise_for_status()
        started = program.post("/api/research", json={"query": "When is the deposit paid back?"})
        run = program.get("/api/research/runs").json()[0]["threadId"]
        assert run in started.text
        seen: list[str] = []
        with program.stream("GET", f"/api/research/runs/{run}/events") as stream:
            for line in stream.iter_lines():
                seen.append(line)
                if line == "event: hitl_waiting":
                    program.post("/api/research/reject", json={"threadId": run}).raise_for_status()
        events = [line.removeprefix("event: ") for line in seen if line.startswith("event: ")]
        assert "hitl_waiting" in events[:-1], "an event follows the gate, on the same stream"


def test_documents_of_the_allowed_size_pass(behind: Behind):
    headers = {"Authorization": f"Bearer {behind.token}"}
    document = ("big.txt", b"The deposit is 1,850 euros. " * 75_000)  # 2 MB: beyond what proxies allow unasked
    with httpx.Client(
        base_url=behind.address, verify=behind.trust, headers=headers, timeout=PATIENCE_SECONDS
    ) as program:
        assert program.post("/api/documents", files={"file": document}).status_code != 413


def test_too_large_a_body_is_refused_by_its_announcement(behind: Behind):
    host = behind.address.removeprefix("https://")
    head = f"POST /api/documents HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {behind.token}\r\n"
    name, _, port = host.partition(":")
    with (
        socket.create_connection((name, int(port)), timeout=PATIENCE_SECONDS) as plain,
        behind.trust.wrap_socket(plain, server_hostname=name) as wire,
    ):
        wire.sendall(f"{head}Content-Length: {10**12}\r\n\r\n".encode())
        wire.sendall(bytes(65536))  # Caddy asks the server once a buffer of the body is full
        assert wire.recv(64).startswith(b"HTTP/1.1 413")


def _websocket(behind: Behind, signed_in: httpx.Client, origin: str) -> ClientConnection:
    cookie = "; ".join(f"{name}={value}" for name, value in signed_in.cookies.items())
    return connect(
        behind.address.replace("https", "wss") + "/_event/?EIO=4&transport=websocket",
        ssl=behind.trust,
        origin=Origin(origin),
        additional_headers={"Cookie": cookie},
        open_timeout=PATIENCE_SECONDS,
        proxy=None,
    )
