"""A search engine on loopback that counts what it is asked: the witness of how often a tool really ran."""

import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

_PAGE = """<html><body><form action="/html/"><input name="q" value="{query}"></form>
<div class="serp__results"><div id="links" class="results">
<div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">
<h2 class="result__title"><a rel="nofollow" class="result__a" href="https://fares.example/{query}">{query}
 in 2026</a></h2>
<a class="result__snippet" href="https://fares.example/{query}">The {query} costs five crowns since 2026.</a>
</div></div></div></div></body></html>"""


class CountingEngine:
    """Answers every query with one hit, and remembers how often each was asked."""

    def __init__(self) -> None:
        self.url = ""
        self._asked: Counter[str] = Counter()
        self._guard = threading.Lock()

    def note(self, query: str) -> None:
        """Count one request."""
        with self._guard:
            self._asked[query] += 1

    def count(self, word: str) -> int:
        """How many requests held `word`."""
        with self._guard:
            return sum(count for query, count in self._asked.items() if word in query.split())


@contextmanager
def counting_engine() -> Generator[CountingEngine]:
    """Serve a `CountingEngine` on a free port, in threads of this process."""
    engine = CountingEngine()

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            self._answer(parse_qs(body))

        def do_GET(self) -> None:
            self._answer(parse_qs(urlsplit(self.path).query))

        def _answer(self, fields: dict[str, list[str]]) -> None:
            query = fields.get("q", [""])[0]
            engine.note(query)
            page = _PAGE.format(query=query.replace(" ", "-")).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=UTF-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            with suppress(OSError):  # who asked may have been killed
                self.wfile.write(page)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    engine.url = f"http://127.0.0.1:{server.server_port}/html/"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield engine
    finally:
        server.shutdown()
        server.server_close()
