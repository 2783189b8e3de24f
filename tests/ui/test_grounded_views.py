"""Harnesses and their answers as the grounded research panel shows them."""

from datetime import UTC, datetime

from deeptrust.domain.answer import AnswerDetail, Citation, Claim, GroundedAnswer, Verdict
from deeptrust.harness.ingest import Confirmation, IngestReport, PackStatus
from deeptrust.harness.ingest import Leaving as LeavingText
from deeptrust.ui.views import grounded as views
from deeptrust.ui.views.grounded import HarnessChip, Reply

ASKED = Reply(key="k1", question="Which ATS?")
CHIP = HarnessChip("notebooklm", "NotebookLM", False, "Off.", False, False)


def citation(**more) -> Citation:
    given = {
        "number": 1,
        "passage_id": "p",
        "title": "ATS & assessment platform: Pilot",
        "page": 1,
        "section": "ATS",
        "url": None,
        "quote": "The job uses Greenhouse.",
        "snippet": "… ## ATS The job uses Greenhouse. It says so.",
        "score": 0.534,
    }
    return Citation(**{**given, **more})


def detail(**more) -> AnswerDetail:
    given = GroundedAnswer(
        text="The job uses Greenhouse. [1]", grounded=True, citations=(citation(),), embedder="hashing"
    )
    claim = Claim(text="The job uses Greenhouse.", verdict=Verdict.SUPPORTED, passage_ids=("p",))
    return AnswerDetail(
        **{"answer": given, "claims": (claim,), "document_count": 4, "passage_count": 22, "seconds": 0.14, **more}
    )


def test_h23_a_grounded_answer_points_to_cards_with_score_and_snippet():
    reply = views.reply_of(ASKED, detail(not_found=("the fee",)))
    assert (reply.phase, reply.by, reply.missing) == (views.GROUNDED, "quoted", ["the fee"])
    assert reply.scope == "4 documents, 22 passages, 0.1 s"
    [card] = reply.sources
    assert f"[1](#{card.anchor} " in reply.text
    assert (card.score, card.where) == ("0.53", "ATS")
    assert (card.before, card.quote, card.after) == ("… ATS ", "The job uses Greenhouse.", " It says so.")


def test_a_written_answer_names_its_writer_and_marks_what_is_partly_supported():
    given = detail().answer.model_copy(update={"model": "Scripted"})
    claim = Claim(text="The job uses Greenhouse.", verdict=Verdict.PARTIAL, passage_ids=("p",), reason="One name.")
    reply = views.reply_of(ASKED, detail(answer=given, claims=(claim,)))
    assert (reply.by, reply.partial) == ("written by Scripted, checked", 1)
    assert '(#partial "One name.")' in reply.text


def test_an_answer_that_is_not_grounded_says_what_was_searched_and_cites_nothing():
    given = GroundedAnswer(text="Not found. [1] Searched: 22 passages.", grounded=False, guidance="Ask otherwise.")
    reply = views.reply_of(ASKED, detail(answer=given, claims=()))
    assert (reply.phase, reply.text, reply.message) == (views.NOT_FOUND, given.text, "Ask otherwise.")
    assert reply.sources == []


def test_a_snippet_without_its_quote_gives_way_to_the_quote():
    assert views.split_snippet("something else", "The quote.") == ("", "The quote.", "")
    assert views.split_snippet("a  b\nc", "b c") == ("a ", "b c", "")


def test_links_and_images_of_a_posting_lose_their_target():
    hostile = "Apply [here](https://evil.test/x) [1] ![x](https://evil.test/y.png) [go](#s-k1-9)"
    given = detail().answer.model_copy(update={"text": hostile})
    text = views.reply_of(ASKED, detail(answer=given)).text
    assert "](https" not in text
    assert "#s-k1-9" not in text


def test_a_pointer_leads_to_https_only_and_does_not_repeat_why_it_is_closed():
    pointing = GroundedAnswer(
        text="NotebookLM answers this.", grounded=False, guidance="Open it. NotebookLM is not available now: Off."
    )
    pointer = views.pointer_of(AnswerDetail(answer=pointing, link="https://notebooklm.google.com/notebook/a"), CHIP)
    assert (pointer.guidance, pointer.host) == ("Open it.", "notebooklm.google.com")
    assert views.pointer_of(AnswerDetail(answer=pointing, link="javascript:alert(1)"), CHIP).link == ""


def test_an_ingest_is_told_with_numbers():
    report = IngestReport(
        harness_id="local-rag", status=PackStatus.READY, message="Ready.", document_count=4, passage_count=1
    )
    assert views.ingest_line(report).counts == "4 documents, 1 passage"
    failed = IngestReport(harness_id="local-rag", status=PackStatus.FAILED, message="Locked.")
    assert (views.ingest_line(failed).is_ready, views.ingest_line(failed).counts) == (False, "")


def test_h11_the_confirmation_names_each_text_its_size_and_where_it_goes():
    confirmation = Confirmation(
        token="secret",
        expires_at=datetime.now(UTC),
        destination="Google NotebookLM",
        notebook="Prep pack a1",
        leaving=(LeavingText(title="Study plan", characters=1200), LeavingText(title="ATS", characters=1)),
    )
    view = views.confirm_view(confirmation)
    assert [(one.title, one.size) for one in view.leaving] == [
        ("Study plan", "1,200 characters"),
        ("ATS", "1 character"),
    ]
    assert view.total == "2 documents, 1,201 characters"
    assert "secret" not in repr(view)
