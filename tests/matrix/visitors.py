"""Visitors that do without our page: they speak to the server by raw HTTP and over a raw websocket."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.live import LiveServer
from tests.waiting import LONG_SECONDS, PATIENCE_SECONDS

ROOT = "reflex___state____state"
CONVERSATION = f"{ROOT}.deeptrust___ui___state___conversation____conversation_state"
STUDY = f"{ROOT}.deeptrust___ui___state___study____study_state"
_FRAME = "42/_event,"
_QUIET_SECONDS = 0.15


class Tab:
    """One open websocket, spoken by hand: Engine.IO and Socket.IO frames as the page would send them."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self._socket = socket
        self.name = name
        assert str(self._socket.recv()).startswith("0")
        self._socket.send("40/_event,")
        assert str(self._socket.recv()).startswith("40/_event")

    def send(self, name: str, payload: Mapping[str, Any], path: str = "/", **query: str) -> None:
        """Send one event, as from the page at `path`, and do not wait for what it does."""
        body = {"name": name, "payload": payload, "router_data": {"pathname": path, "asPath": path, "query": query}}
        self._socket.send(_FRAME + json.dumps(["event", body]))

    def hear(self, seconds: float = _QUIET_SECONDS) -> str:
        """Return all that came until nothing came for `seconds`."""
        heard: list[str] = []
        while True:
            try:
                frame = self._socket.recv(timeout=seconds)
            except (TimeoutError, ConnectionClosed):
                return "\n".join(heard)
            if frame == "2":
                self._socket.send("3")
            else:
                heard.append(str(frame))

    def wait_for_end(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Read until the server closes the connection.

        Raises:
            ConnectionClosed: it did.
            TimeoutError: it did not.
        """
        while True:
            if self._socket.recv(timeout=seconds) == "2":
                self._socket.send("3")

    def wait_for(self, text: str, seconds: float = LONG_SECONDS) -> str:
        """Return all that came up to the frame with `text` in it."""
        heard, end = "", time.monotonic() + seconds
        while text not in heard:
            assert time.monotonic() < end, f"{text!r} did not come, but: {heard[-2000:]}"
            heard += self.hear()
        return heard


class Visitor:
    """A browser by its cookie; it sends the Origin that the server's own page would."""

    def __init__(self, server: LiveServer, *, has_cookie: bool = True) -> None:
        self._server = server
        self.http = httpx.Client(
            base_url=server.url, headers={"Origin": server.url}, timeout=PATIENCE_SECONDS, trust_env=False
        )
        if has_cookie:
            self.http.get("/")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.http.close()

    @property
    def cookie(self) -> str:
        """What it sends as Cookie."""
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    @contextmanager
    def open_tab(self, **headers: str) -> Iterator[Tab]:
        """Open a websocket; `headers` replace its own.

        Raises:
            InvalidStatus: the handshake was refused.
        """
        name = str(uuid4())
        address = f"ws://127.0.0.1:{self._server.port}/_event/?EIO=4&transport=websocket&token={name}"
        told = {"Cookie": self.cookie, "Origin": self._server.url, **headers}
        origin = Origin(told.pop("Origin"))
        with connect(
            address,
            additional_headers=told,
            origin=origin,
            proxy=None,
            max_size=None,
            open_timeout=PATIENCE_SECONDS,
            ping_interval=None,
        ) as socket:
            yield Tab(socket, name)
