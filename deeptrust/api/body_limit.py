"""No request may be longer than what is sent to its address can be."""

from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deeptrust.settings import Settings

FORM_BYTES = 1024 * 1024
"""What a form may carry, be it alone or round a file."""
_ROUND_FILES_BYTES = 16 * FORM_BYTES


@dataclass(frozen=True)
class BodyLimits:
    """The longest body by where it goes: documents to the API, many files at once from the page, else a form."""

    document: int
    files: int
    form: int

    @classmethod
    def of(cls, settings: Settings) -> "BodyLimits":
        """What the settings allow, and a form's worth round it. The page's own count of an upload comes first."""
        return cls(
            document=settings.max_document_bytes + FORM_BYTES,
            files=settings.max_bytes_per_upload + _ROUND_FILES_BYTES,
            form=FORM_BYTES,
        )

    def at(self, path: str) -> int:
        """The limit for one address, in bytes."""
        if path.startswith("/api/"):
            return self.document
        return self.files if path.startswith("/_upload") else self.form


class BodyLimit:
    """ASGI middleware: answers 413 as soon as a body is longer than its address allows, declared or not."""

    def __init__(self, app: ASGIApp, limits: BodyLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count while the app reads; a body that nobody reads costs nothing."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._limits.at(scope["path"])
        # An upload of the page is begun all the same: only the page's own count can tell the person.
        if _declared_bytes(scope) > most and most != self._limits.files:
            await _refusal(most)(scope, receive, send)
        else:
            await self._run_counting(most, scope, receive, send)

    async def _run_counting(self, most: int, scope: Scope, receive: Receive, send: Send) -> None:
        received = 0
        is_started = False

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return {"type": "http.disconnect"} if received > most else message

        async def send_unless_refused(message: Message) -> None:
            nonlocal is_started
            if received <= most or is_started:
                is_started = True
                await send(message)

        try:
            await self._app(scope, receive_counted, send_unless_refused)
        except ClientDisconnect:
            if received <= most:
                raise
        if received > most and not is_started:
            await _refusal(most)(scope, receive, send)


def _refusal(most: int) -> JSONResponse:
    return JSONResponse({"detail": f"A request to this address may have {most:,} bytes at most."}, 413)


def _declared_bytes(scope: Scope) -> int:
    declared = Headers(scope=scope).get("content-length", "0")
    return int(declared) if declared.isdecimal() else 0
