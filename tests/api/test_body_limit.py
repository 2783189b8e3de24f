"""The body limit of the API, on a real Starlette app without a server."""

from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from deeptrust.api.body_limit import BodyLimit, BodyLimits
from tests.api.conftest import OpenDoor


async def count_body(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@pytest.fixture
def client() -> httpx.AsyncClient:
    routes = [Route(path, count_body, methods=["POST"]) for path in ("/api/count", "/page", "/_event/", "/_upload")]
    limits = BodyLimits(document=1000, files=3000, form=500)
    transport = httpx.ASGITransport(BodyLimit(Starlette(routes=routes), limits))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")


async def in_pieces(total: int) -> AsyncIterator[bytes]:
    for _ in range(total // 100):
        yield b"x" * 100


async def test_body_up_to_the_limit_passes(client: httpx.AsyncClient):
    assert (await client.post("/api/count", content=b"x" * 1000)).text == "1000"
    assert (await client.post("/api/count", content=in_pieces(1000))).text == "1000"


async def test_declared_length_over_the_limit_is_413(client: httpx.AsyncClient):
    answer = await client.post("/api/count", content=b"x" * 1001)
    assert answer.status_code == 413
    assert answer.json()["detail"] == "A request to this address may have 1,000 bytes at most."


async def test_ing_34_undeclared_length_over_the_limit_is_413(client: httpx.AsyncClient):
    assert (await client.post("/api/count", content=in_pieces(5000))).status_code == 413


@pytest.mark.parametrize("path", ["/page", "/_event/"])
async def test_whatever_else_is_sent_is_no_longer_than_a_form(client: httpx.AsyncClient, path: str):
    """The library behind the websocket would read a body of any length into memory before it looks at it."""
    assert (await client.post(path, content=in_pieces(500))).text == "500"
    assert (await client.post(path, content=in_pieces(600))).status_code == 413


async def test_many_files_at_once_are_counted_as_they_come(client: httpx.AsyncClient):
    assert (await client.post("/_upload", content=in_pieces(3000))).text == "3000"
    for too_long in (in_pieces(3100), b"x" * 3001):
        answer = await client.post("/_upload", content=too_long)
        assert answer.status_code == 413
        assert "3,000 bytes at most" in answer.json()["detail"]


async def test_ing_34_a_field_without_a_file_name_fills_no_memory(open_door: OpenDoor):
    """The largest document may have 1 MB here; the field, 50 MB in pieces, is left behind at the limit."""
    boundary = "x"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\n'.encode()
    sent = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal sent
        yield head
        while sent < 50 * 1024 * 1024:
            sent += 64 * 1024
            yield bytes(64 * 1024)

    async with open_door(max_document_bytes=1024 * 1024) as door, door.visitor() as browser:
        await browser.get("/")
        answer = await browser.post(
            "/api/documents", content=body(), headers={"Content-Type": f"multipart/form-data; boundary={boundary}"}
        )
    assert answer.status_code in (400, 413)
    assert sent < 50 * 1024 * 1024
