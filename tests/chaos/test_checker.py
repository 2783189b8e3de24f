"""The checker notices what it is there for: each fault is planted in the files of a real home."""

import asyncio
import copy
import json
import shutil
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from chaos import snapshot
from chaos.beliefs import Beliefs, DocumentBelief, Presence, RunBelief
from chaos.checker import Kind, adopt, check
from chaos.engine import CountingEngine, counting_engine
from deeptrust.composition import open_services
from deeptrust.domain.approval import Approve
from deeptrust.domain.run import RunKind, RunRequest, RunStatus, Sources
from deeptrust.settings import Settings

WORDS = ("zq000001", "zq000002", "zq000003")


class Home:
    """A home with two documents and a finished run that searched the web once, and what its client knows."""

    def __init__(self, path: Path, beliefs: Beliefs, engine: CountingEngine) -> None:
        self.path, self.beliefs, self.engine = path, beliefs, engine
        self.extra_searches = 0

    def faults(self) -> list[tuple[Kind, str]]:
        found = snapshot.take(self.path)
        return check(self.beliefs, found, lambda word: self.engine.count(word) + self.extra_searches).faults

    def kinds(self) -> set[Kind]:
        return {kind for kind, _ in self.faults()}

    def in_store(self, statement: str) -> None:
        (file,) = self.path.glob("users/*/knowledge.duckdb")
        with duckdb.connect(str(file)) as connection:
            connection.execute(statement)

    def in_database(self, statement: str, *values: object) -> None:
        with closing(sqlite3.connect(self.path / "deeptrust.sqlite")) as connection, connection:
            connection.execute(statement, values)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Generator[Home]:
    """Made once; each test plants its fault in a copy."""
    with counting_engine() as engine:
        path = tmp_path_factory.mktemp("sound") / "home"
        yield Home(path, asyncio.run(fill(path, engine)), engine)


@pytest.fixture
def home(sound: Home, tmp_path: Path) -> Home:
    shutil.copytree(sound.path, tmp_path / "home")
    return Home(tmp_path / "home", copy.deepcopy(sound.beliefs), sound.engine)


async def fill(path: Path, engine: CountingEngine) -> Beliefs:
    beliefs = Beliefs()
    settings = Settings(home=path, embedder="hashing", chat_model="none", duckduckgo_url=engine.url)
    async with open_services(settings) as services:
        owner, runner = services.local_user, services.runner
        for word in WORDS[:2]:
            text = f"The {word} of the harbour costs 5 crowns. " * 40
            document = (await services.library(owner).add_file(text.encode(), f"{word}.txt")).document
            assert document is not None
            beliefs.documents[document.label] = DocumentBelief(
                document.label, text, Presence.SURE, document.id, document.passage_count
            )
        question = f"What does the harbour {WORDS[2]} cost?"
        request = RunRequest(kind=RunKind.RESEARCH, question=question, sources=Sources.DOCUMENTS_AND_WEB)
        run_id = await runner.start(owner, request)
        await runner.history.wait(owner, run_id)
        await runner.decide(owner, run_id, Approve())
        assert (await runner.history.wait(owner, run_id)).status is RunStatus.COMPLETE
        times = {
            event.sequence: event.at.replace(tzinfo=None).isoformat()
            for event in await runner.history.events(owner, run_id)
        }
    beliefs.runs[WORDS[2]] = RunBelief(
        WORDS[2], is_research=True, presence=Presence.SURE, id=run_id, is_decided=True, seen=times
    )
    assert engine.count(WORDS[2]) == 1
    return beliefs


def lose_a_document(home: Home) -> None:
    for table, column in (("passages", "document_id"), ("pages", "document_id"), ("documents", "id")):
        id_ = home.beliefs.documents["zq000001.txt"].id
        if table == "passages":
            home.in_store(
                f"DELETE FROM postings WHERE passage_key IN (SELECT key FROM passages WHERE document_id = '{id_}')"
            )
        home.in_store(f"DELETE FROM {table} WHERE {column} = '{id_}'")


def lose_a_shown_event(home: Home) -> None:
    home.in_database("DELETE FROM run_events WHERE sequence = (SELECT max(sequence) FROM run_events)")


def lose_a_decision(home: Home) -> None:
    home.beliefs.runs[WORDS[2]].seen.clear()
    home.in_database('UPDATE run_events SET body = replace(body, \'"type":"decision"\', \'"type":"other"\')')


