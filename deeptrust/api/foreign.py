"""What is foreign stays out: names that are not ours, and pages of other sites.

A page of any website may send requests to 127.0.0.1, and a name of its own may resolve there. So the Host must be one
of ours (against rebinding), and an Origin must be ours (against foreign pages).
"""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from deeptrust.api.refusal import refuse
from deeptrust.api.visit import Visit, read_visit
from deeptrust.identity.public import HEALTH
from deeptrust.settings import Settings

_OWN_FETCH_SITES = frozenset({"same-origin", "none"})


class ForeignGuard:
    """ASGI middleware: answers 421 to a foreign Host and 403 to a foreign Origin, before anything is read."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._hosts = frozenset(settings.hosts)
        self._origins = frozenset(settings.origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let pass what is ours."""
        visit = read_visit(scope, self._settings)
        refusal = self._refuse_host(visit) or self._refuse_origin(visit)
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await refuse(refusal, scope, receive, send)

    def _refuse_host(self, visit: Visit) -> PlainTextResponse | None:
        hosts = visit.headers.getlist("host")
        if len(hosts) == 1 and hosts[0].lower() in self._hosts:
            return None
        if visit.path == HEALTH and visit.is_safe:  # a platform's probe asks by address, and learns nothing here
            return None
        return PlainTextResponse("This server does not answer to that name. See DEEPTRUST_ALLOWED_HOSTS.", 421)

    def _refuse_origin(self, visit: Visit) -> PlainTextResponse | None:
        origins = visit.headers.getlist("origin")
        if origins:
            is_own = all(origin in self._origins for origin in origins)
        elif visit.is_page:
            is_own = True
        else:  # programs send neither header; browsers say where a request comes from
            is_own = visit.headers.get("sec-fetch-site", "none") in _OWN_FETCH_SITES
        return None if is_own else PlainTextResponse("Only pages of this server may do that.", 403)
