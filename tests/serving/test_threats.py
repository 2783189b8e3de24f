"""What a foreign page, name or program may not do to a running server; each test bears its threat's name."""

import json
import re
import socket
from collections.abc import Generator
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from tests.live import LiveServer, live_server
from tests.serving.conftest import QUICK
from tests.waiting import PATIENCE_SECONDS

EVIL = "https://evil.test"
PATHS = ["/", "/api/health", "/api/ask", "/api/documents", "/_event/", "/_upload", "/ping", "/_health"]
# Everything that answers without a token. A new route must be private, or be named here.
PUBLIC_API = {"/api/health"}


@pytest.fixture
def client(server: LiveServer) -> Generator[httpx.Client]:
    """A visitor without a past."""
    with httpx.Client(base_url=server.url, verify=False, timeout=PATIENCE_SECONDS) as visitor:
        yield visitor


def open_websocket(port: int, **headers: str) -> int:
    """Send the handshake of Reflex's websocket as written and return the status."""
    lines = {
        "Host": f"127.0.0.1:{port}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return send_head(port, "GET /_event/?EIO=4&transport=websocket HTTP/1.1", lines)


def send_head(port: int, request: str, lines: dict[str, str]) -> int:
    """Send the head of a request, byte for byte and without a body, and return the status."""
    head = request + "\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as connection:
        connection.sendall(head.encode())
        return int(connection.recv(4096).split()[1])


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origin", [EVIL, "null", "http://127.0.0.1:1", "http://127.0.0.1.evil.test"])
def test_foreign_origin_is_refused(client: httpx.Client, path: str, origin: str):
    for method in ("GET", "POST", "PUT", "DELETE"):
        answer = client.request(method, path, headers={"Origin": origin})
        assert answer.status_code == 403, method
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("origin", [EVIL, "null"])
def test_foreign_origin_is_refused_at_the_websocket(server: LiveServer, origin: str):
    assert open_websocket(server.port, Origin=origin) == 403


def test_null_origin_is_refused(client: httpx.Client):
    assert client.post("/api/health", headers={"Origin": "null"}).status_code == 403


def test_preflight_of_a_foreign_page_gets_no_permission(client: httpx.Client):
    headers = {"Origin": EVIL, "Access-Control-Request-Method": "POST"}
    answer = client.options("/api/ask", headers=headers)
    assert answer.status_code in (400, 403)
    assert "access-control-allow-origin" not in answer.headers


def test_own_page_may_open_the_websocket_with_its_cookie(server: LiveServer, client: httpx.Client):
    cookie = client.get("/").headers["set-cookie"].partition(";")[0]
    assert open_websocket(server.port, Origin=server.url, Cookie=cookie) == 101
    assert open_websocket(server.port, Origin=server.url) == 403
    assert open_websocket(server.port, Origin=server.url, Cookie=f"{cookie}x") == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(("method", "path"), [("POST", "/"), ("GET", "/api/health"), ("GET", "/_event/")])
def test_cross_site_request_without_origin_is_refused(
    server: LiveServer, client: httpx.Client, site: str, method: str, path: str
):
    """An image or script tag on a foreign page sends no Origin, but the browser tells where it stands."""
    answer = client.request(method, path, headers={"Sec-Fetch-Site": site})
    assert answer.status_code == 403
    assert open_websocket(server.port, Sec_Fetch_Site=site) == 403


def test_link_from_a_foreign_page_opens_the_page(client: httpx.Client):
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("host", ["evil.test", "evil.test:{port}", "127.0.0.1:1", "localhost.evil.test:{port}", ""])
def test_aut_06_rebinding_host_is_refused(server: LiveServer, client: httpx.Client, host: str):
    headers = {"Host": host.format(port=server.port)}
    for path in PATHS:
        expected = (200, 400, 421) if path == "/api/health" else (400, 421)  # a platform's probe asks by address
        assert client.get(path, headers=headers).status_code in expected, path
    assert open_websocket(server.port, **headers) in (400, 403, 421)


def test_own_names_are_answered(server: LiveServer, client: httpx.Client):
    for name in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        assert client.get("/", headers={"Host": f"{name}:{server.port}"}).status_code == 200


def test_dep_04_listens_on_loopback_only(server: LiveServer):
    """The page's port and every other that the process may have opened, such as a chat engine's."""
    process = Path("/proc") / str(server.process.pid)
    if not process.exists():
        pytest.skip("no /proc on this system")
    ours = {str(link.readlink()) for link in (process / "fd").iterdir()}
    rows = [line.split() for name in ("tcp", "tcp6") for line in (process / "net" / name).open().readlines()[1:]]
    listening = [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in ours]
    assert f"0100007F:{server.port:04X}" in listening
    assert all(address.startswith("0100007F:") for address in listening)


def test_cookie_is_unreachable_for_scripts_and_foreign_sites(server: LiveServer, client: httpx.Client):
    name = f"deeptrust-{server.port}"
    cookie = SimpleCookie(client.get("/").headers["set-cookie"])[name]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert len(cookie.value) >= 43  # 256 random bits
    assert "set-cookie" not in client.get("/").headers  # the client sent it back
    client.cookies.clear()
    assert cookie.value != SimpleCookie(client.get("/").headers["set-cookie"])[name].value


def test_every_answer_forbids_framing_sniffing_and_foreign_scripts(client: httpx.Client):
    for path in PATHS:
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in policy
        scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
        assert "unsafe" not in scripts
        assert "*" not in scripts


def test_aut_07_every_route_of_the_api_but_health_asks_who_calls(client: httpx.Client):
    contract = client.get("/api/openapi.json").json()
    for path, methods in contract["paths"].items():
        for method in methods.keys() - {"parameters"}:
            url = re.sub(r"\{\w+\}", "1", path)
            status = client.request(method, url, json={"question": "who?"}).status_code
            assert (status == 200) if path in PUBLIC_API else (status == 401), f"{method} {path} answered {status}"


def test_too_long_a_request_is_refused_before_it_is_read(server: LiveServer):
    lines = {"Host": f"127.0.0.1:{server.port}", "Content-Length": str(10**12)}
    assert send_head(server.port, "POST /api/documents HTTP/1.1", lines) == 413


def test_dep_10_no_outside_connection_at_start(tmp_path: Path):
    """Every address that Python resolves or connects to, from the first import to the first page, is loopback."""
    log = tmp_path / "connections.jsonl"
    (tmp_path / "sitecustomize.py").write_text(
        "import json, os, sys\n"
        "def note(event, args):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo', 'socket.sendto'):\n"
        "        value = args[1] if event != 'socket.getaddrinfo' else args[0]\n"
        "        with open(os.environ['CONNECTION_LOG'], 'a') as file:\n"
        "            file.write(json.dumps([event, repr(value)]) + '\\n')\n"
        "sys.addaudithook(note)\n"
    )
    spy = {"PYTHONPATH": str(tmp_path), "CONNECTION_LOG": str(log)}
    with live_server(tmp_path / "home", environment=spy, settings=QUICK) as running:
        assert httpx.get(running.url, timeout=PATIENCE_SECONDS).status_code == 200
    seen = [json.loads(line) for line in log.read_text().splitlines()]
    assert seen, "the announcement connects to the server itself, so the spy must have seen something"
    assert [entry for entry in seen if not re.search(r"127\.0\.0\.1|::1|localhost", entry[1])] == []
