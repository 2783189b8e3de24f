"""The front door: which browsers may speak to this server, and what every answer carries.

A page of any website may send requests to 127.0.0.1, and a name of its own may resolve there. So the Host must be
one of ours (against rebinding), an Origin must be ours (against foreign pages), and the cookie never crosses sites.
"""

import secrets
from http.cookies import SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deeptrust.api.body_limit import BodyLimit

COOKIE = "deeptrust"
_COOKIE_SECONDS = 365 * 24 * 3600
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_FETCH_SITES = frozenset({"same-origin", "none"})


class FrontDoor:
    """ASGI middleware round everything: pages, API and websocket.

    `hosts` and `origins` are the accepted values of those headers; `max_body_bytes` bounds a request to the API;
    `content_policy` is the Content-Security-Policy of every answer.
    """

    def __init__(
        self, app: ASGIApp, *, hosts: list[str], origins: list[str], max_body_bytes: int, content_policy: str
    ) -> None:
        self._app = BodyLimit(app, max_body_bytes)
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)
        self._fixed_headers = {
            "Content-Security-Policy": content_policy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is foreign; dress what is ours."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refuse_host(headers) or self._refuse_origin(scope, headers)
        if refusal is None:
            await self._app(scope, receive, self._dressing(send, headers))
        elif scope["type"] == "http":
            await refusal(scope, receive, self._dressing(send, headers))
        else:
            await send({"type": "websocket.close", "code": 1008})  # before the accept: a 403 on the wire

    def _refuse_host(self, headers: Headers) -> PlainTextResponse | None:
        hosts = headers.getlist("host")
        if len(hosts) == 1 and hosts[0].lower() in self._hosts:
            return None
        return PlainTextResponse("This server does not answer to that name. See DEEPTRUST_ALLOWED_HOSTS.", 421)

    def _refuse_origin(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        origins = headers.getlist("origin")
        if origins:
            is_own = all(origin in self._origins for origin in origins)
        elif _is_page_load(scope):
            is_own = True
        else:  # programs send neither header; browsers say where a request comes from
            is_own = headers.get("sec-fetch-site", "none") in _OWN_FETCH_SITES
        return None if is_own else PlainTextResponse("Only pages of this server may do that.", 403)

    def _dressing(self, send: Send, request: Headers) -> Send:
        async def send_dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._fixed_headers.items():
                    headers.setdefault(name, value)
                if headers.get("content-type", "").startswith("text/html") and not _has_cookie(request):
                    headers.append("Set-Cookie", _new_cookie())
            await send(message)

        return send_dressed


def _is_page_load(scope: Scope) -> bool:
    """Whether this is what a link on a foreign site may do: look at a page."""
    if scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS:
        return False
    return not scope["path"].startswith(("/api/", "/_"))


def _has_cookie(request: Headers) -> bool:
    return COOKIE in SimpleCookie(request.get("cookie", ""))


def _new_cookie() -> str:
    value = secrets.token_urlsafe(32)
    return f"{COOKIE}={value}; Path=/; Max-Age={_COOKIE_SECONDS}; HttpOnly; SameSite=Strict"
