"""Words of one sense."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.language.senses import other_words, sense_terms
from deeptrust.language.words import content_terms


@pytest.mark.parametrize(
    ("one", "other"),
    [("forbid", "prohibitions"), ("wrote", "written"), ("fee", "costs"), ("When did he die?", "death")],
)
def test_words_of_one_sense_are_one_term(one: str, other: str):
    assert sense_terms(one) == sense_terms(other)


def test_other_words_stay_apart():
    assert sense_terms("landlord tenant") == content_terms("landlord tenant")


@given(st.text(max_size=100))
def test_there_is_one_term_for_each_content_word(text: str):
    assert len(sense_terms(text)) == len(content_terms(text))


def test_other_words_of_the_same_sense():
    words = other_words("What does the law forbid?")
    assert {"prohibited", "ban"} <= set(words)
    assert "forbid" not in words
    assert other_words("What is the boiling point?") == []
