"""The headers that every answer carries."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deeptrust.api.visit import Visit, read_visit
from deeptrust.settings import Settings

_HSTS_SECONDS = 365 * 24 * 3600
_UNUSED = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone")
_UNUSED_TOO = ("midi", "payment", "serial", "usb", "browsing-topics")


class SecurityHeaders:
    """ASGI middleware; `content_policy` is the Content-Security-Policy of every answer."""

    def __init__(self, app: ASGIApp, settings: Settings, content_policy: str) -> None:
        self._app = app
        self._settings = settings
        self._headers = {
            "Content-Security-Policy": content_policy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": ", ".join(f"{feature}=()" for feature in (*_UNUSED, *_UNUSED_TOO)),
            # Not no-referrer: with that, browsers send our own forms with `Origin: null`.
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        }
        if not settings.inside_iframe:
            self._headers["X-Frame-Options"] = "DENY"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Dress the answer."""
        visit = read_visit(scope, self._settings)

        async def send_dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._dress(MutableHeaders(scope=message), visit)
            await send(message)

        await self._app(scope, receive, send_dressed)

    def _dress(self, headers: MutableHeaders, visit: Visit) -> None:
        for name, value in self._headers.items():
            headers.setdefault(name, value)
        if visit.path.startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")
        if visit.is_secure:
            headers.setdefault("Strict-Transport-Security", f"max-age={_HSTS_SECONDS}")
