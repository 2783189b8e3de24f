"""In hosted mode nobody fills the disk or takes all the work; each refusal is one sentence."""

import asyncio

import httpx
import pytest

from deeptrust.domain.run import RunKind, RunRequest
from deeptrust.errors import Conflict
from tests.api.conftest import Door, OpenDoor


async def add(browser: httpx.AsyncClient, name: str) -> httpx.Response:
    return await browser.post("/api/documents", files={"file": (name, f"This is the text of {name}.".encode())})


async def owner_of(door: Door, browser: httpx.AsyncClient) -> str:
    await browser.get("/")
    return await door.services.admission.enter(next(iter(browser.cookies.values())))


async def test_documents_of_one_user_have_a_limit(open_door: OpenDoor):
    async with open_door(mode="hosted", max_documents_per_user=2) as door, door.visitor() as ann, door.visitor() as eve:
        for browser in (ann, eve):
            await browser.get("/")
        statuses = [(await add(ann, f"{number}.txt")).status_code for number in range(3)]
        assert statuses == [200, 200, 400]
        refusal = await add(ann, "more.txt")
        assert refusal.json()["detail"] == "You have 2 documents, all that this server keeps for you. Remove one first."
        assert (await add(eve, "hers.txt")).status_code == 200
        first = (await ann.get("/api/documents")).json()[0]["id"]
        await ann.delete(f"/api/documents/{first}")
        assert (await add(ann, "more.txt")).status_code == 200


async def test_many_documents_at_once_do_not_slip_through(open_door: OpenDoor):
    async with open_door(mode="hosted", max_documents_per_user=2) as door, door.visitor() as ann:
        await ann.get("/")
        await asyncio.gather(*[add(ann, f"{number}.txt") for number in range(8)])
        assert len((await ann.get("/api/documents")).json()) <= 2


async def test_bytes_of_one_user_have_a_limit(open_door: OpenDoor):
    async with open_door(mode="hosted", max_bytes_per_user=1) as door, door.visitor() as ann:
        await ann.get("/")
        await add(ann, "first.txt")
        refusal = await add(ann, "second.txt")
        assert refusal.status_code == 400
        assert "Remove some first." in refusal.json()["detail"]


async def test_runs_of_one_user_at_once_have_a_limit(open_door: OpenDoor, monkeypatch: pytest.MonkeyPatch):
    async with open_door(mode="hosted", max_runs_per_user=1) as door, door.visitor() as ann, door.visitor() as eve:
        runner = door.services.runner
        mine, hers = await owner_of(door, ann), await owner_of(door, eve)
        held = asyncio.Event()
        monkeypatch.setattr(runner._producers.of(RunKind.ASK), "start", _holding(held))  # pyright: ignore[reportPrivateUsage]
        request = RunRequest(question="What is the deposit?")
        await runner.start(mine, request)
        with pytest.raises(Conflict, match="1 of your runs are at work"):
            await runner.start(mine, request)
        assert (await ann.post("/api/ask", json={"question": "And now?"})).status_code == 409
        await runner.start(hers, request)
        held.set()


async def test_on_ones_own_machine_there_is_no_limit(open_door: OpenDoor):
    async with open_door(max_documents_per_user=1, max_bytes_per_user=1) as door, door.visitor() as browser:
        await browser.get("/")
        assert [(await add(browser, f"{number}.txt")).status_code for number in range(3)] == [200, 200, 200]


def _holding(held: asyncio.Event):
    async def start(*_: object):
        await held.wait()
        return
        yield

    return start
