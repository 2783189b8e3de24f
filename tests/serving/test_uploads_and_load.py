"""What is uploaded never comes back as a page of ours, and heavy work leaves the server answering."""

import threading
from pathlib import Path

import httpx
import pytest

from tests.live import LiveServer, live_server
from tests.serving.conftest import QUICK
from tests.serving.test_start_and_stop import client_of
from tests.waiting import LONG_SECONDS, PATIENCE_SECONDS

pytestmark = pytest.mark.thorough

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


@pytest.mark.models
@pytest.mark.thorough
def test_dep_02_health_is_answered_while_a_long_document_is_embedded(home: Path):
    with (
        live_server(home, settings={**QUICK, "embedder": "minilm"}) as running,
        client_of(running) as http,
    ):
        text = "The lighthouse keeper wrote a letter to his sister about the storm of the year. " * 4000

        def add() -> None:
            with client_of(running) as other:
                other.post("/api/documents", files={"file": ("book.txt", text.encode())}, timeout=LONG_SECONDS)

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
