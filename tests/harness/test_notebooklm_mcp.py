"""Publishing through a real MCP server process, well-behaved and otherwise."""

import asyncio
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from deeptrust.database.engine import Database
from deeptrust.errors import Conflict, HarnessUnavailable
from deeptrust.harness.confirmation import Confirmations
from deeptrust.harness.ingest import IngestReport, PackStatus, job_collection
from deeptrust.harness.mcp_reply import SIGN_IN
from deeptrust.harness.mcp_server import McpServer, read_server
from deeptrust.harness.notebooklm import NotebookLm
from deeptrust.harness.notebooklm_mcp import NotebookLmMcp
from deeptrust.harness.research import Research
from deeptrust.harness.selector import HarnessSelector
from tests.harness.notebooks import SCRIPT, Notebooks
from tests.harness.packs import JOB, TEXTS, make_pack
from tests.live import closed_port
from tests.waiting import PATIENCE_SECONDS, until

COLLECTION = job_collection(JOB)
Open = Callable[..., NotebookLmMcp]


@pytest.fixture
def open_harness(database: Database) -> Open:
    def make(server: McpServer | None, read_seconds: float = PATIENCE_SECONDS, **options: bool) -> NotebookLmMcp:
        return NotebookLmMcp(database, server, Confirmations(), read_seconds=read_seconds, **options)

    return make


async def publish(harness: NotebookLmMcp, owner: str) -> IngestReport:
    asked = await harness.ingest(owner, make_pack())
    assert asked.confirmation
    return await harness.ingest(owner, make_pack(), asked.confirmation.token)


async def test_h09_a_confirmed_pack_is_published_and_pointed_to(open_harness: Open, notebooks: Notebooks, owner: str):
    harness = open_harness(notebooks.server())
    report = await publish(harness, owner)
    assert report.status is PackStatus.READY
    assert report.link == "https://notebook.google.com/notebook/n1"
    added = notebooks.calls("source_add")
    assert [call["title"] for call in added] == list(TEXTS)
    assert [call["text"] for call in added] == [document.markdown for document in make_pack().documents]
    assert {(call["notebook_id"], call["source_type"]) for call in added} == {("n1", "text")}
    assert notebooks.left_behind() == []
    calls = len(notebooks.calls())
    detail = await harness.ask(owner, COLLECTION, "Which ATS is it?")
    assert not detail.answer.grounded
    assert detail.link == report.link
    assert len(notebooks.calls()) == calls, "asking tells the server nothing"


async def test_h11_without_a_yes_nothing_leaves(open_harness: Open, notebooks: Notebooks, owner: str):
    harness = open_harness(notebooks.server())
    report = await harness.ingest(owner, make_pack())
    assert report.status is PackStatus.CONFIRM
    assert report.confirmation
    assert "Google NotebookLM" in report.confirmation.destination
    assert [leaving.title for leaving in report.confirmation.leaving] == list(TEXTS)
    for wrong in ("", "yes", report.confirmation.token[:-1]):
        with pytest.raises(Conflict):
            await harness.ingest(owner, make_pack(), wrong)
    with pytest.raises(Conflict, match="something else"):
        await harness.ingest(owner, make_pack(Study="Changed since."), report.confirmation.token)
    assert not notebooks.was_started


async def test_h11_a_yes_of_one_person_is_not_that_of_another(open_harness: Open, notebooks: Notebooks, owner: str):
    harness = open_harness(notebooks.server())
    asked = await harness.ingest(owner, make_pack())
    assert asked.confirmation
    with pytest.raises(Conflict):
        await harness.ingest("0" * 32, make_pack(), asked.confirmation.token)
    assert not notebooks.was_started


async def test_the_notebook_is_called_like_the_job(open_harness: Open, notebooks: Notebooks, owner: str):
    pack = make_pack()
    named = [one.model_copy(update={"title": f"{one.title}: Data Engineer"}) for one in pack.documents]
    harness = open_harness(notebooks.server())
    for documents, title in ((named, "Prep pack: Data Engineer"), (pack.documents, f"Prep pack: {JOB[:8]}")):
        asked = await harness.ingest(owner, pack.model_copy(update={"documents": tuple(documents)}))
        assert asked.confirmation
        assert asked.confirmation.notebook == title


