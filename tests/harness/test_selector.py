"""Which harness is taken, and what is known of each."""

import asyncio

import pytest

from deeptrust.database.engine import Database
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import ModelUnavailable, NotFound
from deeptrust.harness.base import Availability
from deeptrust.harness.claude_project import ClaudeProject
from deeptrust.harness.confirmation import Confirmations
from deeptrust.harness.local_rag import LocalRag
from deeptrust.harness.notebooklm import NotebookLm
from deeptrust.harness.notebooklm_mcp import NotebookLmMcp
from deeptrust.harness.selector import FRESH_SECONDS, HarnessSelector
from deeptrust.knowledge.library import Library
from deeptrust.llm.selection import ModelSelection
from tests.harness.conftest import MakeRag


class Slow(NotebookLm):
    """Looks until it is let go, and counts the looks."""

    id = "slow"

    def __init__(self, database: Database, is_available: bool = True) -> None:
        super().__init__(database)
        self.may_end = asyncio.Event()
        self.looks = 0
        self.was_stopped = False
        self.outcome = Availability(is_available=is_available, reason="" if is_available else "It is broken.")

    async def availability(self) -> Availability:
        self.looks += 1
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.was_stopped = True
            raise
        return self.outcome


class NoEmbedder(HashingEmbedder):
    def count_tokens(self, texts: object) -> list[int]:
        raise ModelUnavailable("The embedding model is missing. Run `make setup` to bring it back.")


def select_all(database: Database, rag: LocalRag) -> HarnessSelector:
    mcp = NotebookLmMcp(database, None, Confirmations())
    return HarnessSelector([rag, NotebookLm(database), mcp, ClaudeProject(database)])


async def test_h12_local_rag_is_the_default_when_it_is_ready(database: Database, library: Library, make_rag: MakeRag):
    choices = await select_all(database, make_rag(library)).choices()
    assert [choice.id for choice in choices] == ["local-rag", "notebooklm", "notebooklm-mcp", "claude-project"]
    assert [choice.is_default for choice in choices] == [True, False, False, False]
    assert [choice.answers_here for choice in choices] == [True, False, False, False]
    assert [choice.is_available for choice in choices] == [True, True, False, True]
    assert "DEEPTRUST_NOTEBOOKLM_MCP_COMMAND" in choices[2].reason


async def test_without_an_embedder_another_is_the_default(database: Database, library: Library):
    selector = select_all(database, LocalRag(lambda _: library, NoEmbedder(), ModelSelection(None)))
    choices = await selector.choices()
    assert "make setup" in choices[0].reason
    assert [choice.id for choice in choices if choice.is_default] == ["notebooklm"]
    assert (await selector.default()).id == "notebooklm"


async def test_an_unknown_harness_is_refused_with_the_names_of_the_known(database: Database):
    with pytest.raises(NotFound, match="notebooklm, claude-project"):
        HarnessSelector([NotebookLm(database), ClaudeProject(database)]).find("notebook-lm")


async def test_a_slow_harness_keeps_nobody_waiting_and_is_known_later(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("deeptrust.harness.selector.PATIENCE_SECONDS", 0.05)
    slow = Slow(database)
    selector = HarnessSelector([slow, ClaudeProject(database)])
    first = await selector.choices()
    assert not first[0].is_available
    assert "Look again" in first[0].reason
    assert first[1].is_default
    await selector.choices()
    slow.may_end.set()
    await asyncio.sleep(0)
    assert (await selector.choices())[0].is_available
    assert slow.looks == 1


async def test_what_is_known_is_kept_for_a_while(database: Database):
    now = 0.0
    slow = Slow(database, is_available=False)
    slow.may_end.set()
    selector = HarnessSelector([slow], lambda: now)
    for _ in range(3):
        assert (await selector.check(slow)).reason == "It is broken."
    assert slow.looks == 1
    now = FRESH_SECONDS
    await selector.check(slow)
    assert slow.looks == 2


async def test_llm_22_a_failure_marks_the_harness_unavailable(database: Database):
    now = 0.0
    slow = Slow(database)
    slow.may_end.set()
    selector = HarnessSelector([slow], lambda: now)
    assert (await selector.check(slow)).is_available
    selector.note_failure(slow, "It did not answer within 30 seconds.")
    assert (await selector.choices())[0].reason == "It did not answer within 30 seconds."
    now = FRESH_SECONDS
    assert (await selector.check(slow)).is_available


async def test_closing_ends_what_goes_on_in_the_background(database: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deeptrust.harness.selector.PATIENCE_SECONDS", 0.01)
    slow = Slow(database)
    selector = HarnessSelector([slow])
    await selector.choices()
    await selector.close()
    assert slow.was_stopped
