"""The judge and its floor."""

import numpy as np
import pytest

from deeptrust.answering.calibration import (
    SMALL_LIBRARY_PASSAGES,
    WORDS_ONLY,
    Calibration,
    find_calibration,
    is_measured,
)
from deeptrust.answering.evidence import gather_sentences
from deeptrust.answering.questions import read_question
from deeptrust.answering.relevance import Judgement, judge
from deeptrust.embedding.hashing import HashingEmbedder
from tests.answering.builders import make_retrieval, make_scored


async def _judge(text: str, *passages: str, calibration: Calibration | None = None, **changes: object) -> Judgement:
    embedder = HashingEmbedder()
    question, vector = read_question(text), await embedder.embed_question(text)
    vectors = await embedder.embed(passages)
    scored = [
        make_scored(passage, number, **changes).model_copy(update={"cosine": float(row @ vector)})
        for number, (passage, row) in enumerate(zip(passages, vectors, strict=True), start=1)
    ]
    sentences = await gather_sentences(make_retrieval(*scored), question.terms, embedder)
    return judge(question, vector, sentences, calibration or find_calibration(embedder.name), len(passages))


async def test_the_passage_that_answers_is_found():
    verdict = await _judge(
        "At what point does water boil?", "Ice is cold.", "The point at which water boils is 100 degrees."
    )
    assert verdict.is_answerable
    assert verdict.passage_id == "p2"


async def test_something_else_is_no_answer():
    assert not (await _judge("Who won the 1998 final?", "Water boils at 100 degrees. Ice melts.")).is_answerable


def test_nothing_found_is_no_answer():
    question, vector = read_question("Who won?"), np.ones(384, np.float32)
    assert not judge(question, vector, [], find_calibration("hashing"), 0).is_answerable


async def test_a_question_in_another_script_is_judged_by_its_words():
    verdict = await _judge("水的沸点是多少", "水的沸点是一百度。", "冰很冷。")
    assert verdict.is_answerable
    assert verdict.passage_id == "p1"
    assert not (await _judge("谁赢得了决赛", "水的沸点是一百度。")).is_answerable


def test_the_floor_never_falls_as_the_library_grows():
    calibration = find_calibration("all-MiniLM-L6-v2")
    floors = [calibration.find_floor(count) for count in (0, 1, SMALL_LIBRARY_PASSAGES, 2_000, 100_000)]
    assert floors[0] == floors[2] == pytest.approx(calibration.floor)
    assert floors == sorted(floors)
    assert calibration.floor < floors[-1] < 0.9
    assert WORDS_ONLY.find_floor(10) == pytest.approx(WORDS_ONLY.floor)


@pytest.mark.parametrize("name", ["ollama:all-minilm", "ollama:all-minilm:l6-v2", "ollama:library/all-minilm:22m"])
def test_the_same_weights_in_another_program_have_the_same_floor(name: str):
    assert find_calibration(name) is find_calibration("all-MiniLM-L6-v2")
    assert is_measured(name)


@pytest.mark.parametrize("name", ["ollama:all-minilm:l12-v2", "ollama:nomic-embed-text", "unknown"])
def test_an_embedder_that_was_not_measured_is_judged_with_caution(name: str):
    assert not is_measured(name)
    assert find_calibration(name).floor > find_calibration("hashing").floor


async def test_an_embedder_that_was_not_measured_answers_only_what_holds_the_words():
    text = "The ferry sails at noon from the northern quay."
    cautious = find_calibration("unknown")
    assert (await _judge("When does the ferry sail from the quay?", text, calibration=cautious)).is_answerable
    assert not (await _judge("What does the ferry cost for children?", text, calibration=cautious)).is_answerable


async def test_the_line_of_a_code_answers():
    text = "CFOL008-FIELD IS IN ERROR.\nChange it.\nCFOL009-INCONSISTENT WITH PERIOD.\nThe field is not valid."
    assert (await _judge("What does CFOL009 mean?", "Codes are listed below.", text)).passage_id == "p2"
    assert not (await _judge("What does CFOL007 mean?", text)).is_answerable
    assert not (await _judge("What does CFOL09 mean?", text)).is_answerable


async def _judge_headed(text: str) -> Judgement:
    embedder = HashingEmbedder()
    question = read_question(text)
    one = make_scored("You can make coffee. You are friendly.", section="What the job requires", title="Barista")
    other = make_scored("The bar is old.", 2, section="The bar", title="Barista", document_id="d1")
    sentences = await gather_sentences(make_retrieval(one, other), question.terms, embedder)
    return judge(question, await embedder.embed_question(text), sentences, find_calibration(embedder.name), 2)


async def test_a_heading_that_says_what_is_asked_answers():
    assert (await _judge_headed("What is required?")).passage_id == "p1"
    assert (await _judge_headed("What is required?")).probability == 1
    assert (await _judge_headed("When is it required?")).probability < 1
    assert (await _judge_headed("What is paid?")).probability < 1


async def test_the_only_heading_of_a_document_is_its_subject_and_answers_nothing():
    section, text = "The last voyage of the Meridian", "It is a novel. Critics liked the cover."
    assert (await _judge("What is the last voyage of the Meridian about?", text, section=section)).probability < 1


PACK = (
    ("JD & gaps", "The job", "Not stated: salary, deadline, applicant tracking system (ATS), assessment platform."),
    ("ATS & assessment platform", "Applicant tracking system", "The posting names no tracking system for this job."),
    ("Study plan", "Topics", "Session one: read up on the coffee house."),
)


async def _judge_pack(text: str, subject: str) -> Judgement:
    embedder = HashingEmbedder()
    question, vector = read_question(text), await embedder.embed_question(text)
    passages = [
        make_scored(said, number, title=f"{matter}: {subject or matter}", section=section)
        for number, (matter, section, said) in enumerate(PACK, start=1)
    ]
    sentences = await gather_sentences(make_retrieval(*passages), question.terms, embedder)
    return judge(question, vector, sentences, find_calibration(embedder.name), len(passages))


async def test_the_document_whose_title_names_what_is_asked_is_judged_before_a_closer_list():
    question = "What ATS or assessment platform does this job use?"
    verdict = await _judge_pack(question, "Barista")
    assert verdict.is_answerable
    assert verdict.passage_id == "p2"
    assert (await _judge_pack(question, "")).passage_id == "p1"  # titles without a common subject: no series


async def test_a_title_that_names_one_word_of_many_chooses_no_document():
    assert (await _judge_pack("Which salary platform states the deadline?", "Barista")).passage_id == "p1"
