"""A search engine on loopback that answers when it is told to, so that a test can step in while a plan runs."""

import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.search.engine_pages import Entry, classic

ENTRY = Entry("Tram fares, 2026", "https://fares.example/tram", "The tram to the harbour costs five crowns since 2026.")


class SlowEngine:
    """One result page, for whoever asks once `may_answer` is set."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()


@contextmanager
def slow_engine(engine: SlowEngine) -> Generator[str]:
    """Listen on a free port until the block ends; yields the address."""
    page = classic([ENTRY]).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.do_GET()

        def do_GET(self) -> None:
            engine.may_answer.wait()
            with suppress(OSError):  # the run was stopped, and its client is gone
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=UTF-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/html/"
    finally:
        engine.may_answer.set()
        server.shutdown()
        server.server_close()
