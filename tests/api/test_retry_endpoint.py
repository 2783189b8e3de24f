"""`POST /api/research/retry` over real HTTP: the model is dead, the run is kept and can be taken up again (HIT-20)."""

from collections.abc import Generator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.api.test_research_stream import NOTE, frames, start
from tests.live import live_server
from tests.waiting import PATIENCE_SECONDS

DEAD = {
    "embedder": "hashing",
    "chat_model": "endpoint:any",
    "endpoint_url": "http://127.0.0.1:9/v1",
    "answers": "written",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Generator[httpx.Client]:
    with live_server(tmp_path_factory.mktemp("home"), settings=DEAD) as running:
        token = (running.home / "server.token").read_text()
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=running.url, headers=headers, timeout=PATIENCE_SECONDS) as opened:
            opened.post("/api/documents", files={"file": ("lease.txt", NOTE.encode())}).raise_for_status()
            yield opened


def calls_in(seen: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [call for _, data in seen for entry in data["state"].get("reasoning", []) for call in entry["calls"]]


def test_a_report_is_asked_for_again_on_the_same_run(client: httpx.Client):
    run_id, seen = start(client)
    assert [call["purpose"] for call in calls_in(seen)] == ["plan"]
    approved = frames(client.post("/api/research/approve", json={"threadId": run_id}).text)
    (report,) = calls_in(approved)
    assert report["model"] == "any"
    assert report["note"]
    assert {"promptTokens", "completionTokens", "seconds"} <= set(report)
    before = client.get(f"/api/research/runs/{run_id}").json()
    assert (before["status"], before["retry"], before["model"]) == ("complete", "report", None)
    assert "within 30 days" in before["finalReport"]

    again = client.post("/api/research/retry", json={"threadId": run_id})
    assert again.headers["content-type"].startswith("text/event-stream")
    seen = frames(again.text)
    assert seen[0][1]["state"]["status"] == "synthesizing"
    assert [call["purpose"] for call in calls_in(seen)] == ["report"]
    assert seen[-1][1]["state"]["status"] == "complete"
    after = client.get(f"/api/research/runs/{run_id}").json()
    assert after["stepResults"] == before["stepResults"]
    replayed = client.get(f"/api/research/runs/{run_id}/events").text
    assert replayed.count('"finalReport"') == 2


def test_what_cannot_be_taken_up_gets_a_status_and_runs_nothing(client: httpx.Client):
    run_id, _ = start(client)
    for body, status in (
        ({"threadId": run_id}, 409),
        ({"threadId": str(uuid4())}, 404),
        ({"threadId": run_id, "plan": {}}, 400),
        ({}, 400),
    ):
        assert client.post("/api/research/retry", json=body).status_code == status, body
    assert client.get(f"/api/research/runs/{run_id}").json()["status"] == "awaiting_approval"
