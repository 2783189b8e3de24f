"""Which sentence answers."""

import pytest

from deeptrust.answering.evidence import gather_sentences
from deeptrust.answering.extractive import Part, quote_answer
from deeptrust.answering.questions import read_question
from deeptrust.answering.ranking import rank_sentences, weigh_terms
from deeptrust.embedding.hashing import HashingEmbedder
from tests.answering.builders import make_retrieval, make_scored

RENTING = (
    "A landlord may ask for a deposit of five weeks of rent. A landlord must announce a visit in time. The landlord "
    "must return the deposit within 14 days. The landlord repairs the roof."
)


async def _part(question: str, *texts: str, **changes: object) -> Part:
    embedder = HashingEmbedder()
    passages = [make_scored(text, number, **changes) for number, text in enumerate(texts, start=1)]
    read = read_question(question)
    sentences = await gather_sentences(make_retrieval(*passages), read.terms, embedder)
    return Part(read, await embedder.embed_question(question), sentences)


async def _rank(question: str, *texts: str, **changes: object) -> list[str]:
    part = await _part(question, *texts, **changes)
    return [one.sentence.text for one in rank_sentences(part.question, part.vector, part.sentences)]


async def test_the_rare_word_decides():
    ranked = await _rank("How long does a landlord have to return the deposit?", RENTING)
    assert ranked[0] == "The landlord must return the deposit within 14 days."


async def test_words_that_every_sentence_holds_weigh_least():
    part = await _part("How long does a landlord have to return the deposit?", RENTING)
    weights = weigh_terms(part.question, part.sentences)
    assert weights["landlord"] < weights["deposit"] < weights["return"]
    assert weights["landlord"] + weights["deposit"] + weights["return"] == pytest.approx(1.0)


async def test_a_long_name_weighs_as_one_word():
    part = await _part("What does the Digital Millennium Copyright Act forbid?", "The act is prohibited.", "A text.")
    weights = weigh_terms(part.question, part.sentences)
    assert sum(weights[term] for term in ("digit", "millennium", "copyright")) < weights["forbid"] * 2


async def test_headings_and_questions_come_last():
    ranked = await _rank("What is the usable capacity?", "What is the usable capacity? It is 9 kilowatt-hours.")
    assert ranked == ["It is 9 kilowatt-hours.", "What is the usable capacity?"]


async def test_what_a_sentence_denies_gives_way():
    ranked = await _rank(
        "What does the rule forbid?", "The rule does not forbid shouting. The rule does forbid shouting."
    )
    assert ranked[0] == "The rule does forbid shouting."


async def test_one_fact_is_answered_by_one_sentence():
    part = await _part("How long does a landlord have to return the deposit?", RENTING)
    assert [one.quote for one in quote_answer([part]).citations] == [
        "The landlord must return the deposit within 14 days."
    ]


async def test_a_row_is_shown_with_its_heads_and_cited_to_the_letter():
    table = "| Variety | Picked |\n| --- | --- |\n| Bramley | October |\n| Discovery | August |"
    answer = quote_answer([await _part("When is the Bramley picked?", table)])
    assert answer.text == "Variety: Bramley · Picked: October [1]"
    assert answer.citations[0].quote == "| Bramley | October |"


async def test_the_line_of_a_code_is_quoted_with_what_it_means():
    text = "CFOL008-FIELD IS IN ERROR.\nChange the field.\nCFOL009-WRONG PERIOD.\nThe field is not valid.\nCFOL010-NO."
    answer = quote_answer([await _part("What does the message CFOL009 mean?", text)])
    assert [one.quote for one in answer.citations] == ["CFOL009-WRONG PERIOD.", "The field is not valid."]


async def test_all_that_stands_under_the_heading_asked_for_belongs_to_the_answer():
    embedder = HashingEmbedder()
    question = read_question("What is required?")
    one = make_scored("You make coffee. You are friendly.", section="What the job requires")
    other = make_scored("The bar is old.", 2, section="The bar", document_id="d1")
    sentences = await gather_sentences(make_retrieval(one, other), question.terms, embedder)
    answer = quote_answer([Part(question, await embedder.embed_question(question.text), sentences)])
    assert {one.quote for one in answer.citations} == {"You make coffee.", "You are friendly."}


async def test_what_makes_an_exception_gives_way():
    ranked = await _rank(
        "What does the rule forbid?",
        "An exception to what the rule may forbid is a fire. The rule may forbid shouting.",
    )
    assert ranked[0] == "The rule may forbid shouting."


CODES = "7 10 Waiver Code\n24 = Frequency\n25 = Tolerance\n7 12 Reason Code\n24 = Fire"


async def test_of_a_list_of_codes_the_one_asked_about_is_quoted():
    answer = quote_answer([await _part("What does waiver code 24 mean?", CODES)])
    assert [one.quote for one in answer.citations] == ["24 = Frequency"]


async def test_no_other_code_stands_in_for_the_one_asked_about():
    answer = quote_answer([await _part("What does waiver code 26 mean?", CODES)])
    assert not {"24 = Frequency", "25 = Tolerance"} & {one.quote for one in answer.citations}


async def test_what_a_text_does_not_state_is_an_answer_before_a_sentence_beside_the_matter():
    ranked = await _rank(
        "What does this job pay?", "This job pays attention to safety. The posting does not state what this job pays."
    )
    assert ranked[0] == "The posting does not state what this job pays."


@pytest.mark.parametrize(
    ("question", "section"),
    [("What is required?", "What the job requires"), ("What is not required?", "What the job does not require")],
)
async def test_a_heading_that_denies_answers_only_a_question_that_does(question: str, section: str):
    texts = {"What the job requires": "You study mathematics.", "What the job does not require": "A degree."}
    read, embedder = read_question(question), HashingEmbedder()
    passages = [
        make_scored(text, number, section=heading, document_id="d1", start=100 * number)
        for number, (heading, text) in enumerate(texts.items())
    ]
    sentences = await gather_sentences(make_retrieval(*passages), read.terms, embedder)
    answer = quote_answer([Part(read, await embedder.embed_question(question), sentences)])
    assert [one.quote for one in answer.citations] == [texts[section]]
