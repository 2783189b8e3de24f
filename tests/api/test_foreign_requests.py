"""What a foreign page, name or too eager client may not do; each test bears its threat's name."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest

from deeptrust.api import rate_limit
from deeptrust.api.rate_limit import Bucket
from tests.api.conftest import ORIGIN, Door, OpenDoor

CHANGES = [
    ("POST", "/api/documents"),
    ("POST", "/api/ask"),
    ("DELETE", "/api/me"),
    ("POST", "/api/me/token"),
    ("POST", "/forget"),
    ("POST", "/logout"),
    ("POST", "/token"),
    ("DELETE", "/api/research/runs/x"),
    ("POST", "/_upload"),
]


@asynccontextmanager
async def known(door: Door) -> AsyncGenerator[httpx.AsyncClient]:
    async with door.visitor() as browser:
        await browser.get("/")
        assert (await browser.get("/api/documents")).status_code == 200
        yield browser


@pytest.mark.parametrize(("method", "path"), CHANGES)
async def test_a_change_needs_our_origin_besides_the_cookie(open_door: OpenDoor, method: str, path: str):
    async with open_door(mode="hosted") as door, known(door) as browser:
        for origin in ("https://evil.test", "null", "http://127.0.0.1:1", "http://127.0.0.1.evil.test:3000"):
            assert (await browser.request(method, path, headers={"Origin": origin})).status_code == 403, origin
        del browser.headers["Origin"]
        assert (await browser.request(method, path)).status_code == 401
        assert (await browser.request(method, path, headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
        assert [scope for scope in door.seen if scope["path"] == "/_upload"] == []


async def test_aut_04_no_answer_allows_a_foreign_origin(open_door: OpenDoor):
    async with open_door() as door, door.visitor() as browser:
        for path in ("/", "/api/health", "/api/documents", "/login"):
            answer = await browser.get(path, headers={"Origin": "https://evil.test"})
            assert answer.status_code == 403
            assert "access-control-allow-origin" not in answer.headers


async def test_a_link_cannot_load_the_model(open_door: OpenDoor):
    async with open_door() as door, known(door) as browser:
        assert (await browser.get("/api/model/load")).status_code == 401


async def test_a_link_from_another_site_finds_the_browser_known(open_door: OpenDoor):
    """The cookie is sent along (Lax), so that the browser keeps its user; with no cookie it gets a first one."""
    async with open_door(mode="hosted") as door, known(door) as browser:
        answer = await browser.get("/", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("settings", "host", "origin", "status"),
    [
        ({"allowed_hosts": "localhost:8080"}, "localhost:8080", "http://localhost:8080", 200),
        ({"allowed_hosts": "https://trust.example/"}, "trust.example", "https://trust.example", 200),
        ({"allowed_hosts": "https://trust.example/deeptrust"}, "trust.example", "https://trust.example", 200),
        ({"allowed_hosts": "Trust.example:443"}, "trust.example", "https://trust.example", 200),
        ({"allowed_hosts": "bücher.example"}, "xn--bcher-kva.example", "https://xn--bcher-kva.example", 200),
        ({"allowed_hosts": "[2001:db8::1]:80"}, "[2001:db8::1]:80", "http://[2001:db8::1]:80", 200),
        ({"RENDER_EXTERNAL_HOSTNAME": "x.onrender.com"}, "x.onrender.com", "https://x.onrender.com", 200),
        ({"SPACE_HOST": "me-x.hf.space"}, "me-x.hf.space", "https://me-x.hf.space", 200),
        ({"allowed_hosts": "trust.example"}, "evil.example", "https://trust.example", 421),
        ({"allowed_hosts": "trust.example"}, "trust.example", "https://evil.example", 403),
        ({"allowed_hosts": "trust.example"}, "localhost:3000", "http://localhost:3000", 200),
        ({}, "trust.example", "https://trust.example", 421),
    ],
)
async def test_aut_06_only_names_of_ours_are_answered(
    open_door: OpenDoor, settings: dict[str, object], host: str, origin: str, status: int
):
    async with open_door(mode="hosted", **settings) as door, door.visitor() as browser:
        answer = await browser.get("/", headers={"Host": host, "Origin": origin})
        assert answer.status_code == status


async def test_every_answer_is_dressed(open_door: OpenDoor):
    async with open_door(behind_proxy=True) as door, door.visitor() as browser:
        for path, https in (("/", "http"), ("/", "https"), ("/api/documents", "https"), ("/login", "http")):
            headers = (await browser.get(path, headers={"X-Forwarded-Proto": https})).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["referrer-policy"] == "same-origin"
            assert headers["cross-origin-opener-policy"] == "same-origin"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "camera=()" in headers["permissions-policy"]
            assert ("strict-transport-security" in headers) == (https == "https")
        assert (await browser.get("/api/documents")).headers["cache-control"] == "no-store"


async def test_inside_an_iframe_framing_is_left_to_the_content_policy(open_door: OpenDoor):
    async with open_door(inside_iframe=True) as door, door.visitor() as browser:
        assert "x-frame-options" not in (await browser.get("/")).headers


async def test_too_many_requests_are_told_when_to_go_on(open_door: OpenDoor, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rate_limit, "BURST", 3)
    monkeypatch.setattr(rate_limit, "PER_SECOND", 0.001)
    async with open_door() as door, door.visitor() as eager, door.visitor(address="10.0.0.2") as calm:
        statuses = [(await eager.get("/api/documents")).status_code for _ in range(4)]
        assert statuses[-1] == 429
        answer = await eager.get("/api/documents")
        assert int(answer.headers["retry-after"]) > 0
        assert "Too many requests" in answer.json()["detail"]
        assert (await eager.get("/")).status_code == 200  # pages and health are not counted
        assert (await eager.get("/api/health")).status_code == 200
        assert (await calm.get("/api/documents")).status_code == 401
        assert not await door.handshake(origin=ORIGIN)


def test_the_bucket_fills_again():
    now = 0.0
    bucket = Bucket(2, 1.0, lambda: now)
    assert [bucket.wait_seconds("a") for _ in range(3)] == [0, 0, 1]
    assert bucket.wait_seconds("b") == 0
    now = 1.0
    assert [bucket.wait_seconds("a") for _ in range(2)] == [0, 1]


@pytest.mark.parametrize("error", [RuntimeError("/root/secret.key in clear"), OSError(28, "No space", "/root/x")])
async def test_dep_07_an_unforeseen_error_shows_an_id_and_nothing_else(
    open_door: OpenDoor, monkeypatch: pytest.MonkeyPatch, error: Exception
):
    async def fail(*_: object) -> None:
        raise error

    async with open_door() as door, known(door) as browser:
        monkeypatch.setattr(door.services.history, "runs", fail)
        answer = await browser.get("/api/research/runs")
        assert answer.status_code == 500
        assert "error" in answer.json()["detail"]
        for leak in ("/root", "secret", "Traceback", "RuntimeError"):
            assert leak not in answer.text


async def test_dep_07_our_own_errors_are_sentences_without_a_path(open_door: OpenDoor):
    async with open_door() as door, known(door) as browser:
        home = str(door.services.settings.home_folder)
        bodies = [
            await browser.post("/api/ask", json={"question": ""}),
            await browser.post("/api/ask", content=b"{"),
            await browser.get("/api/research/runs/x"),
            await browser.delete("/api/documents/x"),
            await browser.post("/api/research/approve", json={"threadId": "x"}),
        ]
        for answer in bodies:
            assert 400 <= answer.status_code < 500
            assert home not in answer.text
            assert "Traceback" not in answer.text


async def test_cookies_of_others_go_no_further_than_the_door(open_door: OpenDoor):
    """One request with a row of backslashes held the event loop for minutes, on a public route too."""
    async with open_door() as door, door.visitor() as browser:
        await browser.get("/")
        name, secret = next(iter(browser.cookies.items()))
        evil = 'a="' + "\\" * 300_000 + '"'
        for path in ("/api/health", "/login", "/api/documents"):
            answer = await browser.get(path, headers={"Cookie": f"{evil}; {name}={secret}"})
            assert answer.status_code < 400
        await browser.get("/study", headers={"Cookie": f"{evil}; {name}={secret}; b=2"})
        assert [value for key, value in door.seen[-1]["headers"] if key == b"cookie"] == [f"{name}={secret}".encode()]


async def test_a_number_beyond_all_measure_names_nothing(open_door: OpenDoor):
    async with open_door() as door, known(door) as browser:
        added = await browser.post("/api/documents", files={"file": ("a.txt", b"The deposit is 1,850 euros.")})
        document = added.json()["document"]["id"]
        for number in (10**30, 2**63, -1, 0):
            assert (await browser.get(f"/api/documents/{document}/pages/{number}")).status_code == 404
        for last in ("9" * 400, "9" * 5000, "-1", "1e3"):
            answer = await browser.get("/api/research/runs/x/events", headers={"Last-Event-ID": last})
            assert answer.status_code == 400
