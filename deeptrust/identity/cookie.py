"""The name of the cookie, and reading it."""

from http.cookies import CookieError, SimpleCookie

from deeptrust.settings import Settings

_NAME = "deeptrust"


def cookie_name(settings: Settings) -> str:
    """Return the cookie's name.

    Browsers send a cookie to every port of a machine. On one's own machine several homes may be served at once, so
    the port is part of the name; a hosted server may move to another port and must still know its visitors.
    """
    return _NAME if settings.mode == "hosted" else f"{_NAME}-{settings.port}"


def read_cookie(header: str, name: str) -> str:
    """Return the secret in a Cookie header, or nothing."""
    try:
        morsel = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel else ""
