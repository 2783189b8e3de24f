"""An ask as a run."""

import pytest

from deeptrust.domain.run import AnswerReady, Evidence, ReasoningEntry, RunRequest, RunStatus, StatusChanged
from deeptrust.errors import BadQuestion
from deeptrust.harness.producer import AskProducer
from deeptrust.knowledge.library import Library
from tests.harness.conftest import MakeRag


async def test_an_answered_run(filled: Library, make_rag: MakeRag):
    producer = AskProducer(make_rag(filled))
    events = [event async for event in producer.start("run", "owner", RunRequest(question="How much is the rent?"))]
    assert events[0] == StatusChanged(status=RunStatus.THINKING)
    assert [type(event) for event in events[1:-2]] == [ReasoningEntry] * 3
    assert isinstance(events[-2], AnswerReady)
    assert events[-1] == StatusChanged(status=RunStatus.COMPLETE, evidence=Evidence.FOUND)


async def test_web_20_a_run_without_evidence_completes_and_says_so(library: Library, make_rag: MakeRag):
    producer = AskProducer(make_rag(library))
    events = [event async for event in producer.start("run", "owner", RunRequest(question="Who won in 1998?"))]
    answer = events[-2]
    assert isinstance(answer, AnswerReady)
    assert answer.detail.claims == ()
    assert events[-1] == StatusChanged(status=RunStatus.COMPLETE, evidence=Evidence.NONE)


async def test_a_refused_question_ends_the_run_with_its_sentence(library: Library, make_rag: MakeRag):
    with pytest.raises(BadQuestion, match="empty"):
        async for _ in AskProducer(make_rag(library)).start("run", "owner", RunRequest(question=" ")):
            pass
