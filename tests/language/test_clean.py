from hypothesis import given
from hypothesis import strategies as st

from deeptrust.language.clean import clean_text, fold_space


def test_ing_11_nul_byte_is_removed():
    assert clean_text("before\x00after") == "beforeafter"


def test_gra_08_lone_surrogate_becomes_a_mark():
    cleaned = clean_text("a\ud83dz")
    assert cleaned == "a\ufffdz"
    cleaned.encode("utf-8")


def test_line_ends_become_newlines():
    assert clean_text("a\r\nb\rc\u2028d") == "a\nb\nc\nd"


@given(st.text(st.characters()))
def test_clean_text_is_idempotent_and_encodable(text: str):
    once = clean_text(text)
    assert clean_text(once) == once
    once.encode("utf-8")
    assert "\x00" not in once


def test_fold_space_leaves_one_line():
    assert fold_space(" a\n\n b\tc ") == "a b c"
