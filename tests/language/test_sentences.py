from hypothesis import given
from hypothesis import strategies as st

from deeptrust.language.sentences import split_sentences


def texts(source: str) -> list[str]:
    return [span.text for span in split_sentences(source)]


def test_abbreviations_initials_and_decimals_do_not_end_a_sentence():
    assert texts("Dr. Smith paid $1,000.50 to J. K. Rowling. It was No. 5 of the U.S. list! Then it ended.") == [
        "Dr. Smith paid $1,000.50 to J. K. Rowling.",
        "It was No. 5 of the U.S. list!",
        "Then it ended.",
    ]


def test_a_year_ends_a_sentence_but_an_item_number_does_not():
    assert texts("It ended in 1998. The rest followed.") == ["It ended in 1998.", "The rest followed."]
    assert texts("1. First thing. 2. Second thing.") == ["1. First thing.", "2. Second thing."]


def test_a_day_of_a_month_does_not_end_a_sentence():
    assert texts("Die Frist ist der 15. Februar 2027. Dann ist es zu spät.")[0] == "Die Frist ist der 15. Februar 2027."
    assert texts("It has 15. They are new.") == ["It has 15.", "They are new."]


def test_speech_goes_on_after_a_question_mark():
    assert texts('"Really?" he said. Nobody answered.') == ['"Really?" he said.', "Nobody answered."]


def test_headings_items_and_blank_lines_end_a_sentence():
    assert texts("# Title\nSome prose\nthat wraps.\n- one item\n- another\n\nLast") == [
        "# Title",
        "Some prose\nthat wraps.",
        "- one item",
        "- another",
        "Last",
    ]


def test_chinese_and_japanese_end_marks_need_no_space():
    assert texts("東京の人口は多い。次の文です。") == ["東京の人口は多い。", "次の文です。"]


@given(st.text(alphabet=st.sampled_from("aA1.!?。\n -#*\"'é東"), max_size=200))
def test_every_visible_character_is_in_exactly_one_sentence(source: str):
    spans = split_sentences(source)
    position = 0
    for span in spans:
        assert span.text == source[span.start : span.end]
        assert source[position : span.start].strip() == ""
        position = span.end
    assert source[position:].strip() == ""