def bring_a_deleted_document_back(home: Home) -> None:
    home.beliefs.documents["zq000001.txt"].presence = Presence.GONE


def forget_a_stop(home: Home) -> None:
    home.beliefs.runs[WORDS[2]].is_cancelled = True


def tear_a_document(home: Home) -> None:
    home.beliefs.documents["zq000001.txt"].presence = Presence.UNSURE
    home.in_store("DELETE FROM passages WHERE id LIKE '%-2'")


def tear_off_the_pages(home: Home) -> None:
    home.in_store("DELETE FROM pages")


def tear_off_a_document(home: Home) -> None:
    home.beliefs.documents["zq000001.txt"].presence = Presence.UNSURE
    home.in_store("DELETE FROM documents WHERE label = 'zq000001.txt'")


def tear_a_log(home: Home) -> None:
    home.beliefs.runs[WORDS[2]].seen.clear()
    home.in_database("DELETE FROM run_events WHERE sequence = 3")


def tear_status_from_log(home: Home) -> None:
    home.in_database("UPDATE runs SET status = 'executing'")


def tear_evidence_from_its_result(home: Home) -> None:
    home.in_database("DELETE FROM evidence")


def tear_a_waiting_run_from_its_checkpoint(home: Home) -> None:
    home.beliefs.runs[WORDS[2]].seen.clear()
    asked = """SELECT sequence FROM run_events WHERE body LIKE '%"type":"approval"%'"""
    home.in_database(f"DELETE FROM run_events WHERE sequence > ({asked})")
    home.in_database("UPDATE runs SET status = 'awaiting_approval'")


def damage_the_store(home: Home) -> None:
    (file,) = home.path.glob("users/*/knowledge.duckdb")
    file.write_bytes(file.read_bytes()[:5000])


def double_a_step(home: Home) -> None:
    with closing(sqlite3.connect(home.path / "deeptrust.sqlite")) as connection:
        query = "SELECT run_id, max(sequence), max(at) FROM run_events GROUP BY run_id"
        run_id, last, at = connection.execute(query).fetchone()
        query = 'SELECT body FROM run_events WHERE body LIKE \'{"type":"step"%\' LIMIT 1'
        step = connection.execute(query).fetchone()[0]
    assert json.loads(step)["result"]["stepId"]
    home.in_database("UPDATE run_events SET sequence = sequence + 1 WHERE sequence = ?", last)
    home.in_database("INSERT INTO run_events VALUES (?, ?, ?, ?)", run_id, last, at, step)


def double_a_search(home: Home) -> None:
    assert home.kinds() == set()  # the result is seen stored; from now on no search may come
    home.extra_searches = 1


def double_a_document(home: Home) -> None:
    home.in_store(
        "INSERT INTO documents SELECT 'another', 'elsewhere', kind, label, url, sha256, created_at FROM documents "
        "WHERE label = 'zq000001.txt'"
    )


def test_a_sound_home_has_no_fault(home: Home):
    assert home.faults() == []


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (lose_a_document, Kind.LOST),
        (lose_a_shown_event, Kind.LOST),
        (lose_a_decision, Kind.LOST),
        (bring_a_deleted_document_back, Kind.LOST),
        (forget_a_stop, Kind.LOST),
        (tear_a_document, Kind.TORN),
        (tear_off_the_pages, Kind.TORN),
        (tear_off_a_document, Kind.TORN),
        (tear_a_log, Kind.TORN),
        (tear_status_from_log, Kind.TORN),
        (tear_evidence_from_its_result, Kind.TORN),
        (tear_a_waiting_run_from_its_checkpoint, Kind.TORN),
        (damage_the_store, Kind.TORN),
        (double_a_step, Kind.DOUBLED),
        (double_a_search, Kind.DOUBLED),
        (double_a_document, Kind.DOUBLED),
    ],
)
def test_a_planted_fault_is_noticed(home: Home, plant: Callable[[Home], None], kind: Kind):
    plant(home)
    assert kind in home.kinds()


def test_what_was_never_answered_may_be_there_or_not(home: Home):
    home.beliefs.documents["zq000001.txt"].presence = Presence.UNSURE
    home.beliefs.documents["zq000009.txt"] = DocumentBelief("zq000009.txt", "never stored")
    assert home.faults() == []
    adopt(home.beliefs, snapshot.take(home.path))
    assert home.beliefs.documents["zq000001.txt"].presence is Presence.SURE
    assert home.beliefs.documents["zq000009.txt"].presence is Presence.GONE
    assert home.faults() == []
