"""A hub on loopback that sends a catalogued model and never ends, so that a browser can watch it come. All is zeros."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, repeat

from deeptrust.llm.catalogue import CATALOGUE

MODEL = next(model for model in CATALOGUE if model.id == "smollm2-360m")
_BLOCK = bytes(1_000_000)
_QUICK_BLOCKS = 40
_DROP = bytes(1_000)
_PAUSE_SECONDS = 0.05


@contextmanager
def slow_hub() -> Generator[str]:
    """Serve on a free port; yields its address. It knows ranges, so a download can go on.

    Each answer begins with 20 MB a second and is soon down to 20 KB: no machine is too slow to see it under way.
    """
    size, path = MODEL.file.size_bytes, f"/{MODEL.file.repository}/resolve/{MODEL.file.revision}/{MODEL.file.name}"

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != path:
                return self.send_error(404)
            start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
            self.send_response(206 if start else 200)
            self.send_header("ETag", '"zeros"')
            self.send_header("Content-Length", str(size - start))
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
            self.end_headers()
            try:
                for block in chain(repeat(_BLOCK, _QUICK_BLOCKS), repeat(_DROP)):
                    self.wfile.write(block)
                    time.sleep(_PAUSE_SECONDS)
            except OSError:
                return None  # the download was cancelled
            return None

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
