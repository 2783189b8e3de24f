"""Two browsers at a hosted server: neither sees, changes or deletes what is the other's, not even by its id."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import httpx
import pytest

from tests.api.conftest import ORIGIN, Door, OpenDoor

POSTING = "Senior engineer wanted. You know Python and SQL. Five years of experience are needed."


@dataclass
class Ann:
    """What the first browser has."""

    browser: httpx.AsyncClient
    owner: str
    document_id: str
    run_id: str
    job_id: str


@pytest.fixture
async def door(open_door: OpenDoor) -> AsyncGenerator[Door]:
    async with open_door(mode="hosted") as opened:
        yield opened


@pytest.fixture
async def ann(door: Door) -> AsyncGenerator[Ann]:
    async with door.visitor() as browser:
        await browser.get("/")
        added = await browser.post("/api/documents", files={"file": ("lease.txt", b"The deposit is 1,850 euros.")})
        await browser.post("/api/ask", json={"question": "What is the deposit?"})
        owner = await door.services.admission.enter(secret_of(browser))
        job = await door.services.study.add(owner, POSTING, None)
        run = (await browser.get("/api/research/runs")).json()[0]
        yield Ann(browser, owner, added.json()["document"]["id"], run["threadId"], job.id)


@pytest.fixture
async def eve(door: Door) -> AsyncGenerator[httpx.AsyncClient]:
    async with door.visitor(address="10.0.0.66") as browser:
        await browser.get("/")
        yield browser


async def test_lists_hold_only_what_is_ones_own(ann: Ann, eve: httpx.AsyncClient):
    for path in ("/api/documents", "/api/research/runs"):
        assert (await eve.get(path)).json() == []
        assert len((await ann.browser.get(path)).json()) == 1


async def test_the_ids_of_another_are_not_found(ann: Ann, eve: httpx.AsyncClient):
    knocks = [
        ("GET", f"/api/documents/{ann.document_id}/pages/1", None),
        ("DELETE", f"/api/documents/{ann.document_id}", None),
        ("GET", f"/api/research/runs/{ann.run_id}", None),
        ("GET", f"/api/research/runs/{ann.run_id}/events", None),
        ("DELETE", f"/api/research/runs/{ann.run_id}", None),
        ("POST", "/api/research/approve", {"threadId": ann.run_id}),
        ("POST", "/api/research/reject", {"threadId": ann.run_id}),
    ]
    for method, path, body in knocks:
        answer = await eve.request(method, path, json=body)
        never = await eve.request(method, path.replace(ann.run_id, "0" * 32), json=body and {"threadId": "0" * 32})
        assert answer.status_code == 404, f"{method} {path} answered {answer.status_code}"
        assert (never.status_code, never.text) == (answer.status_code, answer.text) or ann.document_id in path
    assert len((await ann.browser.get("/api/documents")).json()) == 1


async def test_the_job_of_another_is_not_found(ann: Ann, eve: httpx.AsyncClient):
    for path, body in (("ingest", {"harnessId": "local_rag"}), ("ask", {"question": "Who?", "harnessId": "local_rag"})):
        theirs = await eve.post(f"/api/study/{ann.job_id}/research/{path}", json=body)
        nobodys = await eve.post(f"/api/study/{'0' * 32}/research/{path}", json=body)
        assert theirs.json() == nobodys.json()
        assert "Python" not in theirs.text


async def test_another_does_not_find_it_by_asking(ann: Ann, eve: httpx.AsyncClient):
    answer = await eve.post("/api/ask", json={"question": "What is the deposit?"})
    assert "1,850" not in answer.text


async def test_a_tab_name_of_another_opens_a_tab_of_ones_own(door: Door, ann: Ann, eve: httpx.AsyncClient):
    for browser in (ann.browser, eve):
        assert await door.handshake(query="EIO=4&token=tab-of-ann", cookie=cookie_of(browser), origin=ORIGIN)
    first, second = [scope["query_string"] for scope in door.seen if scope["type"] == "websocket"]
    assert first == b"EIO=4&token=tab-of-ann"
    assert second.startswith(b"EIO=4&token=")
    assert b"tab-of-ann" not in second
    for browser, told in ((ann.browser, b"tab-of-ann"), (eve, second.removeprefix(b"EIO=4&token="))):
        await browser.post("/_upload", headers={"Reflex-Client-Token": "tab-of-ann"})
        assert dict(door.seen[-1]["headers"])[b"reflex-client-token"] == told


async def test_a_token_speaks_for_its_user_and_no_other(door: Door, ann: Ann, eve: httpx.AsyncClient):
    token = (await ann.browser.post("/api/me/token")).json()["token"]
    async with door.visitor() as program:
        program.headers = httpx.Headers({"Authorization": f"Bearer {token}"})
        assert len((await program.get("/api/documents")).json()) == 1
        assert (await program.post("/api/ask", json={"question": "What is the deposit?"})).status_code == 200
        await eve.delete("/api/me/token")
        assert (await program.get("/api/documents")).status_code == 200
        await ann.browser.delete("/api/me/token")
        assert (await program.get("/api/documents")).status_code == 401


async def test_the_token_of_the_home_is_the_operators_and_shows_nobody_elses(door: Door, ann: Ann):
    async with door.visitor() as program:
        program.headers = httpx.Headers({"Authorization": f"Bearer {door.services.home.server_token()}"})
        assert (await program.get("/api/documents")).json() == []


async def test_delete_all_my_data_empties_mine_and_leaves_yours(door: Door, ann: Ann, eve: httpx.AsyncClient):
    await eve.post("/api/documents", files={"file": ("mine.txt", b"Kept.")})
    old = cookie_of(ann.browser)
    answer = await ann.browser.delete("/api/me")
    assert answer.json() == {"documents": 1, "questions": 1, "jobs": 1}
    assert cookie_of(ann.browser) != old
    for path in ("/api/documents", "/api/research/runs"):
        assert (await ann.browser.get(path)).json() == []
    assert not await door.handshake(cookie=old, origin=ORIGIN)
    assert len((await eve.get("/api/documents")).json()) == 1
    home = door.services.settings.home_folder
    assert not (home / "users" / ann.owner).exists()
    left = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert b"1,850" not in left


async def test_the_form_says_what_went(ann: Ann):
    page = await ann.browser.post("/forget")
    assert "1 document, 1 question, 1 job" in page.text
    assert "<script" not in page.text
    assert page.headers["cache-control"] == "no-store"
    assert (await ann.browser.get("/api/documents")).json() == []


async def test_in_local_mode_deletion_empties_the_one_user(open_door: OpenDoor):
    async with open_door() as door, door.visitor() as browser, door.visitor() as other:
        await browser.get("/")
        await other.get("/")
        await browser.post("/api/documents", files={"file": ("a.txt", b"Short lived.")})
        assert len((await other.get("/api/documents")).json()) == 1  # one person, two browsers
        assert (await browser.delete("/api/me")).json()["documents"] == 1
        assert (await browser.get("/api/documents")).json() == []
        assert (await other.get("/api/documents")).status_code == 401  # its session went as well
        await other.get("/")
        assert (await other.get("/api/documents")).json() == []


def cookie_of(browser: httpx.AsyncClient) -> str:
    return "; ".join(f"{name}={value}" for name, value in browser.cookies.items())


def secret_of(browser: httpx.AsyncClient) -> str:
    return next(iter(browser.cookies.values()))
