"""The front door with the real services behind it, in this process: no port, no page, no bundle."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from deeptrust.api.app import ROUTERS, api
from deeptrust.api.front_door import FrontDoor
from deeptrust.composition import open_services
from deeptrust.services import Services
from deeptrust.settings import load_settings

ORIGIN = "http://127.0.0.1:3000"


@dataclass
class Door:
    """A front door with somebody before it."""

    app: FrontDoor
    services: Services
    seen: list[Scope] = field(default_factory=list)

    def visitor(self, *, address: str = "127.0.0.1", base_url: str = ORIGIN) -> httpx.AsyncClient:
        """A browser without a past, as a page of ours would let it ask: with our Origin."""
        transport = httpx.ASGITransport(self.app, client=(address, 50000), raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=base_url, headers={"Origin": ORIGIN})

    async def handshake(self, path: str = "/_event/", query: str = "", **headers: str) -> bool:
        """Whether a websocket is accepted."""
        lines = {"host": "127.0.0.1:3000", **headers}
        scope: Scope = {
            "type": "websocket",
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in lines.items()],
            "client": ("127.0.0.1", 50000),
            "scheme": "ws",
            "subprotocols": [],
        }
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        return sent[0]["type"] == "websocket.accept"


OpenDoor = Callable[..., AbstractAsyncContextManager[Door]]


@pytest.fixture
def open_door(tmp_path: Path) -> OpenDoor:
    """Open a door with these settings; the home stays the same within a test."""

    @asynccontextmanager
    async def opening(**settings: object) -> AsyncGenerator[Door]:
        quick: Mapping[str, object] = {"home": tmp_path / "home", "embedder": "hashing", "chat_model": "none"}
        chosen = load_settings(**{**quick, **settings})
        seen: list[Scope] = []

        async def note(scope: Scope, receive: Receive, send: Send) -> None:
            seen.append(scope)
            await _pages(scope, receive, send)

        async def either(scope: Scope, receive: Receive, send: Send) -> None:
            is_api = scope["path"].startswith("/api/") or scope["path"] in _DOOR_PAGES
            await (api if is_api else note)(scope, receive, send)

        async with open_services(chosen) as services:
            yield Door(FrontDoor(either, settings=chosen, content_policy="default-src 'self'"), services, seen)

    return opening


_DOOR_PAGES = {route.path for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)}


async def _page(_request: object) -> HTMLResponse:
    return HTMLResponse("<title>DeepTrust</title>")


async def _accept(websocket: WebSocket) -> None:
    await websocket.accept()


_pages = Starlette(
    routes=[
        WebSocketRoute("/_event/", _accept),
        Route("/", _page),
        Route("/study", _page),
        Route("/_upload", _page, methods=["POST"]),
        Mount("/assets", Starlette()),
    ]
)
