"""What a request says about where it comes from, read in one way by every layer of the front door."""

import ipaddress
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Scope

from deeptrust.identity.cookie import cookie_name, read_cookie
from deeptrust.settings import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_IPV6_PREFIX = 64  # what one household gets; single addresses of it are free to change


@dataclass(frozen=True)
class Visit:
    """One request or handshake; for the latter `method` is GET. Empty: no cookie (`secret`), no token (`bearer`)."""

    path: str
    method: str
    headers: Headers
    secret: str
    bearer: str
    address: str
    is_secure: bool
    is_websocket: bool

    @property
    def is_safe(self) -> bool:
        """Whether it asks for no change."""
        return self.method in SAFE_METHODS

    @property
    def is_page(self) -> bool:
        """Whether it is what a link may do: look at a page or at a file of it."""
        return self.is_safe and not self.is_websocket and not self.path.startswith(("/api/", "/_", "/ping"))


def read_visit(scope: Scope, settings: Settings) -> Visit:
    """Read an HTTP or websocket scope."""
    headers = Headers(scope=scope)
    return Visit(
        path=scope["path"],
        method=scope.get("method", "GET"),
        headers=headers,
        secret=read_cookie("; ".join(headers.getlist("cookie")), cookie_name(settings)),
        bearer=read_bearer(headers),
        address=_address(scope, headers, settings),
        is_secure=_scheme(scope, headers, settings) in ("https", "wss"),
        is_websocket=scope["type"] == "websocket",
    )


def read_bearer(headers: Headers) -> str:
    """Return the token that was sent, or nothing."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _scheme(scope: Scope, headers: Headers, settings: Settings) -> str:
    told = _last(headers, "x-forwarded-proto") if settings.behind_proxy else ""
    return told.lower() or str(scope.get("scheme", "http"))


def _address(scope: Scope, headers: Headers, settings: Settings) -> str:
    """The client's address; behind a proxy the one that the nearest proxy saw, as all before it may be invented."""
    told = _last(headers, "x-forwarded-for") if settings.behind_proxy else ""
    address = _without_port(told) or (scope.get("client") or ("",))[0]
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped:  # how IPv4 arrives at a socket of IPv6; by prefix, all of IPv4 would be one household
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False))


def _without_port(address: str) -> str:
    """Some proxies add the client's port: with it, each connection would be another client."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def _last(headers: Headers, name: str) -> str:
    values = headers.getlist(name)
    return values[-1].rpartition(",")[2].strip() if values else ""
