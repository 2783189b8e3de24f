"""Web addresses that a person keeps as a reference; nothing is fetched (D46)."""

from urllib.parse import urlsplit

from deeptrust.errors import BadDocument

LONGEST_ADDRESS = 2048


def check_address(text: str) -> str:
    """Return `text` without surrounding blanks if it is an http or https address.

    Raises:
        BadDocument: it is none, is too long, or carries a user name or password, which would be stored readable.
    """
    address = text.strip()
    if len(address) > LONGEST_ADDRESS:
        raise BadDocument(f"This address is longer than {LONGEST_ADDRESS} characters. Use a shorter one.")
    if not address.isprintable() or " " in address:
        raise BadDocument("This is not a web address: it holds blanks or control characters.")
    try:
        parts = urlsplit(address)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        has_host = False
    else:
        if "@" in parts.netloc:
            raise BadDocument("This address carries a user name or password. Remove it and add the address again.")
        has_host = has_host and parts.scheme in {"http", "https"}
    if not has_host:
        raise BadDocument("This is not a web address. Give one that starts with http:// or https://.")
    return address
