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


def size(byte_count: int) -> str:
    """Return "98 MB" or "1.3 GB", in powers of ten as disks and hubs count."""
    for unit, amount in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if byte_count >= amount:
            number = byte_count / amount
            return f"{number:.1f} {unit}" if number < 10 else f"{number:,.0f} {unit}"
    return f"{byte_count:,} bytes"


def duration(seconds: float) -> str:
    """Return "0.4 s", "14 s", "3 min" or "2 h 5 min"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
