"""Google's Custom Search JSON API, if a person brings both its key and its engine id (D18).

Closed to new customers since 2026 and announced to end on 2027-01-01.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from pydantic import SecretStr

from deeptrust.errors import BadSetting
from deeptrust.search.address import require_engine_address
from deeptrust.search.base import PageStatus, SearchHit, SearchPage
from deeptrust.search.hit import make_hit
from deeptrust.search.json_reply import as_object, as_objects, read_json
from deeptrust.search.transport import Reply, Request, SearchTransport
from deeptrust.search.web_engine import WebEngine

GOOGLE_CSE_URL = "https://www.googleapis.com/customsearch/v1"

_DAILY = frozenset({"dailyLimitExceeded", "quotaExceeded", "dailyLimitExceededUnreg"})
_TOO_FAST = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})
_RESET_HOUR_UTC = 8
"""Quotas start anew at midnight Pacific time: 08:00 UTC in winter, an hour earlier in summer."""


class GoogleCse(WebEngine):
    """Sends the key as a header, so that it is in no address, and only to the one host."""

    name = "Google CSE"
    longest_query = 1_500
    """Keeps the address below the 2,048 characters that the API takes, for unaccented text."""
    longest_page = 10

    def __init__(
        self,
        transport: SearchTransport,
        key: SecretStr,
        engine_id: str,
        url: str = GOOGLE_CSE_URL,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`now` gives an aware time.

        Raises:
            BadSetting: key or engine id is empty or no plain text, or the key would travel unencrypted.
        """
        super().__init__(transport)
        self._url = require_engine_address(url, "DEEPTRUST_GOOGLE_CSE_URL")
        self._key = SecretStr(_require_token(key.get_secret_value(), "GOOGLE_CSE_API_KEY"))
        self._engine_id = _require_token(engine_id, "GOOGLE_CSE_CX")
        self._now = now

    def _request(self, query: str, limit: int) -> Request:
        fields = {"cx": self._engine_id, "q": query, "num": str(limit)}
        headers = {"Accept": "application/json"}
        return Request("GET", self._url, fields, headers, {"X-Goog-Api-Key": self._key.get_secret_value()})

    def _read(self, reply: Reply) -> SearchPage:
        answer = read_json(reply.text)
        if reply.status >= 300 or "error" in answer:
            return self._read_error(reply, as_object(answer.get("error")))
        items = answer.get("items")
        if items is None and answer.keys() & {"kind", "queries", "searchInformation"}:
            return self._empty()
        hits = [hit for hit in map(_hit, as_objects(items)) if hit is not None]
        return self._found(hits) if hits else self._layout_changed()

    def _read_error(self, reply: Reply, error: dict[str, object]) -> SearchPage:
        """Google's own sentences are not passed on: they may repeat what was sent (WEB-05)."""
        reasons = {item.get("reason") for item in as_objects(error.get("errors"))}
        is_short = bool(reasons & _TOO_FAST) and "per day" not in str(error.get("message"))
        if is_short:
            return self._over_quota(reply)
        if reply.status == 429 or reasons & (_DAILY | _TOO_FAST):
            wait = reply.retry_after_seconds or self._seconds_to_reset()
            reason = f"The daily quota of {self.name} is used up; it starts anew at midnight Pacific time."
            return self._page(PageStatus.QUOTA, reason, wait)
        if reply.status in (400, 401, 403):
            reason = f"{self.name} refused the key or the engine id; check GOOGLE_CSE_API_KEY and GOOGLE_CSE_CX."
            return self._page(PageStatus.FAILED, reason)
        return self._broken(reply)

    def _seconds_to_reset(self) -> int:
        now = self._now().astimezone(UTC)
        reset = now.replace(hour=_RESET_HOUR_UTC, minute=0, second=0, microsecond=0)
        if reset <= now:
            reset += timedelta(days=1)
        return round((reset - now).total_seconds())


def _hit(item: dict[str, object]) -> SearchHit | None:
    return make_hit(item.get("title"), item.get("link"), item.get("snippet"))


def _require_token(value: str, setting: str) -> str:
    """A header or address cannot carry other characters, and the client's error would repeat them."""
    value = value.strip()
    if not value or not value.isascii() or not value.isprintable() or " " in value:
        raise BadSetting(f"{setting} is empty or has characters that no key has; copy it again.")
    return value
