"""What answers somebody whom nobody knows. Everything else asks who calls."""

HEALTH = "/api/health"
LOGIN = "/login"
CONTRACT = "/api/openapi.json"
LOGIN_ASSETS = frozenset({"/icon.svg"})
"""Static, without data: what the sign-in page is dressed in."""


def public_routes(*, has_password: bool) -> frozenset[tuple[str, str]]:
    """Return (method, path) of all that answers without cookie or token.

    With a password this is all there is. Without one, pages are served to every visitor as well (they are static; what
    fills them comes over the websocket, which asks who calls), and so is the description of the API.
    """
    routes = {("GET", HEALTH), ("GET", LOGIN), ("POST", LOGIN), *(("GET", path) for path in LOGIN_ASSETS)}
    return frozenset(routes if has_password else routes | {("GET", CONTRACT)})
