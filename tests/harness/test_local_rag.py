"""Asking the documents on this machine."""

import asyncio
import re
from collections.abc import Sequence

import pytest

from deeptrust.domain.answer import AnswerDetail, Verdict
from deeptrust.domain.document import WORKSPACE, Document, Retrieval
from deeptrust.domain.run import ReasoningEntry
from deeptrust.domain.study import PackDocument
from deeptrust.embedding.base import Vectors
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import BadQuestion, ModelUnavailable
from deeptrust.harness.local_rag import LocalRag
from deeptrust.knowledge.library import Library
from deeptrust.llm.scripted import ScriptedModel
from deeptrust.llm.selection import ModelSelection
from tests.harness.conftest import BOILING, MakeRag

QUESTIONS = [
    "At what temperature does water boil at sea level?",
    "at what temperature does water boil on mount everest",
    "What does salt do to the boiling point of water?",
    "How much is the rent?",
    "How many months of rent is the deposit?",
    "When may either side give notice?",
    "Do pets need consent of the landlord?",
    "boiling point",
    "How much is the rent and at what temperature does water boil?",
    "水的沸点是多少",
]


async def _ask(rag: LocalRag, question: str) -> AnswerDetail:
    return await rag.ask("owner", WORKSPACE, question)


async def test_an_answer_opens_with_the_sentence_that_answers(filled: Library, make_rag: MakeRag):
    detail = await _ask(make_rag(filled), "At what temperature does water boil at sea level?")
    assert detail.answer.grounded
    assert detail.answer.text.startswith("Water boils at 100 degrees Celsius at sea level. [1]")
    assert detail.answer.citations[0].quote == "Water boils at 100 degrees Celsius at sea level."
    assert detail.answer.embedder == "hashing"
    assert detail.answer.model is None
    assert (detail.document_count, detail.passage_count) == (2, 2)


@pytest.mark.parametrize("question", QUESTIONS)
async def test_every_quote_is_a_substring_of_the_stored_passage(filled: Library, make_rag: MakeRag, question: str):
    for rag in (make_rag(filled), make_rag(filled, ScriptedModel())):
        answer = (await _ask(rag, question)).answer
        for citation in answer.citations:
            assert citation.quote in (await filled.passage(citation.passage_id)).text
        assert [citation.number for citation in answer.citations] == list(range(1, len(answer.citations) + 1))
        marks = [int(mark) for mark in re.findall(r"(?<!\\)\[(\d+)\]", answer.text)]
        assert list(dict.fromkeys(marks)) == [citation.number for citation in answer.citations]
        assert answer.grounded is bool(answer.citations)


async def test_ret_18_an_empty_store_states_no_fact(library: Library, make_rag: MakeRag):
    detail = await _ask(make_rag(library), "Who won the 1998 final?")
    assert not detail.answer.grounded
    assert "no documents" in detail.answer.text
    assert detail.answer.guidance and "Add" in detail.answer.guidance


async def test_h18_nothing_relevant_says_what_was_searched(filled: Library, make_rag: MakeRag):
    detail = await _ask(make_rag(filled), "Who won the 1998 final?")
    assert not detail.answer.grounded
    assert detail.answer.text.startswith("Not found in your documents. Searched: 2 passages of 2 documents.")
    assert detail.answer.citations == detail.claims == ()
    assert detail.not_found == ("Who won the 1998 final?",)


async def test_a_part_without_evidence_is_named(filled: Library, make_rag: MakeRag):
    detail = await _ask(make_rag(filled), "How much is the rent? Who won the 1998 final?")
    assert detail.answer.grounded
    assert "900 euros" in detail.answer.text
    assert detail.not_found == ("Who won the 1998 final?",)


async def test_ret_07_a_deleted_document_answers_nothing(library: Library, make_rag: MakeRag):
    outcome = await library.add_file(b"The code of the vault is 7431.", "code.txt")
    rag = make_rag(library)
    assert "7431" in (await _ask(rag, "What is the code of the vault?")).answer.text
    assert outcome.document
    await library.remove(outcome.document.id)
    for again in (rag, make_rag(library)):
        answer = (await _ask(again, "What is the code of the vault?")).answer
        assert not answer.grounded
        assert "7431" not in answer.text


