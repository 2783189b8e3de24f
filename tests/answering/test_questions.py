"""What a question asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.answering.questions import AnswerKind, has_kind, read_question, split_parts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("when was the act signed", AnswerKind.DATE),
        ("How many ballots were cast?", AnswerKind.NUMBER),
        ("How long is the notice?", AnswerKind.EXTENT),
        ("who wrote it", AnswerKind.PERSON),
        ("Where was it filmed?", AnswerKind.PLACE),
        ("Why is the sky blue?", AnswerKind.REASON),
        ("what is a passage", AnswerKind.DEFINITION),
        ("Wann wurde das Gesetz unterzeichnet?", AnswerKind.DATE),
        ("tell me about boilers", AnswerKind.OTHER),
    ],
)
def test_the_kind_of_answer(text: str, kind: AnswerKind):
    assert read_question(text).kind is kind


@pytest.mark.parametrize(
    ("question", "sentence", "is_there"),
    [
        ("When was it signed?", "It was signed on October 28, 1998.", True),
        ("When was it signed?", "It was signed by the president.", False),
        ("How many jurors were there?", "There were twelve jurors.", True),
        ("How long does it take?", "It takes 28 days on average.", True),
        ("How long does it take?", "It takes one of 3 forms.", False),
        ("Who found the wreck?", "The wreck was found by Ballard.", True),
        ("Who found the wreck?", "The wreck was found at sea.", False),
        ("Who found the Titanic?", "We know of the Titanic.", False),
        ("How many are shown?", "CFOL009-WRONG PERIOD", False),
        ("Where is the Master File?", "It says what the Master File is.", False),
        ("Tell me about it", "Anything.", True),
    ],
)
def test_a_sentence_holds_the_kind(question: str, sentence: str, is_there: bool):
    assert has_kind(read_question(question), sentence) is is_there


def test_the_document_itself_is_not_what_is_asked_about():
    assert read_question("What does the document say about Lorem ipsum?").terms == {"lorem", "ipsum"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Who wrote it and when was the letter sent?", ["Who wrote it", "when was the letter sent?"]),
        ("What is rent? What is the deposit?", ["What is rent", "What is the deposit?"]),
        ("who discovered the wreck site and when", ["who discovered the wreck site and when"]),
        ("When did the ship sail and what did it carry?", ["When did the ship sail", "what did the ship carry?"]),
        ("How high is the deposit and when is it due?", ["How high is the deposit", "when is the deposit due?"]),
        ("What is the job about and what does it pay?", ["What is the job about", "what does the job pay?"]),
        ("When was the bridge opened and who designed it?", ["When was the bridge opened", "who designed the bridge?"]),
        ("What is the office and what is its use?", ["What is the office and what is its use?"]),
        ("What are salt and pepper?", ["What are salt and pepper?"]),
        (
            "When was the DMCA signed and what does it forbid?",
            ["When was the DMCA signed", "what does the DMCA forbid?"],
        ),
        (
            "Where was Marie Curie born and when did she win the Nobel Prize?",
            ["Where was Marie Curie born", "when did Marie Curie win the Nobel Prize?"],
        ),
        ("Who wrote Hamlet and when was he born?", ["Who wrote Hamlet and when was he born?"]),
        ("When did Anna meet Bob and what did they eat?", ["When did Anna meet Bob and what did they eat?"]),
    ],
)
def test_parts(text: str, parts: list[str]):
    assert [part.text for part in split_parts(text)] == parts


def test_words_that_say_how_it_is_asked_are_not_looked_for():
    assert read_question("What is the meaning of ayes and noes?").terms == read_question("ayes noes").terms
    assert read_question("What does it mean?").terms  # nothing else to look for


@pytest.mark.parametrize(
    ("question", "found", "not_found"),
    [
        ("What does CFOL009 mean?", "• cfol 009-MFT", "CFOL0091"),
        ("What is shown in Exhibit 2.3.59-11?", "Exhibit 2.3.59-11 (2021)", "Exhibit 2.3.59-111"),
        ("Which votes has precinct 0050003A?", "0050003A 327", "0050003B 300"),
    ],
)
def test_a_code_is_found_as_it_is_written(question: str, found: str, not_found: str):
    code = read_question(question).code
    assert code
    assert code.search(found)
    assert not code.search(not_found)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("What does reason code 6 mean?", {"6"}),
        ("What does definer D show on Form 8288?", {"D"}),
        ("What did I do on 3.5 acres in 1998?", set()),
        ("A question", set()),
    ],
)
def test_letters_and_small_numbers_may_be_keys_of_a_list_of_codes(text: str, keys: set[str]):
    assert read_question(text).keys == keys


def test_to_stand_for_something_is_no_word_to_look_for():
    assert read_question("Which code stands for a centre?").terms == read_question("Which code: a centre?").terms


@pytest.mark.parametrize(
    "text", ["What was the fashion of the 1990s?", "Who was the 20th president?", "Who won in 1998?"]
)
def test_years_and_ordinals_are_no_codes(text: str):
    assert read_question(text).code is None


def test_a_thousand_questions_are_one_search():
    assert len(split_parts("Who wrote it? " * 1000)) == 1


def test_keywords_ask_nothing():
    assert read_question("dragon tattoo sequel").is_keywords
    assert not read_question("is there a sequel").is_keywords


@given(st.text(max_size=200))
def test_any_text_has_parts(text: str):
    assert split_parts(text)
