"""Where a model's server is: on this machine or beyond it, and how it is named to a person."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from deeptrust.errors import BadSetting


def is_loopback(url: str) -> bool:
    """Whether `url` leads to this machine, by its own word: names are not looked up, `localhost` is believed."""
    host = urlsplit(url).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost"
    return address.is_loopback or address.is_unspecified


def check_address(url: str, setting: str) -> str:
    """Return `url` without a slash at its end.

    Raises:
        BadSetting: it is not an http or https address; `setting` names where to mend it.
    """
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise BadSetting(f"{setting} is not an address. Give one such as http://127.0.0.1:8080/v1.")
    return url.rstrip("/")


def show_address(url: str) -> str:
    """Scheme, host, port and path: fit for a sentence, for a name or password in front of the host is left out."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
