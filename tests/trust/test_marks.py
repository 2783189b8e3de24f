"""The grammar of citation marks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.trust.marks import read_marks, write_marks


@pytest.mark.parametrize(
    "mark", ["[999]", "[0]", "[-1]", "[1, 99]", "[1-3]", "【1】", "[1–2]", "[01]", "[ 1 ]", "[^1]"]
)
def test_ret_16_an_odd_mark_names_no_source(mark: str):
    read = read_marks(f"Water is wet {mark}.", source_count=3)
    assert read.numbers == ()
    assert read.dead_marks == 1
    assert read.text == "Water is wet."


def test_ret_16_a_doubled_mark_counts_once():
    read = read_marks("Water is wet [1][1].", source_count=3)
    assert read.numbers == (1,)
    assert read.dead_marks == 0


def test_marks_keep_their_order():
    assert read_marks("Both say so [3] [1].", source_count=3).numbers == (3, 1)


def test_words_in_brackets_are_no_mark():
    assert read_marks("He [the king] left [sic].", source_count=3).text == "He [the king] left [sic]."


@given(st.text(alphabet="[]0123456789 -,–【】x.", max_size=40), st.integers(min_value=0, max_value=12))
def test_only_real_numbers_come_out(text: str, source_count: int):
    read = read_marks(text, source_count)
    assert all(1 <= number <= source_count for number in read.numbers)
    assert len(set(read.numbers)) == len(read.numbers)
    assert not re.search(r"\[\d+\]", read.text) or read_marks(read.text, source_count) != read


@given(st.lists(st.integers(min_value=1, max_value=9), unique=True, max_size=4))
def test_written_marks_are_read_back(numbers: list[int]):
    assert read_marks(write_marks("So it is.", tuple(numbers)), source_count=9).numbers == tuple(numbers)
