"""One suite for every harness: what the seam promises, whoever answers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from deeptrust.database.engine import Database
from deeptrust.documents.reader import FileReader
from deeptrust.domain.study import PrepPack
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.errors import BadQuestion
from deeptrust.harness.base import ResearchHarness
from deeptrust.harness.claude_project import ClaudeProject
from deeptrust.harness.confirmation import Confirmations
from deeptrust.harness.ingest import IngestReport, PackStatus, job_collection
from deeptrust.harness.local_rag import LocalRag
from deeptrust.harness.mcp_server import read_server
from deeptrust.harness.notebooklm import NotebookLm
from deeptrust.harness.notebooklm_mcp import NotebookLmMcp
from deeptrust.identity.users import find_local_user
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.llm.scripted import ScriptedModel
from deeptrust.llm.selection import ModelSelection
from tests.harness.notebooks import Notebooks
from tests.harness.packs import JOB, TEXTS, make_pack

COLLECTION = job_collection(JOB)
QUESTION = "Which ATS or assessment platform do applications go through?"


@dataclass(frozen=True)
class Ground:
    """What a harness may stand on."""

    database: Database
    pool: StorePool
    notebooks: str
    """The address of an MCP server."""

    def library(self, owner: str) -> Library:
        return Library(self.pool, owner, HashingEmbedder(), FileReader(1_000_000))

    def bundled(self, owner: str) -> Library:
        return Library(self.pool, owner, MiniLmEmbedder(), FileReader(1_000_000))


HARNESSES: dict[str, Callable[[Ground], ResearchHarness]] = {
    "quoting": lambda ground: LocalRag(ground.library, HashingEmbedder(), ModelSelection(None)),
    "writing": lambda ground: LocalRag(ground.library, HashingEmbedder(), ModelSelection(ScriptedModel())),
    "bundled": lambda ground: LocalRag(ground.bundled, MiniLmEmbedder(), ModelSelection(None)),
    "notebooklm": lambda ground: NotebookLm(ground.database),
    "claude-project": lambda ground: ClaudeProject(ground.database),
    "notebooklm-mcp": lambda ground: NotebookLmMcp(
        ground.database, read_server("", ground.notebooks, ""), Confirmations()
    ),
}


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Notebooks(tmp_path_factory.mktemp("notebooks")).listening() as address:
        yield address


@pytest.fixture
async def ground(tmp_path: Path, notebooks: str) -> AsyncIterator[Ground]:
    made = Ground(Database(tmp_path / "deeptrust.sqlite"), StorePool(tmp_path / "users"), notebooks)
    await made.database.open()
    yield made
    await made.pool.close()
    await made.database.close()


@pytest.fixture
async def owner(ground: Ground) -> str:
    return await find_local_user(ground.database)


@pytest.fixture(params=[pytest.param(n, marks=pytest.mark.models) if n == "bundled" else n for n in HARNESSES])
def harness(request: pytest.FixtureRequest, ground: Ground) -> ResearchHarness:
    return HARNESSES[request.param](ground)


async def ingest(harness: ResearchHarness, owner: str, pack: PrepPack) -> IngestReport:
    """Ingest, and say yes where it is asked for."""
    report = await harness.ingest(owner, pack)
    if report.confirmation is None:
        return report
    return await harness.ingest(owner, pack, report.confirmation.token)


async def test_it_says_who_it_is_and_whether_it_is_ready(harness: ResearchHarness):
    assert harness.id in {"local-rag", "notebooklm", "notebooklm-mcp", "claude-project"}
    assert harness.display_name
    availability = await harness.availability()
    assert availability.is_available
    assert availability.reason == ""


async def test_h04_before_ingest_it_states_nothing_and_says_what_to_do(harness: ResearchHarness, owner: str):
    answer = (await harness.ask(owner, COLLECTION, QUESTION)).answer
    assert not answer.grounded
    assert answer.citations == ()
    assert answer.guidance
    assert "Workday" not in answer.text + answer.guidance


async def test_every_document_of_the_pack_is_taken(harness: ResearchHarness, owner: str):
    report = await ingest(harness, owner, make_pack())
    assert (report.harness_id, report.status, report.document_count) == (harness.id, PackStatus.READY, len(TEXTS))
    assert report.message
    assert bool(report.passage_count) is harness.answers_here
    assert bool(report.link) is not harness.answers_here


async def test_h02_an_answer_stands_on_the_pack_or_points_elsewhere(harness: ResearchHarness, owner: str):
    pack = make_pack()
    await ingest(harness, owner, pack)
    detail = await harness.ask(owner, COLLECTION, QUESTION)
    assert detail.answer.grounded is harness.answers_here is bool(detail.answer.citations)
    if not harness.answers_here:
        assert detail.link
        assert detail.link in (detail.answer.guidance or "")
        return
    best = detail.answer.citations[0]
    assert best.title == "ATS & assessment platform"
    assert "Workday" in best.quote
    assert best.snippet
    assert best.score > 0
    texts = [document.markdown for document in pack.documents]
    assert all(any(citation.quote in text for text in texts) for citation in detail.answer.citations)


async def test_what_the_pack_does_not_say_is_not_answered(harness: ResearchHarness, owner: str):
    await ingest(harness, owner, make_pack())
    answer = (await harness.ask(owner, COLLECTION, "What colour is the office carpet?")).answer
    assert not answer.grounded
    assert answer.guidance


async def test_h15_the_second_pack_takes_the_place_of_the_first(harness: ResearchHarness, owner: str):
    first = await ingest(harness, owner, make_pack())
    assert await ingest(harness, owner, make_pack()) == first
    changed = await ingest(
        harness, owner, make_pack(ATS="Applications go through Greenhouse. The test is on Codility.")
    )
    assert (changed.document_count, changed.passage_count) == (first.document_count, first.passage_count)
    answer = (await harness.ask(owner, COLLECTION, QUESTION)).answer
    shown = answer.text + "".join(citation.snippet for citation in answer.citations)
    assert "Workday" not in shown
    assert ("Greenhouse" in shown) is harness.answers_here


async def test_two_jobs_and_two_people_are_kept_apart(harness: ResearchHarness, owner: str):
    await ingest(harness, owner, make_pack())
    for person, collection in ((owner, "job-2"), (uuid4().hex, COLLECTION)):
        detail = await harness.ask(person, collection, QUESTION)
        assert not detail.answer.grounded
        assert "notebook/n1" not in str(detail)


async def test_a_forgotten_job_is_like_one_never_ingested(harness: ResearchHarness, owner: str):
    before = await harness.ask(owner, COLLECTION, QUESTION)
    await ingest(harness, owner, make_pack())
    await harness.forget(owner, COLLECTION)
    after = await harness.ask(owner, COLLECTION, QUESTION)
    assert (after.answer, after.link) == (before.answer, before.link)
    await harness.forget(owner, COLLECTION)


@pytest.mark.parametrize("question", ["", " \n\t", "why " * 5_000])
async def test_a_question_that_is_none_is_refused(harness: ResearchHarness, owner: str, question: str):
    with pytest.raises(BadQuestion):
        await harness.ask(owner, COLLECTION, question)


async def test_ingest_and_ask_can_be_cancelled(harness: ResearchHarness, owner: str, ground: Ground):
    for work in (ingest(harness, owner, make_pack()), harness.ask(owner, COLLECTION, QUESTION)):
        task = asyncio.create_task(work)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert (await ingest(harness, owner, make_pack())).status is PackStatus.READY
