"""What is uploaded never comes back as a page of ours, and heavy work leaves the server answering."""

import socket
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.documents.conftest import FONT, assemble, show, stream
from tests.live import LiveServer, live_server
from tests.serving.conftest import QUICK
from tests.serving.test_start_and_stop import client_of
from tests.waiting import LONG_SECONDS, PATIENCE_SECONDS

pytestmark = pytest.mark.thorough

_FONTS = b"/Resources << /Font << /F1 5 0 R >> >>"
SCRIPTED = {
    "x.svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>window.__x=1</script><text>tide</text></svg>',
    "x.html": b"<!doctype html><title>x</title><p>tide</p><script>window.__x=1</script>",
}


def test_ui_04_an_uploaded_page_or_picture_is_never_served_as_one(server: LiveServer):
    with client_of(server) as http:
        for name, content in SCRIPTED.items():
            http.post("/api/documents", files={"file": (name, content)})
        documents = [document["id"] for document in http.get("/api/documents").json()]
        reachable = [f"/api/documents/{id_}/pages/1" for id_ in documents]
        guessed = [
            f"{place}/{name}" for name in SCRIPTED for place in ("", "/uploaded_files", "/_upload", "/api/documents")
        ]
        for address in reachable + guessed:
            answer = http.get(address)
            kind = answer.headers.get("content-type", "")
            assert "svg" not in kind
            assert b"window.__x=1</script>" not in answer.content or kind.startswith("application/json")
            assert answer.headers["x-content-type-options"] == "nosniff"


def test_ing_31_an_upload_that_is_broken_off_leaves_nothing(server: LiveServer):
    with client_of(server) as http:
        before = {document["id"] for document in http.get("/api/documents").json()}
        size = 40 * 1024 * 1024
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\n'
        token = (server.home / "server.token").read_text()
        lines = [
            "POST /api/documents HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Authorization: Bearer {token}",
            "Content-Type: multipart/form-data; boundary=x", f"Content-Length: {size}", "", "",
        ]  # fmt: skip
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall("\r\n".join(lines).encode() + head + b"tide " * (size // 10))
        deadline = time.monotonic() + 30
        while (left := _files_of(server.home, 1024 * 1024)) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert left == []
        assert {document["id"] for document in http.get("/api/documents").json()} == before


def _files_of(home: Path, least_bytes: int) -> list[Path]:
    """What lies below the home and holds some of the upload."""
    named = [path for path in home.rglob("*") if path.is_file() and path.stat().st_size >= least_bytes]
    return [path for path in named if b"tide tide tide" in path.read_bytes()]


@pytest.mark.models
def test_dep_02_health_is_answered_while_a_long_document_is_embedded(home: Path):
    text = "The lighthouse keeper wrote a letter to his sister about the storm of the year. " * 4000
    _answers_while_adding(home, "book.txt", text.encode())


@pytest.mark.models
def test_ing_32_health_is_answered_while_a_pdf_of_500_pages_is_read(home: Path):
    lines = [f"The lighthouse keeper wrote line {number} of his letter about the storm." for number in range(14)]
    pages = range(10, 510)
    parts = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%s] /Count 500 >>" % b" ".join(b"%d 0 R" % page for page in pages),
        4: stream(show(*lines)),
        5: FONT,
    }
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R %s >>" % _FONTS
    _answers_while_adding(home, "book.pdf", assemble(parts | dict.fromkeys(pages, page)))


def _answers_while_adding(home: Path, name: str, content: bytes) -> None:
    with (
        live_server(home, settings={**QUICK, "embedder": "minilm"}) as running,
        client_of(running) as http,
    ):

        def add() -> None:
            with client_of(running) as other:
                other.post("/api/documents", files={"file": (name, content)}, timeout=LONG_SECONDS)

        adding = threading.Thread(target=add)
        adding.start()
        answers = 0
        while adding.is_alive() and answers < 40:
            assert httpx.get(f"{running.url}/api/health", timeout=PATIENCE_SECONDS, trust_env=False).status_code == 200
            answers += 1
        is_still_busy = adding.is_alive()
        adding.join()
        assert is_still_busy, "the document was done before it could be in anybody's way"
        assert answers == 40
        assert http.get("/api/documents").json()[0]["passageCount"] > 500
