from datetime import UTC, datetime

from deeptrust.domain.answer import AnswerDetail, Citation, Claim, GroundedAnswer, Verdict
from deeptrust.domain.run import (
    AnswerReady,
    EventBody,
    Evidence,
    ReasoningEntry,
    RunEvent,
    RunKind,
    RunStatus,
    RunSummary,
    Sources,
    StatusChanged,
)
from deeptrust.ui.views import run as views

NOW = datetime.now(UTC)


def summary(run_id: str = "r1", thread: str = "t1", question: str = "How long?", **more) -> RunSummary:
    return RunSummary(
        id=run_id,
        thread_id=thread,
        kind=RunKind.ASK,
        question=question,
        sources=Sources.DOCUMENTS,
        **{"status": RunStatus.COMPLETE, "evidence": Evidence.FOUND, "created_at": NOW, "updated_at": NOW, **more},
    )


def events(*bodies: EventBody) -> list[RunEvent]:
    return [RunEvent(run_id="r1", sequence=n, at=NOW, body=body) for n, body in enumerate(bodies, start=1)]


def answer(grounded: bool = True) -> AnswerReady:
    citation = Citation(
        number=1, passage_id="p", title="Lease", page=3, section=None, url=None, quote="14 days", snippet="", score=0.5
    )
    given = GroundedAnswer(
        text="Within 14 days. [1]" if grounded else "",
        grounded=grounded,
        citations=(citation,) if grounded else (),
        guidance=None if grounded else "Nothing in your 2 documents answers this.",
    )
    claim = Claim(text="Within 14 days.", verdict=Verdict.SUPPORTED, passage_ids=("p",))
    return AnswerReady(
        detail=AnswerDetail(
            answer=given,
            claims=(claim,) if grounded else (),
            not_found=("the fee",),
            document_count=2,
            passage_count=52,
            seconds=3.14,
        )
    )


THINKING = StatusChanged(status=RunStatus.THINKING)
DONE = StatusChanged(status=RunStatus.COMPLETE, evidence=Evidence.FOUND)
SEARCHING = ReasoningEntry(node="local_rag", summary="Searching 2 documents", status=RunStatus.THINKING)


def test_ui_16_the_log_alone_tells_the_turn():
    turn = views.turn_of(summary(), events(THINKING, SEARCHING, answer(), DONE))
    assert (turn.phase, turn.supported, turn.partial, turn.missing) == (views.DONE, 1, 0, ["the fee"])
    assert turn.text.startswith("Within 14 days. [1](#c-r1-1")
    assert turn.scope == "2 documents, 52 passages, 3.1 s"
    assert [(source.title, source.page) for source in turn.sources] == [("Lease", "page 3")]


def test_a_run_under_way_shows_its_stage():
    turn = views.turn_of(summary(), events(THINKING, SEARCHING))
    assert (turn.phase, turn.stage) == (views.THINKING, "Searching 2 documents")


def test_nothing_found_is_said_and_states_no_fact():
    turn = views.turn_of(summary(), events(THINKING, answer(grounded=False), DONE))
    assert (turn.phase, turn.text) == (views.NOTHING_FOUND, "")
    assert turn.message == "Nothing in your 2 documents answers this."


def test_stopped_and_failed_runs_say_so():
    stopped = StatusChanged(status=RunStatus.CANCELLED, message="Stopped by you.")
    failed = StatusChanged(status=RunStatus.FAILED, message="The model file is damaged.")
    assert views.turn_of(summary(), events(stopped)).phase == views.STOPPED
    assert views.turn_of(summary(), events(failed)).message == "The model file is damaged."


def test_ui_20_stages_and_the_finished_answer_are_announced():
    turn = views.turn_of(summary(), [])
    said = []
    for event in events(THINKING, SEARCHING, answer(), DONE):
        turn = views.advance(turn, event)
        said.append(views.announcement(turn, event))
    assert said == [None, "Searching 2 documents", "Answer ready. Within 14 days. [1]", None]


def test_a_conversation_is_one_line_with_its_first_question_and_latest_state():
    newest_first = [
        summary("r3", "t1", "And then?", status=RunStatus.FAILED, evidence=None),
        summary("r2", "t2", "Other?", evidence=Evidence.NONE),
        summary("r1", "t1", "First?"),
    ]
    lines = views.conversations(newest_first)
    assert [(line.title, line.state, line.tone) for line in lines] == [
        ("First?", "failed today", "bad"),
        ("Other?", "not in your documents, today", "off"),
    ]


def test_every_status_has_a_word():
    for status in RunStatus:
        [line] = views.conversations([summary(status=status)])
        assert line.state
        assert line.tone


def test_the_trace_lists_each_step_and_the_end():
    trace = views.trace_of(events(THINKING, SEARCHING, answer(), DONE))
    assert [line.node for line in trace] == ["Local rag", "Complete"]
