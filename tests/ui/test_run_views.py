from datetime import UTC, datetime

from deeptrust.domain.answer import AnswerDetail, Citation, Claim, GroundedAnswer, Verdict
from deeptrust.domain.approval import Approve
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.run import (
    AnswerReady,
    Decided,
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
from deeptrust.ui.views.history import conversations
from deeptrust.ui.views.trace import trace_of

NOW = datetime.now(UTC)


def summary(run_id: str = "r1", thread: str = "t1", question: str = "How long?", **more) -> RunSummary:
    return RunSummary(
        id=run_id,
        thread_id=thread,
        question=question,
        sources=Sources.DOCUMENTS,
        created_at=NOW,
        updated_at=NOW,
        **{"kind": RunKind.ASK, "status": RunStatus.COMPLETE, "evidence": Evidence.FOUND, **more},
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
    lines = conversations(newest_first)
    assert [(line.title, line.state, line.tone) for line in lines] == [
        ("First?", "failed today", "bad"),
        ("Other?", "not in your documents, today", "off"),
    ]


def test_every_status_has_a_word():
    for status in RunStatus:
        [line] = conversations([summary(status=status)])
        assert line.state
        assert line.tone


def test_the_trace_lists_each_step_and_the_end():
    trace = trace_of(events(THINKING, SEARCHING, answer(), DONE))
    assert [line.node for line in trace] == ["Local rag", "Complete"]


def test_research_in_the_list_says_how_far_it_is():
    states = {
        RunStatus.AWAITING_APPROVAL: ("waiting for you", "warn"),
        RunStatus.AUDITING: ("planning", "busy"),
        RunStatus.SYNTHESIZING: ("running the plan", "busy"),
        RunStatus.COMPLETE: ("report today", "ok"),
        RunStatus.REJECTED: ("rejected today", "off"),
    }
    for status, (words, tone) in states.items():
        [line] = conversations([summary(kind=RunKind.RESEARCH, status=status)])
        assert (line.state, line.tone) == (words, tone)


def web_answer(url: str) -> AnswerReady:
    citation = Citation(
        number=1,
        passage_id="web-1",
        title="Prices",
        page=1,
        section="search result, page not opened",
        url=url,
        quote="about 9,000",
        snippet="It costs about 9,000 today.",
        score=0.5,
    )
    text = "# What it costs\n\nabout 9,000 [1]\n\n## Sources\n\n- [1] Prices\n\nQuoted, no model wrote."
    return AnswerReady(detail=AnswerDetail(answer=GroundedAnswer(text=text, grounded=True, citations=(citation,))))


def test_k22_a_web_source_says_that_its_page_was_not_opened_and_leads_there():
    turn = views.turn_of(summary(kind=RunKind.RESEARCH), events(web_answer("https://prices.example/a")))
    [source] = turn.sources
    assert (source.page, source.url) == (
        "prices.example, search result, page not opened",
        "https://prices.example/a",
    )
    assert "## Sources" not in turn.text
    assert turn.text.endswith("Quoted, no model wrote.")


def test_an_address_that_is_no_web_page_is_never_a_link():
    for url in ("javascript:alert(1)", "file:///etc/passwd", "https://", "http://[", "data:text/html,x"):
        [source] = views.turn_of(summary(kind=RunKind.RESEARCH), events(web_answer(url))).sources
        assert source.url == "", url


def test_no_findings_is_a_report_of_what_was_tried():
    detail = AnswerDetail(answer=GroundedAnswer(text="**No findings.** ...", grounded=False, guidance="Add sources."))
    turn = views.turn_of(summary(kind=RunKind.RESEARCH), events(AnswerReady(detail=detail)))
    assert (turn.phase, turn.text, turn.message, turn.scope) == (
        views.NOTHING_FOUND,
        "**No findings.** ...",
        "Add sources.",
        "",
    )


CALL = ModelCall(model="SmolLM2", purpose="report", prompt_tokens=900, completion_tokens=100, seconds=3.1)
WRITING = ReasoningEntry(node="synthesizer", summary="The report cites 1 place.", status=RunStatus.SYNTHESIZING)
YES = Decided(approval_id="a", outcome=Approve())


def test_the_calls_of_a_run_are_summed_under_its_answer_and_listed_in_its_trace():
    entry = WRITING.model_copy(update={"calls": (CALL.model_copy(update={"note": "2 sources left out."}),)})
    log = events(answer(), entry, DONE)
    assert views.turn_of(summary(kind=RunKind.RESEARCH), log).usage == "SmolLM2 · 1 call · 1,000 tokens · 3.1 s"
    [call] = trace_of(log)[0].calls
    assert (call.text, call.note) == ("SmolLM2 · report · 900 + 100 tokens · 3.1 s", "2 sources left out.")


def test_hit_20_only_a_run_that_failed_after_its_yes_can_be_taken_up_again():
    failed = StatusChanged(status=RunStatus.FAILED, message="The model is gone.")
    research = summary(kind=RunKind.RESEARCH)
    assert views.turn_of(research, events(YES, failed)).retry == "step"
    assert views.turn_of(research, events(failed)).retry == ""
    assert views.turn_of(research, events(YES)).retry == ""


def test_hit_20_a_run_that_was_taken_up_again_is_under_way_and_then_done():
    failed = StatusChanged(status=RunStatus.FAILED, message="The model is gone.")
    again = StatusChanged(status=RunStatus.EXECUTING)
    research = summary(kind=RunKind.RESEARCH)
    assert views.turn_of(research, events(YES, failed, again)).phase == views.EXECUTING
    assert views.turn_of(research, events(YES, failed, again, answer(), DONE)).phase == views.DONE
