"""Who is nobody gets nothing: all routes, walked without a cookie (AUT-07)."""

import re

import httpx
import pytest
from fastapi.routing import APIRoute

from deeptrust.api.app import ROUTERS
from deeptrust.identity.public import public_routes
from tests.api.conftest import Door, OpenDoor

PASSWORD = "open sesame"
REFLEX = [("POST", "/_upload"), ("GET", "/_upload/x"), ("GET", "/_event/"), ("GET", "/ping"), ("GET", "/_health")]
ROUTES = [
    *(
        (method, route.path)
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in sorted(route.methods or ())
    ),
    ("GET", "/api/health"),
    ("GET", "/api/openapi.json"),
    ("GET", "/api/nothing"),
]
PAGES = [("GET", "/"), ("GET", "/study"), ("GET", "/study/x"), ("GET", "/assets/x.js"), ("HEAD", "/")]


async def knock(door: Door, method: str, path: str, **headers: str) -> httpx.Response:
    async with door.visitor() as nobody:
        return await nobody.request(method, re.sub(r"\{\w+\}", "1", path), headers=headers)


def test_the_list_of_public_routes():
    """A new one belongs in this list only if it tells nobody anything."""
    locked = {("GET", "/api/health"), ("GET", "/login"), ("POST", "/login"), ("GET", "/icon.svg")}
    assert public_routes(has_password=True) == locked
    assert public_routes(has_password=False) == locked | {("GET", "/api/openapi.json")}


@pytest.mark.parametrize("mode", ["local", "hosted"])
async def test_aut_07_without_a_cookie_nothing_but_the_list_answers(open_door: OpenDoor, mode: str):
    async with open_door(mode=mode) as door:
        for method, path in [*ROUTES, *REFLEX]:
            status = (await knock(door, method, path)).status_code
            is_public = (method, path) in public_routes(has_password=False)
            assert (status != 401) if is_public else (status == 401), f"{method} {path} answered {status}"
        assert not await door.handshake(origin="http://127.0.0.1:3000")
        assert [scope for scope in door.seen if scope["type"] == "websocket"] == []


@pytest.mark.parametrize("mode", ["local", "hosted"])
async def test_aut_07_before_the_password_not_even_a_page_answers(open_door: OpenDoor, mode: str):
    async with open_door(mode=mode, password=PASSWORD) as door:
        for method, path in [*ROUTES, *REFLEX]:
            status = (await knock(door, method, path)).status_code
            if (method, path) in public_routes(has_password=True):
                assert status in (200, 401), f"{method} {path} answered {status}"
            else:
                assert status in (401, 303), f"{method} {path} answered {status}"
        for method, path in PAGES:
            answer = await knock(door, method, path)
            assert (answer.status_code, answer.headers["location"]) == (303, "/login"), path
        assert not await door.handshake(origin="http://127.0.0.1:3000")
        assert door.seen == []


@pytest.mark.parametrize("bearer", [b"", b"x", b"dt_x", b"\xc3\xbcn\xff"])
async def test_a_token_of_ones_own_choice_is_nobody(open_door: OpenDoor, bearer: bytes):
    async with open_door() as door, door.visitor() as nobody:
        answer = await nobody.get("/api/documents", headers={b"Authorization": b"Bearer " + bearer})
        assert answer.status_code == 401


async def test_a_bad_token_is_not_saved_by_a_good_cookie(open_door: OpenDoor):
    async with open_door() as door, door.visitor() as browser:
        await browser.get("/")
        assert (await browser.get("/api/documents")).status_code == 200
        assert (await browser.get("/api/documents", headers={"Authorization": "Bearer x"})).status_code == 401


async def test_health_answers_a_probe_under_any_name(open_door: OpenDoor):
    async with open_door(mode="hosted", password=PASSWORD) as door:
        assert (await knock(door, "GET", "/api/health", Host="10.0.0.7:3000")).status_code == 200
        assert (await knock(door, "POST", "/api/health", Host="10.0.0.7:3000")).status_code == 421
        assert (await knock(door, "GET", "/login", Host="10.0.0.7:3000")).status_code == 421
