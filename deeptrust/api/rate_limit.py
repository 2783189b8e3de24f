"""Nobody may keep the server busy alone: so many requests a second from one address, and no more."""

import math

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from deeptrust.api.refusal import refuse
from deeptrust.api.visit import Visit, read_visit
from deeptrust.identity.bucket import Bucket
from deeptrust.identity.public import HEALTH
from deeptrust.settings import Settings

BURST = 600
PER_SECOND = 60.0


class RateLimit:
    """ASGI middleware: answers 429 with Retry-After. Files of the page are not counted: one view asks for many."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._bucket = Bucket(BURST, PER_SECOND)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count, then pass on or refuse."""
        visit = read_visit(scope, self._settings)
        wait = self._bucket.wait_seconds(visit.address) if _costs(visit) else 0.0
        if not wait:
            await self._app(scope, receive, send)
            return
        seconds = math.ceil(wait)
        answer = JSONResponse(
            {"detail": f"Too many requests at once from your address. Go on in {seconds} s."},
            429,
            headers={"Retry-After": str(seconds)},
        )
        await refuse(answer, scope, receive, send)


def _costs(visit: Visit) -> bool:
    return visit.path != HEALTH and not visit.is_page
