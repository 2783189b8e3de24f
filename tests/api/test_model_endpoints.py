"""Chat models over HTTP: the contract's names (D23, D30), and what a person can do with a model."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from deeptrust.api import model
from deeptrust.api.caller import identify_caller
from deeptrust.api.errors import register_errors
from deeptrust.llm.base import ChatModel
from deeptrust.llm.selector import ModelSelector
from deeptrust.services import current_services
from tests.llm.hub_server import HubServer, run_hub
from tests.llm.model_server import FakeOllama, serving
from tests.llm.shops import list_model, make_settings, open_shop
from tests.waiting import until

CONTENT = b"GGUF" + random.Random(11).randbytes(300_000)
CANARY = "sk-canary-0b6d"


@dataclass
class Parts:
    """What the routes take from the services."""

    selector: ModelSelector

    @property
    def chat_model(self) -> ChatModel | None:
        return self.selector.current


class Callers:
    """Counts those who ask; without a thread, so that the route has begun one turn of the loop later."""

    def __init__(self) -> None:
        self.count = 0

    async def identify(self) -> str:
        self.count += 1
        return "somebody"


@dataclass
class Place:
    """A program before the routes, and the servers behind them."""

    client: httpx.AsyncClient
    hub: HubServer
    ollama: FakeOllama
    home: Path
    callers: Callers


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    ollama = FakeOllama()
    async with run_hub(HubServer(CONTENT)) as hub, serving(ollama):
        settings = make_settings(tmp_path, HF_ENDPOINT=hub.url, ollama_url=ollama.url)
        async with open_shop(settings, [list_model(hub)]) as (selector, _):
            app = FastAPI()
            register_errors(app)
            app.include_router(model.router)
            callers = Callers()
            app.dependency_overrides[identify_caller] = callers.identify

            async def give_parts() -> Parts:
                return Parts(selector)

            app.dependency_overrides[current_services] = give_parts
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1/api") as client:
                yield Place(client, hub, ollama, tmp_path, callers)


async def frames_of(place: Place, path: str, **request: Any) -> list[dict[str, Any]]:
    answer = await place.client.post(path, **request)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return [json.loads(line.removeprefix("data: ")) for line in answer.text.splitlines() if line]


async def test_the_list_has_every_model_and_who_decides(place: Place):
    found = (await place.client.get("models")).json()
    assert (found["choice"], found["fixedBy"]) == ("auto", "")
    assert [offer["id"] for offer in found["models"]][:3] == ["none", "bundled", "small"]
    assert set(found["models"][1]) == {
        "id", "name", "backend", "reachesNetwork", "isPassedOn", "isReady", "isChosen", "writes", "description",
        "message", "sizeBytes", "contextTokens", "canDownload",
    }  # fmt: skip
    looked = (await place.client.get("models", params={"refresh": True})).json()
    assert next(offer["id"] for offer in looked["models"] if offer["isChosen"]) == "ollama:fake:1b"


async def test_choose_and_test(place: Place):
    chosen = (await place.client.post("model/choose", json={"modelId": "ollama:fake:1b"})).json()
    assert chosen["choice"] == "ollama:fake:1b"
    tested = (await place.client.post("model/test", json={})).json()
    assert tested["text"] == "Hello there."
    assert set(tested) == {"text", "completionTokens", "seconds", "secondsToFirst", "tokensPerSecond"}
    missing = await place.client.post("model/choose", json={"modelId": "bigger"})
    assert (missing.status_code, missing.json()["detail"][:24]) == (400, "There is no model bigger")
    not_ready = await place.client.post("model/choose", json={"modelId": "small"})
    assert (not_ready.status_code, "Download it first" in not_ready.json()["detail"]) == (409, True)


async def test_d30_a_download_streams_bytes_and_percent(place: Place):
    place.hub.block_seconds = 0.02
    frames = await frames_of(place, "model/download", json={"modelId": "small"})
    assert frames[-1]["status"] == "done"
    assert frames[-1]["progress"] == 100
    middle = next(frame for frame in frames if frame["etaSeconds"])
    assert set(middle) == {
        "status", "progress", "file", "message", "receivedBytes", "totalBytes", "bytesPerSecond", "etaSeconds"
    }  # fmt: skip
    assert (middle["status"], middle["file"], middle["totalBytes"]) == ("downloading", "small", len(CONTENT))
    assert 0 < middle["progress"] < 100


async def test_a_download_goes_on_when_its_listener_leaves_and_can_be_cancelled(place: Place):
    place.hub.block_seconds = 0.5
    leaving = asyncio.create_task(place.client.post("model/download", json={"modelId": "small"}))
    await until(lambda: bool(place.hub.ranges()))
    leaving.cancel()
    joining = asyncio.create_task(frames_of(place, "model/download", json={"modelId": "small"}))
    await until(lambda: place.callers.count == 2)
    await asyncio.sleep(0.1)  # many turns of the loop
    assert (await place.client.post("model/cancel", json={"modelId": "small"})).status_code == 204
    assert (await joining)[-1]["status"] == "cancelled"
    assert len(place.hub.ranges()) == 1


async def test_d30_load_downloads_chooses_and_loads(place: Place):
    """The file is no model, so the last frame tells that; what came before is the contract's order."""
    place.hub.block_seconds = 0.02
    frames = await frames_of(place, "model/load", params={"modelId": "Maker/Small", "dtype": "q4"})
    statuses = [frame["status"] for frame in frames]
    assert statuses.index("downloading") < statuses.index("done")
    assert set(statuses[statuses.index("done") + 1 :]) <= {"absent", "loading", "failed"}
    assert frames[-1]["status"] == "failed"
    assert "cannot load Small" in frames[-1]["message"]
    assert (await place.client.get("models")).json()["choice"] == "small"


