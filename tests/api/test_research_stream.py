"""The research contract over real HTTP, against a real server (D27-D29, K10, K17)."""

import json
import re
import subprocess
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.live import LiveServer, live_server
from tests.waiting import PATIENCE_SECONDS

QUESTION = "What is the deposit and when is it paid back?"
NOTE = "The deposit is 1,850 euros. The landlord pays the deposit back within 30 days after the keys are returned."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    with live_server(
        tmp_path_factory.mktemp("home"), settings={"embedder": "hashing", "chat_model": "none"}
    ) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: LiveServer) -> Generator[httpx.Client]:
    token = (server.home / "server.token").read_text()
    with httpx.Client(
        base_url=server.url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE_SECONDS
    ) as opened:
        opened.post("/api/documents", files={"file": ("lease.txt", NOTE.encode())}).raise_for_status()
        yield opened


def frames(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Split as the founding document's client does: on the blank line, then `event:` and `data:`."""
    found: list[tuple[str, dict[str, Any]]] = []
    for chunk in text.split("\n\n"):
        name, data = re.search(r"event:\s*(\w+)", chunk), re.search(r"data:\s*(\{[\s\S]*\})", chunk)
        if name and data:
            found.append((name[1], json.loads(data[1])))
    return found


def start(client: httpx.Client, **body: object) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    response = client.post("/api/research", json={"query": QUESTION, **body})
    assert response.headers["content-type"].startswith("text/event-stream")
    seen = frames(response.text)
    return seen[0][1]["state"]["threadId"], seen


def test_a_run_streams_to_the_gate_and_after_a_yes_to_its_report(client: httpx.Client):
    run_id, seen = start(client)
    assert seen[0] == ("start", {"node": "_start", "state": {"status": "started", "threadId": run_id}})
    assert {"thinker", "auditor"} <= {data["node"] for name, data in seen if name == "research"}
    name, waiting = seen[-1]
    assert (name, waiting["node"], waiting["state"]["threadId"]) == ("hitl_waiting", "__interrupt__", run_id)
    interrupt = waiting["state"]["interrupt"]
    assert set(interrupt) >= {"message", "plan", "auditResult"}
    assert interrupt["auditResult"]["verdict"] == "approved"

    rest = frames(client.post("/api/research/approve", json={"threadId": run_id}).text)
    nodes = [data["node"] for _, data in rest]
    assert nodes.index("hitl_gate") < nodes.index("tool_executor") < nodes.index("synthesizer")
    assert rest[-1][1]["state"]["status"] == "complete"

    done = next(data["state"]["stepResults"][0] for _, data in rest if data["node"] == "tool_executor")
    assert done["output"].startswith("1 passage of your documents.")

    assert client.get("/api/research/runs").json()[0]["threadId"] == run_id
    view = client.get(f"/api/research/runs/{run_id}").json()
    assert view["status"] == "complete"
    assert view["evidence"] == "found"
    assert {step["output"] for step in view["plan"]["steps"]} == {done["output"]}  # D06, K24
    assert view["plan"]["steps"][0]["executedAt"] == done["executedAt"]
    assert all(citation["quote"] in NOTE for citation in view["citations"])
    numbers = {int(number) for number in re.findall(r"\[(\d+)\]", view["finalReport"])}
    assert numbers and numbers <= {citation["number"] for citation in view["citations"]}


def test_replay_resumes_after_the_last_event_that_was_seen(client: httpx.Client):
    run_id, _ = start(client)
    client.post("/api/research/reject", json={"threadId": run_id})
    whole = client.get(f"/api/research/runs/{run_id}/events").text
    ids = [int(number) for number in re.findall(r"^id: (\d+)$", whole, re.MULTILINE)]
    assert ids == list(range(1, len(ids) + 1))
    tail = client.get(f"/api/research/runs/{run_id}/events", headers={"Last-Event-ID": str(ids[-3])}).text
    assert [int(number) for number in re.findall(r"^id: (\d+)$", tail, re.MULTILINE)] == ids[-2:]
    refused = client.get(f"/api/research/runs/{run_id}/events", headers={"Last-Event-ID": "x"})
    assert refused.status_code == 400


def test_hit_17_a_no_ends_the_run_and_a_later_yes_is_refused(client: httpx.Client):
    run_id, _ = start(client)
    ended = frames(client.post("/api/research/reject", json={"threadId": run_id}).text)
    assert ended[-1][1]["state"]["status"] == "rejected"
    assert not any(data["node"] == "tool_executor" for _, data in ended)
    assert client.post("/api/research/approve", json={"threadId": run_id}).status_code == 409


def test_a_no_with_a_reason_brings_a_new_plan(client: httpx.Client):
    run_id, _ = start(client)
    seen = frames(client.post("/api/research/reject", json={"threadId": run_id, "reason": "Look for the notice."}).text)
    assert seen[-1][0] == "hitl_waiting"
    client.delete(f"/api/research/runs/{run_id}").raise_for_status()
    assert client.get(f"/api/research/runs/{run_id}").json()["status"] == "cancelled"


def test_k23_the_plan_that_was_shown_can_be_sent_back_edited(client: httpx.Client):
    run_id, seen = start(client, retrievedContext=None, contextUrls=None)
    plan = seen[-1][1]["state"]["interrupt"]["plan"]
    plan["steps"][0]["input"] = "deposit of the lease"
    again = frames(client.post("/api/research/edit", json={"threadId": run_id, "plan": plan}).text)
    assert again[-1][0] == "hitl_waiting"
    assert again[-1][1]["state"]["interrupt"]["plan"]["steps"][0]["input"] == "deposit of the lease"
    blank = {**plan, "steps": [{**plan["steps"][0], "input": " \u200b "}]}
    for forged in ({**plan, "humanApproved": True}, blank, {**plan, "objective": "…"}):
        assert client.post("/api/research/edit", json={"threadId": run_id, "plan": forged}).status_code == 400
    client.delete(f"/api/research/runs/{run_id}").raise_for_status()


def test_gra_14_twenty_starts_at_once_are_twenty_runs_and_no_client_names_a_thread(client: httpx.Client):
    with ThreadPoolExecutor(20) as pool:
        runs = [run_id for run_id, _ in pool.map(lambda _: start(client), range(20))]
    assert len(set(runs)) == 20
    listed = [run["threadId"] for run in client.get("/api/research/runs").json()]
    assert sorted(set(listed)) == sorted(listed)
    assert set(runs) <= set(listed)
    named = {"query": QUESTION, "threadId": runs[0]}
    assert client.post("/api/research", json=named).status_code == 400
    for run_id in runs:
        client.delete(f"/api/research/runs/{run_id}").raise_for_status()


def test_wrong_approvals_get_a_status_and_run_nothing(client: httpx.Client):
    run_id, _ = start(client)
    attempts: list[tuple[dict[str, object], int]] = [
        ({"threadId": str(uuid4())}, 404),
        ({"threadId": "\x00"}, 404),
        ({"threadId": run_id, "planHash": "0" * 64}, 409),
        ({"threadId": run_id, "update": {"plan": None}}, 400),
        ({"threadId": run_id, "humanApproved": "no"}, 400),
        ({}, 400),
    ]
    for body, status in attempts:
        assert client.post("/api/research/approve", json=body).status_code == status, body
    assert client.get(f"/api/research/runs/{run_id}").json()["status"] == "awaiting_approval"
    assert client.post("/api/research/approve", json={"threadId": run_id}).status_code == 200
    assert client.post("/api/research/approve", json={"threadId": run_id}).status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        {"query": "\u200b"},
        {"retrievedContext": "x" * 100_001},
        {"contextUrls": ["https://a.example"] * 51},
        {"sessionName": ""},
        {"sessionName": "x" * 201},
        {"sources": "web"},
    ],
    ids=["no words", "long text", "many addresses", "no name", "long name", "other sources"],
)
def test_a_start_that_breaks_a_limit_is_a_sentence(client: httpx.Client, body: dict[str, object]):
    refused = client.post("/api/research", json={"query": QUESTION, **body})
    assert refused.status_code == 400
    assert "went wrong" not in refused.json()["detail"]


def test_curl_reads_the_stream_unbuffered(server: LiveServer):
    token = (server.home / "server.token").read_text()
    command = ["curl", "-sN", "-H", f"Authorization: Bearer {token}", "-H", "Content-Type: application/json"]
    body = json.dumps({"query": QUESTION})
    out = subprocess.run(
        [*command, "-d", body, f"{server.url}/api/research"], capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert out.stdout.startswith("event: start\ndata: {")


def test_text_of_an_outside_caller_becomes_a_labelled_passage(client: httpx.Client):
    supplied = "The broker's fee is 640 euros and is due on signing."
    run_id, _ = start(client, query="How much is the broker's fee?", retrievedContext=supplied)
    client.post("/api/research/approve", json={"threadId": run_id}).raise_for_status()
    citations = client.get(f"/api/research/runs/{run_id}").json()["citations"]
    assert any(
        "640 euros" in citation["quote"] and "supplied by the caller" in citation["title"] for citation in citations
    )


def test_model_loading_without_a_model_is_a_sentence(client: httpx.Client):
    refused = client.post("/api/model/load", params={"modelId": "x"})
    assert refused.status_code == 400
    assert "There is no model x" in refused.json()["detail"]
