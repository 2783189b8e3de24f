"""Wikipedia by the search of its MediaWiki API: no key, JSON (K15)."""

from urllib.parse import quote, urljoin

from deeptrust import __version__
from deeptrust.search.address import require_engine_address
from deeptrust.search.base import SearchHit, SearchPage
from deeptrust.search.hit import make_hit, strip_markup
from deeptrust.search.json_reply import as_object, as_objects, read_json
from deeptrust.search.transport import Reply, Request, SearchTransport
from deeptrust.search.web_engine import WebEngine

WIKIPEDIA_URL = "https://en.wikipedia.org/w/api.php"
USER_AGENT = f"DeepTrust/{__version__} (local research workspace; asks when a person approved a plan)"
"""Wikimedia asks programs to say who they are and what they do; nameless ones get 403."""


class Wikipedia(WebEngine):
    """Searches the articles of one language's Wikipedia, or of any MediaWiki."""

    name = "Wikipedia"
    longest_query = 300
    """The search refuses longer ones."""
    longest_page = 50

    def __init__(self, transport: SearchTransport, url: str = WIKIPEDIA_URL) -> None:
        """`url` is the address of `api.php`; articles are below `/wiki/` of the same host.

        Raises:
            BadSetting: queries would travel unencrypted.
        """
        super().__init__(transport)
        self._url = require_engine_address(url, "DEEPTRUST_WIKIPEDIA_URL")

    def _request(self, query: str, limit: int) -> Request:
        fields = {
            "action": "query",
            "list": "search",
            "srsearch": query,
            "srlimit": str(limit),
            "srprop": "snippet",
            "format": "json",
            "formatversion": "2",
        }
        return Request("GET", self._url, fields, {"User-Agent": USER_AGENT, "Accept": "application/json"})

    def _read(self, reply: Reply) -> SearchPage:
        answer = read_json(reply.text)
        error = as_object(answer.get("error"))
        if reply.status == 429 or error.get("code") in ("ratelimited", "maxlag"):
            return self._over_quota(reply)
        if reply.status == 403:
            return self._blocked(reply)
        if reply.status >= 300 or error:
            return self._broken(reply)
        items = as_object(answer.get("query")).get("search")
        if items == []:
            return self._empty()
        hits = [hit for hit in map(self._hit, as_objects(items)) if hit is not None]
        return self._found(hits) if hits else self._layout_changed()

    def _hit(self, item: dict[str, object]) -> SearchHit | None:
        title = item.get("title")
        if not isinstance(title, str):
            return None
        link = urljoin(self._url, "/wiki/" + quote(title.strip().replace(" ", "_"), safe="/:(),'!*", errors="replace"))
        return make_hit(title, link, strip_markup(item.get("snippet")))
