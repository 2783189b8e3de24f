"""What a visitor has open ends when their admission does: a stream, an upload, a websocket (AUT-01)."""

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deeptrust.api.refusal import POLICY_VIOLATION

_GONE = {
    "websocket": {"type": "websocket.disconnect", "code": POLICY_VIOLATION},
    "http": {"type": "http.disconnect"},
}


class LeavingVisit:
    """Runs an app for one visit. Once `left` is set the app hears that the visitor is gone, and a stream is cut off.

    An answer that does not stream is still given: it may be the one to the very request that ended the admission.
    """

    def __init__(self, app: ASGIApp, left: asyncio.Event) -> None:
        self._app = app
        self._left = left
        self._streams = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run to the end of the app, or of the admission."""
        is_websocket = scope["type"] == "websocket"
        if is_websocket:
            self._streams.set()
        leaving = asyncio.create_task(self._wait_for_cut())
        working = asyncio.ensure_future(self._app(scope, self._hearing(scope, receive), self._watching(send)))
        try:
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
            elif is_websocket:
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})
                await working  # it has heard that nobody is there, and clears up
            else:
                working.cancel()
                await asyncio.wait({working})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            working.cancel()

    async def _wait_for_cut(self) -> None:
        await self._left.wait()
        await self._streams.wait()

    def _hearing(self, scope: Scope, receive: Receive) -> Receive:
        async def hear() -> Message:
            receiving = asyncio.ensure_future(receive())
            leaving = asyncio.create_task(self._left.wait())
            try:
                await asyncio.wait({receiving, leaving}, return_when=asyncio.FIRST_COMPLETED)
                return _GONE[scope["type"]] if self._left.is_set() else receiving.result()
            finally:
                receiving.cancel()
                leaving.cancel()

        return hear

    def _watching(self, send: Send) -> Send:
        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                if kind.startswith("text/event-stream"):
                    self._streams.set()
                if self._left.is_set():  # what is left of its body is not read: nothing else may come this way
                    message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
                await send(message)
            elif not (self._left.is_set() and self._streams.is_set()):
                await send(message)

        return watch
