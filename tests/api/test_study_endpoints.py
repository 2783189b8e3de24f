"""Grounded research over HTTP, through the real app (H20-H22, H28)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from deeptrust.api import study
from deeptrust.api.entrance import Entrance
from deeptrust.api.errors import register_errors
from deeptrust.database.engine import Database
from deeptrust.documents.reader import FileReader
from deeptrust.domain.study import PrepPack
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import NotFound
from deeptrust.harness.claude_project import ClaudeProject
from deeptrust.harness.confirmation import Confirmations
from deeptrust.harness.local_rag import LocalRag
from deeptrust.harness.notebooklm import NotebookLm
from deeptrust.harness.notebooklm_mcp import NotebookLmMcp
from deeptrust.harness.research import Research
from deeptrust.harness.selector import HarnessSelector
from deeptrust.home import HomeFolder
from deeptrust.identity.admission import Admission
from deeptrust.identity.cookie import cookie_name
from deeptrust.identity.secrets import SecretMint
from deeptrust.identity.tabs import Tabs
from deeptrust.identity.users import find_local_user
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.llm.selection import ModelSelection
from deeptrust.settings import load_settings
from tests.harness.notebooks import Notebooks
from tests.harness.packs import JOB, TEXTS, make_pack

QUESTION = "Which ATS do applications go through?"
MINT = SecretMint(b"a key of this test")
SETTINGS = load_settings()
OUR_PAGE = {"Cookie": f"{cookie_name(SETTINGS)}={MINT.make()}", "Origin": "http://127.0.0.1"}


class OneJob:
    """A shelf of jobs with one on it."""

    async def pack(self, owner: str, job_id: str) -> PrepPack:
        if job_id != JOB:
            raise NotFound("There is no such job; it may have been deleted.")
        return make_pack()


@dataclass
class Parts:
    """What the routes take from the services."""

    home: HomeFolder
    study: OneJob
    harnesses: Research
    local_user: str
    admission: Admission
    tabs: Tabs


@pytest.fixture
async def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Parts]:
    database = Database(tmp_path / "deeptrust.sqlite")
    await database.open()
    pool = StorePool(tmp_path / "users")
    embedder = HashingEmbedder()
    harnesses = HarnessSelector([
        LocalRag(lambda owner: Library(pool, owner, embedder, FileReader(1_000_000)), embedder, ModelSelection(None)),
        NotebookLm(database),
        NotebookLmMcp(database, Notebooks(tmp_path).server(), Confirmations()),
        ClaudeProject(database),
    ])  # fmt: skip
    user = await find_local_user(database)
    admission = Admission(database, MINT, everybody=user, password=None)
    made = Parts(HomeFolder(tmp_path), OneJob(), Research(harnesses), user, admission, Tabs())
    monkeypatch.setattr("deeptrust.services._current", made)
    yield made
    await made.harnesses.close()
    await pool.close()
    await database.close()


@pytest.fixture
async def client(parts: Parts) -> AsyncIterator[httpx.AsyncClient]:
    """A program of this person."""
    app = FastAPI()
    register_errors(app)
    app.include_router(study.router)
    headers = {"Authorization": f"Bearer {parts.home.server_token()}"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(Entrance(app, SETTINGS)), base_url="http://127.0.0.1", headers=headers
    ) as made:
        yield made


async def post(client: httpx.AsyncClient, path: str, body: dict[str, Any], job: str = JOB) -> dict[str, Any]:
    answer = await client.post(f"/api/study/{job}/research/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_h20_the_list_names_every_harness_and_the_default(client: httpx.AsyncClient):
    choices = (await client.get("/api/study/research/harnesses")).json()
    assert [choice["id"] for choice in choices] == ["local-rag", "notebooklm", "notebooklm-mcp", "claude-project"]
    assert [choice["isDefault"] for choice in choices] == [True, False, False, False]
    assert choices[0] == {
        "id": "local-rag", "displayName": "Local documents", "isAvailable": True, "reason": "",
        "isDefault": True, "answersHere": True,
    }  # fmt: skip


async def test_h24_ingest_then_ask_gives_a_cited_answer(client: httpx.AsyncClient):
    report = await post(client, "ingest", {"harnessId": "local-rag"})
    assert (report["status"], report["documentCount"], report["passageCount"]) == ("ready", 4, 4)
    answer = await post(client, "ask", {"question": QUESTION, "harnessId": "local-rag"})
    assert set(answer) == {"text", "grounded", "citations", "guidance", "model", "embedder"}
    assert answer["grounded"] is True
    first = answer["citations"][0]
    assert set(first) == {
        "number", "passageId", "title", "page", "section", "url", "quote", "snippet", "score"
    }  # fmt: skip
    assert first["title"] == "ATS & assessment platform"
    assert "Workday" in first["quote"]


async def test_the_default_harness_needs_no_id(client: httpx.AsyncClient):
    assert (await post(client, "ingest", {}))["harnessId"] == "local-rag"
    assert (await post(client, "ask", {"question": QUESTION}))["grounded"] is True


@pytest.mark.parametrize("harness_id", ["notebooklm", "claude-project"])
async def test_files_come_with_the_report_and_asking_points_elsewhere(client: httpx.AsyncClient, harness_id: str):
    report = await post(client, "ingest", {"harnessId": harness_id})
    assert len(report["files"]) > 4
    answer = await post(client, "ask", {"question": QUESTION, "harnessId": harness_id})
    assert (answer["grounded"], answer["citations"]) == (False, [])
    assert report["link"] in answer["guidance"]


@pytest.mark.parametrize("job", ["nobody", "00000000-0000-0000-0000-000000000000", "job-1"])
async def test_h22_an_unknown_job_is_a_soft_failure(client: httpx.AsyncClient, job: str):
    answer = await post(client, "ask", {"question": QUESTION, "harnessId": "local-rag"}, job)
    assert answer["grounded"] is False
    assert answer["guidance"] == "There is no such job; it may have been deleted."
    report = await post(client, "ingest", {"harnessId": "local-rag"}, job)
    assert (report["status"], report["message"]) == ("failed", answer["guidance"])


async def test_an_unknown_harness_is_a_soft_failure(client: httpx.AsyncClient):
    answer = await post(client, "ask", {"question": QUESTION, "harnessId": "oracle"})
    report = await post(client, "ingest", {"harnessId": "oracle"})
    assert answer["guidance"] == report["message"]
    assert "local-rag" in report["message"]


async def test_an_empty_question_is_a_soft_failure(client: httpx.AsyncClient):
    answer = await post(client, "ask", {"question": "  ", "harnessId": "local-rag"})
    assert answer["grounded"] is False
    assert "empty" in answer["guidance"]


@pytest.mark.parametrize("body", [{}, {"question": None}, {"question": QUESTION, "harness": "local-rag"}, []])
async def test_a_body_of_another_shape_is_400(client: httpx.AsyncClient, body: object):
    answer = await client.post(f"/api/study/{JOB}/research/ask", json=body)
    assert answer.status_code == 400


async def test_h21_publishing_takes_a_confirmation(client: httpx.AsyncClient, tmp_path: Path):
    asked = await post(client, "ingest", {"harnessId": "notebooklm-mcp"})
    assert asked["status"] == "confirm"
    assert "Google" in asked["confirmation"]["destination"]
    assert [leaving["title"] for leaving in asked["confirmation"]["leaving"]] == list(TEXTS)
    notebooks = Notebooks(tmp_path)
    for wrong in (None, "", "true"):
        again = await post(client, "ingest", {"harnessId": "notebooklm-mcp", "confirmation": wrong})
        assert again["status"] in ("confirm", "failed")
    assert notebooks.calls() == []
    body = {"harnessId": "notebooklm-mcp", "confirmation": asked["confirmation"]["token"]}
    assert (await post(client, "ingest", body))["status"] == "ready"
    assert len(notebooks.calls("source_add")) == 4
    assert (await post(client, "ingest", body))["status"] == "failed"
    assert len(notebooks.calls("source_add")) == 4


@pytest.mark.parametrize("headers", [
    {}, OUR_PAGE, {"Authorization": "Bearer "}, {"Authorization": "Bearer wrong", **OUR_PAGE},
])  # fmt: skip
async def test_h21_publishing_without_the_token_is_refused(
    client: httpx.AsyncClient, tmp_path: Path, headers: dict[str, str]
):
    asked = await post(client, "ingest", {"harnessId": "notebooklm-mcp"})
    del client.headers["authorization"]
    for confirmation in (None, asked["confirmation"]["token"]):
        body = {"harnessId": "notebooklm-mcp", "confirmation": confirmation}
        answer = await client.post(f"/api/study/{JOB}/research/ingest", json=body, headers=headers)
        assert answer.status_code == 401
    assert not Notebooks(tmp_path).was_started


async def test_h21_the_other_harnesses_are_open_to_our_own_page(client: httpx.AsyncClient):
    del client.headers["authorization"]
    for harness_id in ("local-rag", "notebooklm", "claude-project"):
        answer = await client.post(
            f"/api/study/{JOB}/research/ingest", json={"harnessId": harness_id}, headers=OUR_PAGE
        )
        assert answer.json()["status"] == "ready"


@pytest.mark.parametrize("path", ["research/harnesses", f"{JOB}/research/ingest", f"{JOB}/research/ask"])
async def test_aut_07_nobody_is_served_without_saying_who_calls(client: httpx.AsyncClient, path: str):
    del client.headers["authorization"]
    method = "GET" if path.endswith("harnesses") else "POST"
    answer = await client.request(method, f"/api/study/{path}", json={"question": "who?"})
    assert answer.status_code == 401
