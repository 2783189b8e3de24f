"""The name of the cookie, and reading it."""

import re

from deeptrust.settings import Settings

_NAME = "deeptrust"
_SECRET = re.compile(r"[\w.-]{1,200}", re.ASCII)


def cookie_name(settings: Settings) -> str:
    """Return the cookie's name.

    Browsers send a cookie to every port of a machine. On one's own machine several homes may be served at once, so
    the port is part of the name; a hosted server may move to another port and must still know its visitors.
    """
    return _NAME if settings.mode == "hosted" else f"{_NAME}-{settings.port}"


def read_cookie(header: str, name: str) -> str:
    """Return the secret in a Cookie header, or nothing; the last one counts where there are several.

    By hand: the standard library reads no cookie at all where another program of the same host has set an odd one, and
    takes minutes for a long row of backslashes.
    """
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    value = next((value for known, _, value in reversed(list(pairs)) if known == name), "")
    return value if _SECRET.fullmatch(value) else ""
