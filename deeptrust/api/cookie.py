"""The cookie as it is written."""

from deeptrust.identity.cookie import cookie_name
from deeptrust.settings import Settings

_SECONDS = 400 * 24 * 3600  # the longest that browsers keep one


def write_cookie(settings: Settings, secret: str, *, is_secure: bool) -> str:
    """Return the Set-Cookie header for a browser's secret: out of reach for scripts, not sent by other sites.

    Lax, not Strict: a link on another site must find the browser known, or it would be given a new cookie and lose
    what its old one stands for. What a link cannot do (`api/foreign.py`) is refused by Origin.
    """
    parts = [f"{cookie_name(settings)}={secret}", "Path=/", f"Max-Age={_SECONDS}", "HttpOnly"]
    if settings.inside_iframe:  # a page of another site is round ours; only this form is sent there
        parts += ["SameSite=None", "Secure", "Partitioned"]
    else:
        parts += ["SameSite=Lax", *(["Secure"] if is_secure else [])]
    return "; ".join(parts)
