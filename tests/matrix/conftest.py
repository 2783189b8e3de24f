"""A hosted server with a person on it whose things nobody else may see, change or guess."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.live import LiveServer, live_server
from tests.matrix.visitors import STUDY, Visitor

CANARY = "xylophone-canary"
HOSTED = {"mode": "hosted", "embedder": "hashing", "chat_model": "none", "offline": "true", "word_milliseconds": "0"}
_NOTE = f"# {CANARY} rules\n\nThe {CANARY} opens at nine in the morning and closes at five in the afternoon."
_POSTING = f"# {CANARY} tuner\n\nCompany: {CANARY} works\n\n## Requirements\n- Five years of {CANARY} tuning\n"


@dataclass
class Owner:
    """The person, and the ids that a stranger might have got hold of."""

    visitor: Visitor
    document: str
    run: str
    waiting: str
    thread: str
    passage: str
    job: str
    plan_hash: str

    @property
    def ids(self) -> list[str]:
        """Everything that names something of theirs."""
        cited = f"#c-{self.run}-1"
        return [self.document, self.run, self.waiting, self.thread, self.passage, self.job, self.plan_hash, cited]

    def snapshot(self) -> dict[str, Any]:
        """All that the person has, as they see it."""
        http = self.visitor.http
        return {
            "documents": http.get("/api/documents").json(),
            "page": http.get(f"/api/documents/{self.document}/pages/1").json(),
            "runs": http.get("/api/research/runs").json(),
            "run": http.get(f"/api/research/runs/{self.run}").json(),
            "waiting": http.get(f"/api/research/runs/{self.waiting}").json(),
            "jobs": self._jobs(),
        }

    def _jobs(self) -> str:
        with self.visitor.open_tab() as tab:
            tab.send(f"{STUDY}.refresh", {})
            heard = tab.wait_for(self.job)
        return heard[heard.index('"jobs') : heard.index('"jobs') + 400]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("home"), HOSTED) as running:
        yield running


@pytest.fixture(scope="module")
def owner(server: LiveServer) -> Generator[Owner]:
    with Visitor(server) as visitor:
        yield _settle(visitor)


def _settle(visitor: Visitor) -> Owner:
    http = visitor.http
    added = http.post("/api/documents", files={"file": ("rules.md", _NOTE.encode(), "text/markdown")})
    added.raise_for_status()
    answer = http.post("/api/ask", json={"question": f"When does the {CANARY} open?"}).json()["answer"]
    assert answer["grounded"], answer
    http.post("/api/research", json={"query": f"When does the {CANARY} close?", "sources": "documents"}).read()
    runs = http.get("/api/research/runs").json()
    waiting = next(run for run in runs if run["status"] == "awaiting_approval")
    done = next(run for run in runs if run["status"] == "complete")
    view = http.get(f"/api/research/runs/{waiting['threadId']}").json()
    with visitor.open_tab() as tab:
        tab.send(f"{STUDY}.add", {"posting": _POSTING, "resume": ""})
        heard = tab.wait_for("/study/")
    job = heard.split("/study/")[1][:32]
    return Owner(
        visitor=visitor,
        document=http.get("/api/documents").json()[0]["id"],
        run=done["threadId"],
        waiting=waiting["threadId"],
        thread=done["threadId"],
        passage=answer["citations"][0]["passageId"],
        job=job,
        plan_hash=str(view.get("planHash", "")),
    )
