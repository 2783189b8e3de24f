"""Sentences cut from passages."""

from hypothesis import given, settings
from hypothesis import strategies as st

from deeptrust.answering.evidence import MAX_SENTENCES, Sentence, gather_sentences
from deeptrust.embedding.hashing import HashingEmbedder
from tests.answering.builders import make_retrieval, make_scored


async def _gather(*texts: str, **changes: object) -> list[Sentence]:
    passages = [make_scored(text, number, **changes) for number, text in enumerate(texts, start=1)]
    return await gather_sentences(make_retrieval(*passages), frozenset({"boil"}), HashingEmbedder())


async def test_hyphens_at_line_ends_are_joined_for_the_eye_only():
    [sentence] = await _gather("We show that em-\nbeddings are learned.")
    assert sentence.text == "We show that embeddings are learned."
    assert sentence.quote == "We show that em-\nbeddings are learned."


async def test_a_heading_line_is_not_glued_to_the_sentence_below_it():
    text = (
        "INTRODUCTION\nThe act was signed into law by the president of that time\n"
        "and came into force in the autumn of 1998."
    )
    sentences = await _gather(text)
    assert [(one.quote.split()[0], one.is_fragment) for one in sentences] == [("INTRODUCTION", True), ("The", False)]


async def test_rows_of_a_form_are_quoted_one_by_one():
    text = "PRECINCT 0050003A\n327 BALLOTS CAST IN ALL CONTESTS OF THIS DAY, AS COUNTED\n1100 REGISTERED VOTERS"
    assert "PRECINCT 0050003A" in [one.quote for one in await _gather(text)]


async def test_a_markdown_heading_is_no_sentence():
    assert [one.quote for one in await _gather("# Boiling\n\nWater boils.")] == ["Water boils."]


async def test_overlapping_passages_give_a_sentence_once():
    sentences = await _gather("Water boils. Ice melts.", "Ice melts. Steam is hot.")
    assert [one.quote for one in sentences] == ["Water boils.", "Ice melts.", "Steam is hot."]


async def test_a_sentence_begun_before_the_passage_is_a_fragment():
    sentences = await _gather("of it was lost. Water boils.", start=40, end=70)
    assert [one.is_fragment for one in sentences] == [True, False]


async def test_many_sentences_are_cut_down_to_those_with_the_words_asked():
    texts = [f"Fact number {number} is here." for number in range(80)] + ["Water will boil."]
    sentences = await _gather(" ".join(texts))
    assert len(sentences) == MAX_SENTENCES
    assert sentences[-1].quote == "Water will boil."


@settings(max_examples=60)
@given(st.lists(st.text(alphabet="aB1.!? \n-#|é水。", max_size=120), min_size=1, max_size=4))
async def test_every_quote_is_a_substring_of_its_passage(texts: list[str]):
    for sentence in await _gather(*texts):
        assert sentence.quote in sentence.passage.text
        assert sentence.quote.strip() == sentence.quote
        assert "\n" not in sentence.text


async def test_documents_that_share_a_subject_are_about_it_and_each_tells_its_matter():
    barista = [make_scored("Water boils.", 1, title="Study plan: Barista", section="Topics")]
    barista += [make_scored("Ice melts.", 2, title="JD & gaps: Barista")]
    alone = make_scored("Steam is hot.", 3, title="Steam: A History")
    sentences = await gather_sentences(make_retrieval(*barista, alone), frozenset(), HashingEmbedder())
    assert [one.subject for one in sentences] == ["Barista", "Barista", "Steam: A History"]
    assert [one.matter for one in sentences] == [{"studi", "plan"}, {"jd", "gap"}, frozenset()]


async def test_what_a_passage_cuts_off_is_left_out_where_the_next_one_holds_it_whole():
    text = "Total (net of the first and second tax)"
    passages = [
        make_scored(text[:20].strip(), 1, document_id="d1"),
        make_scored(text, 2, document_id="d1"),
        make_scored("Second tax", 3, document_id="d2"),
    ]
    sentences = await gather_sentences(make_retrieval(*passages), frozenset(), HashingEmbedder())
    assert [one.quote for one in sentences] == [text, "Second tax"]


async def test_an_item_is_kept_though_another_document_repeats_it_in_a_sentence():
    sentences = await _gather("The posting says: “Strong Python”.", "- “Strong Python”")
    assert [one.quote for one in sentences] == ["The posting says: “Strong Python”.", "“Strong Python”"]


async def test_of_many_sentences_those_under_the_heading_asked_for_are_kept():
    facts = make_scored(" ".join(f"Fact number {number} is here." for number in range(80)), 1)
    passages = [facts, *(make_scored(f"Rain falls on day {day}.", day) for day in (2, 3, 4))]
    headed = make_scored("You make coffee.", 5, section="How to boil")
    few = [one.model_copy(update={"passage": one.passage.model_copy(update={"text": "Rain."})}) for one in passages[1:]]
    long = make_scored(facts.passage.text, 6)
    sentences = await gather_sentences(
        make_retrieval(*few, few[0], long, headed), frozenset({"boil"}), HashingEmbedder()
    )
    assert len(sentences) == MAX_SENTENCES
    assert sentences[-1].quote == "You make coffee."