async def test_two_clicks_publish_once(open_harness: Open, notebooks: Notebooks, owner: str):
    harness = open_harness(notebooks.server())
    asked = await harness.ingest(owner, make_pack())
    assert asked.confirmation
    clicks = (harness.ingest(owner, make_pack(), asked.confirmation.token) for _ in range(2))
    outcomes = await asyncio.gather(*clicks, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "IngestReport"]
    assert len(notebooks.calls("notebook_create")) == 1


@pytest.mark.parametrize("is_offline", [False, True])
async def test_it_is_off_until_configured_and_when_offline(
    open_harness: Open, notebooks: Notebooks, owner: str, is_offline: bool
):
    harness = open_harness(notebooks.server() if is_offline else None, is_offline=is_offline)
    availability = await harness.availability()
    assert not availability.is_available
    assert ("DEEPTRUST_OFFLINE" if is_offline else "DEEPTRUST_NOTEBOOKLM_MCP_COMMAND") in availability.reason
    with pytest.raises(HarnessUnavailable):
        await harness.ingest(owner, make_pack())
    assert not notebooks.was_started


async def test_a_server_with_other_names_and_envelopes(open_harness: Open, notebooks: Notebooks, owner: str):
    report = await publish(open_harness(notebooks.server("other-names")), owner)
    assert report.link == "https://notebooklm.google.com/notebook/n2"
    assert [call["title"] for call in notebooks.calls("addTextSource")] == list(TEXTS)


async def test_a_server_that_only_answers_questions_is_refused(open_harness: Open, notebooks: Notebooks):
    availability = await open_harness(notebooks.server("asks-only")).availability()
    assert "cannot make a notebook" in availability.reason
    assert notebooks.calls() == []


async def test_the_tool_that_the_person_names_is_taken(open_harness: Open, notebooks: Notebooks):
    availability = await open_harness(notebooks.server(tools="add=notebook_delete")).availability()
    assert "notebook_delete does not take what it needs" in availability.reason


async def test_a_link_to_a_foreign_host_is_not_kept(open_harness: Open, notebooks: Notebooks, owner: str):
    report = await publish(open_harness(notebooks.server("foreign-link")), owner)
    assert report.link == "https://notebooklm.google.com/notebook/n1"


async def test_what_was_published_before_a_failure_is_told(open_harness: Open, notebooks: Notebooks, owner: str):
    with pytest.raises(HarnessUnavailable, match=r"1 of 4 documents.*notebook/n1.*cannot take more sources"):
        await publish(open_harness(notebooks.server("full")), owner)


@pytest.mark.parametrize("mode", ["dead", "exits"])
async def test_llm_22_a_server_that_dies_is_told_at_once(open_harness: Open, notebooks: Notebooks, mode: str):
    availability = await open_harness(notebooks.server(mode)).availability()
    assert "ended before it answered" in availability.reason
    assert notebooks.left_behind() == []


async def test_llm_22_a_server_that_stays_silent_is_left(
    open_harness: Open, notebooks: Notebooks, database: Database, owner: str
):
    harness = open_harness(notebooks.server("silent"), read_seconds=8)
    research = Research(HarnessSelector([NotebookLm(database), harness]))
    asked = await research.ingest(owner, make_pack(), harness.id)
    assert asked.confirmation
    report = await research.ingest(owner, make_pack(), harness.id, asked.confirmation.token)
    assert report.status is PackStatus.FAILED
    assert "did not answer within 8 seconds" in report.message
    assert notebooks.left_behind() == []
    assert not (await research.choices())[1].is_available
    pointer = (await research.ask(owner, JOB, "Which ATS is it?", harness.id)).answer
    assert not pointer.grounded
    assert "did not answer within 8 seconds" in (pointer.guidance or "")


async def test_llm_22_log_lines_on_stdout_do_no_harm(open_harness: Open, notebooks: Notebooks, owner: str):
    assert (await publish(open_harness(notebooks.server("chatty")), owner)).status is PackStatus.READY


