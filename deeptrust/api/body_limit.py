"""No request to the API may be longer than a document can be."""

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """ASGI middleware: answers 413 as soon as a body below /api is longer than `max_bytes`, declared or not."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count while the app reads; a body that nobody reads costs nothing."""
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
        elif _declared_bytes(scope) > self._max_bytes:
            await self._refusal()(scope, receive, send)
        else:
            await self._run_counting(scope, receive, send)

    async def _run_counting(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = 0
        is_started = False

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return {"type": "http.disconnect"} if received > self._max_bytes else message

        async def send_unless_refused(message: Message) -> None:
            nonlocal is_started
            if received <= self._max_bytes or is_started:
                is_started = True
                await send(message)

        try:
            await self._app(scope, receive_counted, send_unless_refused)
        except ClientDisconnect:
            if received <= self._max_bytes:
                raise
        if received > self._max_bytes and not is_started:
            await self._refusal()(scope, receive, send)

    def _refusal(self) -> JSONResponse:
        return JSONResponse({"detail": f"A request may have {self._max_bytes:,} bytes at most."}, 413)


def _declared_bytes(scope: Scope) -> int:
    declared = Headers(scope=scope).get("content-length", "0")
    return int(declared) if declared.isdecimal() else 0
