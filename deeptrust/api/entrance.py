"""The inner door: asks who comes, before anything but the public routes answers."""

from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deeptrust.api.caller import identify, note_owner
from deeptrust.api.cookie import write_cookie
from deeptrust.api.event_pace import paced
from deeptrust.api.leaving import LeavingVisit
from deeptrust.api.refusal import refuse
from deeptrust.api.visit import Visit, read_visit
from deeptrust.errors import DeepTrustError, NotAdmitted
from deeptrust.identity.cookie import cookie_name
from deeptrust.identity.public import LOGIN, public_routes
from deeptrust.identity.secrets import digest
from deeptrust.services import current_services
from deeptrust.settings import Settings

_TAB_PARAMETER = "token"
_TAB_HEADER = "reflex-client-token"


class Entrance:
    """ASGI middleware: lets in who is known, sends a browser to sign in, and gives a cookie to one that has none."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Recognise the visitor, or refuse."""
        visit = read_visit(scope, self._settings)
        scope = _with_own_cookie(scope, visit, self._settings)
        try:
            is_open = not self._must_be_known(visit)
            cookie = await self._new_cookie(visit)
            admission = current_services().admission
        except DeepTrustError as error:
            await refuse(_unavailable(error), scope, receive, send)
            return
        if cookie:
            send = _giving(send, cookie)
        if is_open:
            await self._app(scope, receive, send)
            return
        key = digest(visit.bearer or visit.secret)
        # Present before being recognised: no revocation falls between the two.
        with admission.presences.stay(key) as left:
            try:
                owner = await identify(visit)
            except NotAdmitted as error:
                await refuse(self._refusal(visit, error), scope, receive, send)
            except DeepTrustError as error:
                await refuse(_unavailable(error), scope, receive, send)
            else:
                note_owner(scope, owner)
                if visit.is_websocket:
                    receive = paced(receive, admission.events, key)
                await LeavingVisit(self._app, left)(_with_own_tab(scope, owner), receive, send)

    def _must_be_known(self, visit: Visit) -> bool:
        has_password = current_services().admission.has_password
        method = "GET" if visit.method == "HEAD" else visit.method
        if visit.is_websocket or (method, visit.path) not in public_routes(has_password=has_password):
            return has_password or not visit.is_page
        return False

    async def _new_cookie(self, visit: Visit) -> str | None:
        """A browser that opens a page without a cookie of ours gets one; it costs nothing until it is used."""
        admission = current_services().admission
        if not visit.is_page or await admission.is_good(visit.secret):
            return None
        return write_cookie(self._settings, admission.make_secret(), is_secure=visit.is_secure)

    def _refusal(self, visit: Visit, error: NotAdmitted) -> Response:
        wants_page = visit.is_page or "text/html" in visit.headers.get("accept", "")
        if wants_page and not visit.bearer and not visit.is_websocket:
            return RedirectResponse(LOGIN, 303, headers={"Cache-Control": "no-store"})
        return JSONResponse({"detail": str(error)}, 401, headers={"WWW-Authenticate": "Bearer"})


def _with_own_cookie(scope: Scope, visit: Visit, settings: Settings) -> Scope:
    """Return the scope with no cookie but ours, in one line: others are none of our business, and costly to parse.

    The library that reads them further inside takes minutes for a long row of backslashes, on the event loop.
    """
    headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    if visit.secret:
        headers.append((b"cookie", f"{cookie_name(settings)}={visit.secret}".encode()))
    return {**scope, "headers": headers}


def _unavailable(error: DeepTrustError) -> Response:
    return JSONResponse({"detail": str(error)}, 503)


def _with_own_tab(scope: Scope, owner: str) -> Scope:
    """Return the scope with the tab's name replaced by the one under which this user's tab is kept (AUT-03)."""
    tabs = current_services().tabs
    query = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    if scope["type"] == "websocket":
        query = [(name, tabs.claim(value, owner) if name == _TAB_PARAMETER else value) for name, value in query]
        return {**scope, "query_string": urlencode(query).encode()}
    headers = [
        (name, tabs.claim(value.decode("latin-1"), owner).encode() if name.decode("latin-1") == _TAB_HEADER else value)
        for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}


def _giving(send: Send, cookie: str) -> Send:
    async def send_with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html") and "set-cookie" not in headers:
                headers.append("Set-Cookie", cookie)
                headers["Cache-Control"] = "no-store"  # a stored page would hand the cookie on
        await send(message)

    return send_with_cookie
