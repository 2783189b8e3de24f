"""Names, numbers, days and addresses as a person should read them."""

import unicodedata
from datetime import datetime
from urllib.parse import urlsplit

from deeptrust.language.clean import BIDI_CONTROLS, clean_text, fold_space


def safe_name(text: str) -> str:
    """Return a title or file name on one line, with every direction control shown as a mark (UI-19)."""
    return "".join(f"⟨U+{ord(c):04X}⟩" if c in BIDI_CONTROLS else c for c in fold_space(clean_text(text)))


def safe_host(url: str) -> str:
    """Return the host of `url`; a label that mixes scripts is shown in punycode, so that it cannot pose (UI-19)."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return ".".join(_plain_label(label) for label in host.split("."))


def safe_url(url: str) -> str:
    """Return `url` if a person may be sent there: an absolute web address; else an empty text."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.hostname else ""


def _plain_label(label: str) -> str:
    scripts = {unicodedata.name(c, "UNKNOWN").split()[0] for c in label if c.isalpha()}
    if len(scripts) < 2:
        return label
    return "xn--" + label.encode("punycode").decode("ascii")


def count(number: int, noun: str) -> str:
    """`count(1, "page")` is "1 page", `count(1200, "page")` is "1,200 pages"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def day(moment: datetime, now: datetime | None = None) -> str:
    """Return "today", "yesterday" or a date like "30 Nov", in the machine's own time zone."""
    here = moment.astimezone()
    today = (now or datetime.now().astimezone()).date()
    age_days = (today - here.date()).days
    if age_days <= 0:
        return "today"
    return "yesterday" if age_days == 1 else f"{here.day} {here:%b}"


def shorten(text: str, limit: int) -> str:
    """Return `text`, cut at a blank before `limit` characters and ended with an ellipsis when longer."""
    text = fold_space(text)
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",.;:") + "…"


def clock(moment: datetime) -> str:
    """Return a moment to come as "7 Dec, 09:05", in the machine's own time zone."""
    here = moment.astimezone()
    return f"{here.day} {here:%b, %H:%M}"
