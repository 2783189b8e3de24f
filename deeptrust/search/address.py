"""Addresses: which engine hosts may be asked, and which links may become hits."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from deeptrust.errors import BadSetting
from deeptrust.language.clean import BIDI_CONTROLS

LONGEST_LINK = 2_000
"""Characters of a link that is still kept; longer ones are trackers or mistakes."""

_PORTS = {"http": 80, "https": 443}
_DISGUISE = re.compile(r"[@\\\s]")
"""What makes the host that a browser goes to differ from the one that a person reads."""

_UNSEEN = re.compile(r"[\s\x00-\x20\x7f-\x9f\u200b\u2060\ufeff" + "".join(sorted(BIDI_CONTROLS)) + "]")


def require_engine_address(url: str, setting: str) -> str:
    """Return `url`, the fixed address of an engine, if queries and keys may travel to it.

    Raises:
        BadSetting: not https (plain http is for this machine only), no host, or a user name in it. The
            sentence names `setting`, never the value.
    """
    parts = _split(url)
    if parts is None or not (parts.scheme == "https" or _is_loopback(parts.hostname or "")):
        raise BadSetting(f"{setting} must be an https address without user name, or http on 127.0.0.1.")
    return url


def web_link(link: str) -> str | None:
    """Return `link` if a person may be shown it as a link: http or https, a host, no user name (WEB-17).

    Invisible and direction-changing characters are percent-encoded, so that what is read is where it leads.
    """
    link = link.strip()
    if len(link) > LONGEST_LINK or _split(link) is None:
        return None
    return _UNSEEN.sub(lambda found: quote(found[0]), link)


def redirect_target(asked: str, location: str) -> str | None:
    """Where a redirect from `asked` leads, or None if it must not be followed (WEB-11, WEB-21).

    Host, port and scheme stay as they are; only the step from http to https on their own ports is allowed.
    """
    try:
        target = urljoin(asked, location)
    except ValueError:
        return None
    return target if _is_same_service(asked, target) else None


def _is_same_service(asked: str, target: str) -> bool:
    before, after = _split(asked), _split(target)
    if before is None or after is None or before.hostname != after.hostname:
        return False
    is_upgrade = (before.scheme, after.scheme) == ("http", "https") and before.port is None and after.port is None
    return is_upgrade or (before.scheme == after.scheme and _port(before) == _port(after))


def _split(url: str) -> SplitResult | None:
    """Parts of an http or https address, or None. Reading `port` is what finds a malformed one."""
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in _PORTS and bool(parts.hostname) and _port(parts) > 0
    except ValueError:
        return None
    return parts if is_usable and not _DISGUISE.search(parts.netloc) else None


def _port(parts: SplitResult) -> int:
    return parts.port if parts.port is not None else _PORTS[parts.scheme]


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