async def test_a_model_may_write_what_its_source_supports(filled: Library, make_rag: MakeRag):
    model = ScriptedModel(["Water boils at 100 degrees Celsius [1]. Water was invented by Newton [1]."])
    detail = await _ask(make_rag(filled, model), "At what temperature does water boil at sea level?")
    assert detail.answer.text == "Water boils at 100 degrees Celsius. [1]"
    assert detail.answer.model == "Scripted"
    assert [claim.verdict for claim in detail.claims] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
    assert detail.answer.citations[0].quote in BOILING


async def test_ret_15_a_citation_of_nothing_falls_back_to_quotes(filled: Library, make_rag: MakeRag):
    detail = await _ask(make_rag(filled, ScriptedModel(["X is true [7]"])), "How much is the rent?")
    assert detail.answer.grounded
    assert "X is true" not in detail.answer.text
    assert detail.answer.guidance and "quoted" in detail.answer.guidance
    assert detail.answer.model is None


async def test_h18_a_model_that_is_down_leaves_the_quotes(filled: Library, make_rag: MakeRag):
    model = ScriptedModel([ModelUnavailable("The model file is damaged.")])
    detail = await _ask(make_rag(filled, model), "How much is the rent?")
    assert detail.answer.grounded
    assert detail.answer.citations
    assert detail.answer.guidance and "The model file is damaged." in detail.answer.guidance


async def test_quoted_answers_never_call_the_model(filled: Library, make_rag: MakeRag):
    model = ScriptedModel(["Anything [1]."])
    await _ask(make_rag(filled, model, "quoted"), "How much is the rent?")
    assert model.prompts == []


async def test_the_model_is_not_asked_when_nothing_was_found(filled: Library, make_rag: MakeRag):
    model = ScriptedModel(["France won the final [1]."])
    assert not (await _ask(make_rag(filled, model), "Who won the 1998 final?")).answer.grounded
    assert model.prompts == []


class _BrokenEmbedder(HashingEmbedder):
    async def embed_question(self, text: str) -> Vectors:
        raise ModelUnavailable("The embedding model is missing. Run `make setup` to bring it back.")


async def test_h18_a_missing_embedder_is_an_error_of_its_own(filled: Library):
    rag = LocalRag(lambda _: filled, _BrokenEmbedder(), ModelSelection(None))
    with pytest.raises(ModelUnavailable, match="make setup"):
        await _ask(rag, "How much is the rent?")


@pytest.mark.parametrize("question", ["", "  \n", "why " * 5_000])
async def test_a_question_that_is_none_is_refused(filled: Library, make_rag: MakeRag, question: str):
    with pytest.raises(BadQuestion):
        await _ask(make_rag(filled), question)


async def test_half_a_character_in_a_question_does_no_harm(filled: Library, make_rag: MakeRag):
    detail = await _ask(make_rag(filled), "At what temperature\ud83d does water boil at sea level?")
    assert detail.answer.text.startswith("Water boils at 100 degrees Celsius at sea level. [1]")


async def test_the_trace_tells_each_stage(filled: Library, make_rag: MakeRag):
    entries: list[ReasoningEntry] = []
    await make_rag(filled).ask("owner", WORKSPACE, "How much is the rent?", entries.append)
    assert [entry.node for entry in entries] == ["retrieve", "judge", "quote"]
    assert "2 passages" in entries[0].summary


async def test_llm_21_a_template_in_a_document_shows_as_typed(library: Library, make_rag: MakeRag):
    await library.add_file(b"The template greeting is {{7*7}} {% for x in y %} <b>bold</b> [3].", "template.txt")
    answer = (await _ask(make_rag(library), "What is the template greeting?")).answer
    assert r"{{7\*7}} {% for x in y %}" in answer.text
    assert r"\<b\>" in answer.text
    assert r"\[3\]" in answer.text
    assert "{{7*7}}" in answer.citations[0].quote


async def test_asking_can_be_cancelled():
    class Hanging:
        async def retrieve(self, question: str, *, collection: str, limit: int) -> Retrieval:
            await asyncio.sleep(60)
            raise AssertionError

        async def replace(self, collection: str, documents: Sequence[PackDocument]) -> list[Document]:
            raise AssertionError

    asking = asyncio.create_task(_ask(LocalRag(lambda _: Hanging(), HashingEmbedder(), ModelSelection(None)), "Why?"))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_it_is_available_without_a_chat_model(library: Library, make_rag: MakeRag):
    assert (await make_rag(library).availability()).is_available
