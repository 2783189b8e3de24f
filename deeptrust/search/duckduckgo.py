"""DuckDuckGo by its HTML endpoint: no key, one form, one page (D18)."""

import re
from urllib.parse import parse_qs, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from deeptrust.language.clean import fold_space
from deeptrust.search.address import require_engine_address, web_link
from deeptrust.search.base import SearchPage
from deeptrust.search.nesting import is_nested_too_deep
from deeptrust.search.result_list import ResultList
from deeptrust.search.transport import Reply, Request, SearchTransport
from deeptrust.search.web_engine import WebEngine

DUCKDUCKGO_URL = "https://html.duckduckgo.com/html/"
USER_AGENT = "Mozilla/5.0 (compatible; DeepTrust; local research workspace)"

_BLOCKED = frozenset({202, 403})
"""Statuses of a refusal to robots; 202 comes with a page that has no results."""

_OWN_DOMAIN = "duckduckgo.com"
_REDIRECT_PATH = "/l"
_NESTED_REDIRECTS = 3
_CHALLENGE = ", ".join(
    f"{tag}[{attribute}*={word} i]"
    for tag in ("form", "div", "section", "iframe")
    for attribute in ("id", "class", "action", "src")
    for word in ("anomaly", "captcha", "challenge", "turnstile")
)
_ROBOT = re.compile(
    r"\b(ro)?bots?\b|\bcaptcha\b|\bunusual traffic\b|\bautomated (queries|requests)\b|\byou are (a )?human\b|"
    r"\bjust a moment\b|\bchecking your browser\b",
    re.IGNORECASE,
)
_SHORT_PAGE = 2_500
"""Characters of text, the query and a list of regions included."""

_NOTHING = re.compile(r"\bno (\w+ )?results\b|\bdid not match any\b", re.IGNORECASE)


class DuckDuckGo(WebEngine):
    """Reads result pages by structure, decodes their redirect links and drops advertisements."""

    name = "DuckDuckGo"
    longest_query = 499
    """Longer ones come back without results."""
    longest_page = 30

    def __init__(self, transport: SearchTransport, url: str = DUCKDUCKGO_URL) -> None:
        """`url` is the address of the form.

        Raises:
            BadSetting: queries would travel unencrypted.
        """
        super().__init__(transport)
        self._url = require_engine_address(url, "DEEPTRUST_DUCKDUCKGO_URL")

    def _request(self, query: str, limit: int) -> Request:
        return Request("POST", self._url, {"q": query}, {"User-Agent": USER_AGENT, "Accept": "text/html"})

    def _read(self, reply: Reply) -> SearchPage:
        if reply.status in _BLOCKED:
            return self._blocked(reply)
        if reply.status == 429:
            return self._over_quota(reply)
        if reply.status >= 300:
            return self._broken(reply)
        return self._read_page(reply)

    def _read_page(self, reply: Reply) -> SearchPage:
        """Tell the four kinds of page apart (WEB-02): challenge, results, "nothing found", unknown."""
        if is_nested_too_deep(reply.text):
            return self._layout_changed()
        document = LexborHTMLParser(reply.text)
        if document.css_first(_CHALLENGE) is not None:
            return self._blocked(reply)
        is_ours = document.css_first("form input[name=q], a[href*='uddg=']") is not None
        hits = ResultList(document, self._lead).hits() if is_ours else []
        if hits:
            return self._found(hits)
        text = fold_space(document.text(separator=" "))
        if is_ours and _says_nothing_found(document, text):
            return self._empty()
        is_wall = len(text) <= _SHORT_PAGE and _ROBOT.search(text)
        return self._blocked(reply) if is_wall else self._layout_changed()

    def _lead(self, href: str) -> str | None:
        """Where a link leads: an outside address, "" for an advertisement, None for navigation."""
        url, is_result = href, False
        for _ in range(_NESTED_REDIRECTS + 1):
            try:
                url = urljoin(self._url, url.strip())
                parts = urlsplit(url)
                fields = parse_qs(parts.query)
            except ValueError:
                return None
            if _is_advertisement(parts.path, fields):
                return ""
            if not self._is_own(parts.netloc):
                return web_link(url)
            if parts.path.rstrip("/") != _REDIRECT_PATH:
                return web_link(url) if is_result else None
            url, is_result = fields.get("uddg", [""])[0], True
        return None

    def _is_own(self, netloc: str) -> bool:
        host = netloc.rpartition(":")[0] or netloc
        return netloc == urlsplit(self._url).netloc or f".{host}".endswith(f".{_OWN_DOMAIN}")


def _says_nothing_found(document: LexborHTMLParser, text: str) -> bool:
    """A page with the engine's own mark, or a short one in words; a page with results may quote the words."""
    if document.css_first("[class*=no-result]") is not None:
        return True
    has_results = document.css_first("a[href*='uddg=']") is not None
    return not has_results and len(text) <= _SHORT_PAGE and bool(_NOTHING.search(text))


def _is_advertisement(path: str, fields: dict[str, list[str]]) -> bool:
    return path.endswith(("/y.js", "/aclick", "/aclk")) or bool({"ad_domain", "ad_provider"} & fields.keys())
