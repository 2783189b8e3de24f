"""What a visitor has open: a flood slows only them, an upload is bounded, and a sign-out ends it all at once."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from deeptrust.api.event_pace import CHARACTERS
from deeptrust.identity.admission import EVENTS_AT_ONCE
from tests.live import LiveServer, live_server
from tests.matrix.conftest import HOSTED
from tests.matrix.visitors import CONVERSATION, ROOT, Tab, Visitor
from tests.waiting import PATIENCE_SECONDS

PASSWORD = "open sesame"
LIBRARY = f"{ROOT}.deeptrust___ui___state___library____library_state"
SMALL = {"max_document_bytes": "2000", "max_files_per_upload": "3", "max_bytes_per_upload": "4000"}
EMPTY_QUESTION = "The question is empty"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("home"), {**HOSTED, **SMALL, "password": PASSWORD}) as running:
        yield running


@contextmanager
def opened(visitor: Visitor) -> Iterator[Tab]:
    """A tab in which the page has begun: only then the server knows whose it is."""
    with visitor.open_tab() as tab:
        tab.send(f"{LIBRARY}.refresh", {})
        tab.wait_for("is_loaded")
        yield tab


@contextmanager
def signed_in(server: LiveServer) -> Iterator[Visitor]:
    with Visitor(server) as visitor:
        assert visitor.http.post("/login", data={"password": PASSWORD}).status_code == 303
        yield visitor


def wait_for_approval(visitor: Visitor) -> str:
    """Bring a run as far as the gate, where its stream stays open, and return its id."""
    visitor.http.post("/api/documents", files={"file": ("a.md", b"The deposit is 1,850 euros.")}).raise_for_status()
    visitor.http.post("/api/research", json={"query": "What is the deposit?", "sources": "documents"}).read()
    return visitor.http.get("/api/research/runs").json()[0]["threadId"]


def test_a_flood_of_events_is_told_so_loses_nothing_and_holds_up_nobody_else(server: LiveServer):
    with (
        signed_in(server) as eager,
        eager.open_tab() as flooding,
        signed_in(server) as calm,
        calm.open_tab() as ordinary,
    ):
        # Long ones, each of which counts for many: so that a slow machine, too, gets more than it may read.
        for _ in range(2 * EVENTS_AT_ONCE // 20):
            flooding.send(f"{CONVERSATION}.ask", {"question": " " * (20 * CHARACTERS)})
        ordinary.send(f"{CONVERSATION}.ask", {"question": " "})
        assert 'hurried_rx_state_":true' not in ordinary.wait_for(EMPTY_QUESTION)
        heard = flooding.wait_for('hurried_rx_state_":true')
        flooding.send(f"{LIBRARY}.add_note", {"form": {"note": "The tide turns at noon."}})  # behind all the others
        flooding.wait_for("The tide turns")
        assert EMPTY_QUESTION in heard


@pytest.mark.parametrize("ending", ["logout", "forget"])
def test_aut_01_an_open_websocket_ends_with_the_admission_and_not_at_its_next_event(server: LiveServer, ending: str):
    with signed_in(server) as visitor, visitor.open_tab() as tab, signed_in(server) as other, other.open_tab() as apart:
        visitor.http.post(f"/{ending}")
        with pytest.raises(ConnectionClosed):
            tab.wait_for_end()
        apart.send(f"{CONVERSATION}.ask", {"question": " "})
        apart.wait_for(EMPTY_QUESTION)


def test_aut_01_an_open_stream_ends_with_the_admission(server: LiveServer):
    with signed_in(server) as visitor:
        run = wait_for_approval(visitor)
        with visitor.http.stream("GET", f"/api/research/runs/{run}/events") as stream:
            pieces = stream.iter_text()
            assert "event:" in next(pieces)
            assert visitor.http.post("/logout").status_code == 303
            for _ in pieces:
                pass
        assert visitor.http.get(f"/api/research/runs/{run}").status_code == 401
        visitor.http.post("/login", data={"password": PASSWORD})
        assert visitor.http.get(f"/api/research/runs/{run}").json()["status"] == "awaiting_approval"


def test_an_open_stream_ends_with_the_token_that_opened_it(server: LiveServer):
    with signed_in(server) as visitor:
        run = wait_for_approval(visitor)
        token = visitor.http.post("/api/me/token").json()["token"]
        program = httpx.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE_SECONDS
        )
        with program, program.stream("GET", f"/api/research/runs/{run}/events") as stream:
            pieces = stream.iter_text()
            assert "event:" in next(pieces)
            visitor.http.post("/api/me/token").raise_for_status()
            for _ in pieces:
                pass
        assert visitor.http.get(f"/api/research/runs/{run}").json()["status"] == "awaiting_approval"


def test_aut_01_an_upload_under_way_ends_with_the_admission(server: LiveServer):
    with signed_in(server) as visitor:
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\n\r\nThe tide '

        def body() -> Iterator[bytes]:
            yield head
            headers = {"Cookie": visitor.cookie, "Origin": server.url}
            leaving = httpx.post(f"{server.url}/logout", headers=headers, timeout=PATIENCE_SECONDS)
            assert leaving.status_code == 303
            yield b"turns at noon.\r\n--x--\r\n"

        kind = {"Content-Type": "multipart/form-data; boundary=x"}
        with suppress(httpx.TransportError):  # cut off before the answer
            assert visitor.http.post("/api/documents", content=body(), headers=kind).status_code >= 400
        assert visitor.http.post("/login", data={"password": PASSWORD}).status_code == 303
        assert visitor.http.get("/api/documents").json() == []


def upload(visitor: Visitor, token: str, files: list[Any]) -> httpx.Response:
    """Send files as the page does."""
    headers = {"Reflex-Client-Token": token, "Reflex-Event-Handler": f"{LIBRARY}.add_files"}
    return visitor.http.post("/_upload", headers=headers, files=[("files", file) for file in files])


def test_an_upload_of_too_many_files_is_broken_off_and_the_page_says_how_many_there_may_be(server: LiveServer):
    with signed_in(server) as visitor, opened(visitor) as tab:
        files = [(f"{number}.txt", f"The tide turns at {number}.".encode()) for number in range(20)]
        assert upload(visitor, tab.name, files).status_code < 500
        assert "At once 3 files and 4,000 bytes can be added" in tab.wait_for("can be added")
        assert sorted(one["label"] for one in visitor.http.get("/api/documents").json()) == ["0.txt", "1.txt", "2.txt"]


def test_an_upload_of_too_many_bytes_is_broken_off_and_the_page_says_how_many_there_may_be(server: LiveServer):
    with signed_in(server) as visitor, opened(visitor) as tab:
        assert upload(visitor, tab.name, [("a.txt", b"The tide turns."), ("b.txt", b"x " * 500_000)]).status_code < 500
        assert "At once 3 files and 4,000 bytes can be added" in tab.wait_for("can be added")
        assert [one["label"] for one in visitor.http.get("/api/documents").json()] == ["a.txt"]


def test_a_body_beyond_all_files_is_413_however_it_is_sent(server: LiveServer):
    with signed_in(server) as visitor:
        pieces = (b"x" * 2**20 for _ in range(40))
        headers = {"Reflex-Client-Token": "t", "Reflex-Event-Handler": f"{LIBRARY}.add_files"}
        kind = {"Content-Type": "multipart/form-data; boundary=x"}
        head = b'--x\r\nContent-Disposition: form-data; name="other"\r\n\r\n'
        answer = visitor.http.post("/_upload", headers={**headers, **kind}, content=_after(head, pieces))
        assert answer.status_code == 413
        assert "bytes at most" in answer.json()["detail"]


def _after(head: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from pieces