async def test_llm_22_stopping_leaves_no_process(open_harness: Open, notebooks: Notebooks, owner: str):
    publishing = asyncio.create_task(publish(open_harness(notebooks.server("silent")), owner))
    await until(lambda: bool(notebooks.calls()))
    publishing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await publishing
    assert notebooks.left_behind() == []


@pytest.mark.parametrize("where", ["version", "list", "call", "schema"])
async def test_a_server_that_breaks_the_protocol_is_told_as_such(open_harness: Open, where: str):
    command = shlex.join([sys.executable, str(SCRIPT.with_name("garbled_server.py")), where])
    availability = await open_harness(read_server(command, "", "")).availability()
    assert "in a way that is not MCP" in availability.reason


async def test_a_program_that_is_not_there_is_named(open_harness: Open):
    availability = await open_harness(read_server("no-such-notebook-server", "", "")).availability()
    assert "no-such-notebook-server cannot be started" in availability.reason


@pytest.mark.parametrize("mode", ["signed-out", "login-lies"])
async def test_llm_24_a_login_that_only_looks_fine_fails_the_preflight(
    open_harness: Open, notebooks: Notebooks, database: Database, owner: str, mode: str
):
    harness = open_harness(notebooks.server(mode))
    assert (await harness.availability()).reason == SIGN_IN
    with pytest.raises(HarnessUnavailable, match="Sign in again"):
        await publish(harness, owner)
    assert {call["tool"] for call in notebooks.calls()} == {"notebook_list"}, "nothing was sent after the failed read"
    assert len((await NotebookLm(database).ingest(owner, make_pack())).files) == 5, "export stays possible"


@pytest.fixture
def listening(notebooks: Notebooks) -> Iterator[str]:
    with notebooks.listening() as address:
        yield address


async def test_streamable_http_publishes_too(open_harness: Open, notebooks: Notebooks, listening: str, owner: str):
    harness = open_harness(read_server("", listening, ""))
    assert (await harness.availability()).is_available
    assert (await publish(harness, owner)).link == "https://notebook.google.com/notebook/n1"
    assert [call["title"] for call in notebooks.calls("source_add")] == list(TEXTS)


async def test_nobody_at_the_address_is_told(open_harness: Open):
    with closed_port() as port:
        availability = await open_harness(read_server("", f"http://127.0.0.1:{port}/mcp", "")).availability()
    assert "cannot be reached" in availability.reason
    assert "DEEPTRUST_NOTEBOOKLM_MCP_URL" in availability.reason


@contextmanager
def answering(status: int, location: str, seen: list[str]) -> Iterator[str]:
    """A host that notes each request and answers `status` with `location`; yields its address."""

    class Host(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            seen.append(f"{self.headers} {body.decode()}")
            self.send_response(status)
            self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_DELETE = do_POST  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base's
            pass

    host = HTTPServer(("127.0.0.1", 0), Host)
    thread = Thread(target=host.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{host.server_port}/mcp"
    finally:
        host.shutdown()
        host.server_close()
        thread.join()


async def test_llm_24_a_redirect_to_another_host_is_not_followed(open_harness: Open, owner: str):
    asked: list[str] = []
    stolen: list[str] = []
    with answering(401, "", stolen) as thief, answering(307, thief, asked) as renamed:
        harness = open_harness(read_server("", renamed, ""))
        assert not (await harness.availability()).is_available
        with pytest.raises(HarnessUnavailable):
            await publish(harness, owner)
    assert asked
    assert stolen == []
    assert not any(text in request for request in asked for text in TEXTS.values())


async def test_the_server_is_told_none_of_our_settings(
    open_harness: Open, notebooks: Notebooks, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DEEPTRUST_PDF_PASSWORD", "secret")
    monkeypatch.setenv("GOOGLE_CSE_API_KEY", "secret")
    assert (await open_harness(notebooks.server()).availability()).is_available
    (call,) = notebooks.calls("notebook_list")
    assert "PATH" in call["environment"]
    assert not {"DEEPTRUST_PDF_PASSWORD", "GOOGLE_CSE_API_KEY"} & set(call["environment"])
