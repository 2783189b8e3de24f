"""The judge and its floor."""

import numpy as np
import pytest

from deeptrust.answering.calibration import SMALL_LIBRARY_PASSAGES, WORDS_ONLY, find_calibration
from deeptrust.answering.evidence import gather_sentences
from deeptrust.answering.questions import read_question
from deeptrust.answering.relevance import Judgement, judge
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import ModelUnavailable
from tests.answering.builders import make_retrieval, make_scored


async def _judge(text: str, *passages: str) -> Judgement:
    embedder = HashingEmbedder()
    question, vector = read_question(text), await embedder.embed_question(text)
    vectors = await embedder.embed(passages)
    scored = [
        make_scored(passage, number).model_copy(update={"cosine": float(row @ vector)})
        for number, (passage, row) in enumerate(zip(passages, vectors, strict=True), start=1)
    ]
    sentences = await gather_sentences(make_retrieval(*scored), question.terms, embedder)
    return judge(question, vector, sentences, find_calibration(embedder.name), len(passages))


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
    assert floors[-1] == pytest.approx(0.8, abs=0.01)
    assert WORDS_ONLY.find_floor(10) == pytest.approx(WORDS_ONLY.floor)


def test_an_embedder_without_a_measured_floor_is_refused():
    with pytest.raises(ModelUnavailable, match="No score floor"):
        find_calibration("unknown")
