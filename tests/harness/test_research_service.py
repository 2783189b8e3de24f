"""The use cases over all harnesses: resolution, soft failures, links (H27)."""

import pytest

from deeptrust.database.engine import Database
from deeptrust.errors import BadInput, NotFound
from deeptrust.harness.claude_project import ClaudeProject
from deeptrust.harness.confirmation import Confirmations
from deeptrust.harness.ingest import PackStatus
from deeptrust.harness.mcp_reply import SIGN_IN
from deeptrust.harness.notebooklm import NotebookLm
from deeptrust.harness.notebooklm_mcp import NotebookLmMcp
from deeptrust.harness.research import Research
from deeptrust.harness.selector import HarnessSelector
from deeptrust.knowledge.library import Library
from tests.harness.conftest import MakeRag
from tests.harness.notebooks import Notebooks
from tests.harness.packs import JOB, make_pack

QUESTION = "Which ATS do applications go through?"


@pytest.fixture
def research(database: Database, library: Library, make_rag: MakeRag, notebooks: Notebooks) -> Research:
    mcp = NotebookLmMcp(database, notebooks.server("signed-out"), Confirmations())
    return Research(HarnessSelector([make_rag(library), NotebookLm(database), mcp, ClaudeProject(database)]))


async def test_the_default_harness_is_taken_without_an_id(research: Research, owner: str):
    assert (await research.ingest(owner, make_pack())).harness_id == "local-rag"
    assert (await research.ask(owner, JOB, QUESTION)).answer.grounded


async def test_an_unknown_harness_is_a_soft_failure(research: Research, owner: str):
    report = await research.ingest(owner, make_pack(), "local-rug")
    assert report.status is PackStatus.FAILED
    assert "local-rag, notebooklm, notebooklm-mcp, claude-project" in report.message
    answer = (await research.ask(owner, JOB, QUESTION, "local-rug")).answer
    assert not answer.grounded
    assert answer.guidance == report.message


@pytest.mark.parametrize("harness_id", ["local-rag", "notebooklm", "claude-project"])
async def test_an_empty_question_is_a_soft_failure(research: Research, owner: str, harness_id: str):
    answer = (await research.ask(owner, JOB, "  ", harness_id)).answer
    assert not answer.grounded
    assert answer.guidance == "The question is empty. Write what you want to know."


async def test_a_bad_confirmation_is_a_soft_failure(research: Research, owner: str):
    report = await research.ingest(owner, make_pack(), "notebooklm-mcp", "yes")
    assert report.status is PackStatus.FAILED
    assert "confirm again" in report.message


async def test_llm_24_signed_out_is_told_and_the_files_stay(research: Research, owner: str, notebooks: Notebooks):
    asked = await research.ingest(owner, make_pack(), "notebooklm-mcp")
    assert asked.confirmation
    report = await research.ingest(owner, make_pack(), "notebooklm-mcp", asked.confirmation.token)
    assert (report.status, report.message) == (PackStatus.FAILED, SIGN_IN)
    started = notebooks.calls()
    choices = {choice.id: choice for choice in await research.choices()}
    assert choices["notebooklm-mcp"].reason == SIGN_IN
    assert choices["notebooklm"].is_available
    assert notebooks.calls() == started, "the failure is known, nobody asks again at once"
    assert SIGN_IN in ((await research.ask(owner, JOB, QUESTION, "notebooklm-mcp")).answer.guidance or "")


async def test_a_pasted_link_belongs_to_a_harness_that_has_links(research: Research, owner: str):
    link = "https://notebook.google.com/notebook/1"
    assert await research.remember(owner, JOB, "notebooklm", link) == link
    assert (await research.ask(owner, JOB, QUESTION, "notebooklm")).link == link
    with pytest.raises(BadInput, match="needs no address"):
        await research.remember(owner, JOB, "local-rag", link)
    with pytest.raises(BadInput, match="not an address of Claude"):
        await research.remember(owner, JOB, "claude-project", link)
    with pytest.raises(NotFound):
        await research.remember(owner, JOB, "no-such", link)


async def test_a_deleted_job_is_forgotten_everywhere(research: Research, owner: str):
    await research.ingest(owner, make_pack())
    await research.remember(owner, JOB, "claude-project", "https://claude.ai/project/1")
    await research.forget(owner, JOB)
    assert "ingested yet" in (await research.ask(owner, JOB, QUESTION)).answer.text
    assert (await research.ask(owner, JOB, QUESTION, "claude-project")).link == "https://claude.ai/projects"