async def test_d30_load_ends_ready(place: Place):
    frames = await frames_of(place, "model/load", params={"modelId": "bundled"})
    assert (frames[-1]["status"], frames[-1]["progress"]) == ("ready", 100)


async def test_a_link_loads_nothing(place: Place):
    assert (await place.client.get("model/load", params={"modelId": "small"})).status_code == 401
    assert place.hub.asked == []


async def test_a_key_is_kept_and_never_told(place: Place):
    kept = await place.client.put("model/key", json={"name": "endpoint", "key": CANARY})
    assert (kept.status_code, kept.text) == (204, "")
    assert CANARY in (place.home / "keys.json").read_text()
    assert CANARY not in (await place.client.get("models")).text
    refused = await place.client.put("model/key", json={"name": "bank", "key": CANARY})
    assert (refused.status_code, CANARY in refused.text) == (400, False)
    for body in ({"name": "endpoint", "key": [CANARY]}, {"key": CANARY}):
        malformed = await place.client.put("model/key", json=body)
        assert (malformed.status_code, CANARY in malformed.text) == (400, False)
        assert "The request is malformed: body." in malformed.json()["detail"]


async def test_an_address_is_kept_and_models_are_looked_for_there(place: Place):
    kept = await place.client.put("model/server", json={"name": "endpoint_url", "value": "http://127.0.0.1:9/v1"})
    assert kept.status_code == 204
    found = (await place.client.get("models")).json()["models"]
    assert "Nothing answers at http://127.0.0.1:9/v1" in next(
        one["message"] for one in found if one["id"] == "endpoint:"
    )
    fixed = await place.client.put("model/server", json={"name": "ollama_url", "value": "http://127.0.0.1:9"})
    assert fixed.status_code == 409
    for body in (
        {"name": "home", "value": "/tmp"},
        {"name": "endpoint_url", "value": "nonsense"},
        {"name": "ollama_url"},
    ):
        assert (await place.client.put("model/server", json=body)).status_code in (400, 422), body
