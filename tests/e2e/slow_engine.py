"""A search engine on loopback that takes its time, so that a test can step in while a plan runs."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.search.engine_pages import Entry, classic

ENTRY = Entry("Tram fares, 2026", "https://fares.example/tram", "The tram to the harbour costs five crowns since 2026.")


@contextmanager
def slow_engine(seconds: float) -> Generator[str]:
    """Serve one result page on a free port; yields its address."""
    page = classic([ENTRY]).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.do_GET()

        def do_GET(self) -> None:
            time.sleep(seconds)
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=UTF-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            with suppress(BrokenPipeError):  # the run was stopped, and its client is gone
                self.wfile.write(page)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/html/"
    finally:
        server.shutdown()
        server.server_close()
