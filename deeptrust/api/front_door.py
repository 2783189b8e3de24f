"""The front door round everything: pages, API and websocket. Each layer is one idea, the outermost first."""

from starlette.types import ASGIApp, Receive, Scope, Send

from deeptrust.api.body_limit import BodyLimit, BodyLimits
from deeptrust.api.entrance import Entrance
from deeptrust.api.foreign import ForeignGuard
from deeptrust.api.rate_limit import RateLimit
from deeptrust.api.security_headers import SecurityHeaders
from deeptrust.settings import Settings


class FrontDoor:
    """ASGI middleware: dresses every answer, keeps out what is foreign, too much or too long, then asks who comes."""

    def __init__(self, app: ASGIApp, *, settings: Settings, content_policy: str) -> None:
        self._app = app
        entrance = Entrance(app, settings)
        limits = RateLimit(BodyLimit(entrance, BodyLimits.of(settings)), settings)
        self._door = SecurityHeaders(ForeignGuard(limits, settings), settings, content_policy)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take requests and handshakes through the layers; the rest (lifespan) is not a visitor."""
        is_visitor = scope["type"] in ("http", "websocket")
        await (self._door if is_visitor else self._app)(scope, receive, send)
