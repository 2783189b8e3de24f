import pytest

from deeptrust.language.words import content_terms, index_terms, names, numbers


def test_words_are_folded_and_stemmed():
    assert index_terms("Running DOGS’ John's") == ["run", "dog", "john"]


def test_ret_06_chinese_and_japanese_become_character_pairs():
    assert set(index_terms("人口")) <= set(index_terms("東京の人口は多い"))
    assert index_terms("猫") == ["猫"]


def test_content_terms_leave_function_words_out():
    assert content_terms("What is the capital of France?") == ["capit", "franc"]


@pytest.mark.parametrize(
    ("left", "right"),
    [("1,000", "1000"), ("1.000,50", "1,000.5"), ("3.10", "3.1"), ("007", "7"), ("3,5", "3.5"), ("−2", "-2")],
)
def test_one_number_has_one_spelling(left: str, right: str):
    assert numbers(left) == numbers(right)


def test_numbers_stand_apart_from_their_neighbours():
    assert numbers("On 2024-05-01 COVID-19 cost 10% more, 3.5 of 7.") == {"2024", "5", "1", "19", "10", "3.5", "7"}


def test_names_are_capitals_inside_a_sentence_and_acronyms_anywhere():
    assert names("DMCA was signed. Later Bill Clinton left. Nobody asked.") == {"dmca", "bill", "clinton"}
