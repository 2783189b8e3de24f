from datetime import UTC, datetime, timedelta

import pytest

from deeptrust.language.counting import count
from deeptrust.ui.views.text import day, safe_host, safe_name, shorten


def test_ui_19_direction_controls_are_shown_as_marks():
    assert safe_name("invoice\u202efdp.exe") == "invoice⟨U+202E⟩fdp.exe"


def test_ui_19_a_host_that_mixes_scripts_is_shown_in_punycode():
    assert safe_host("https://ex\u0430mple.org/login") == "xn--exmple-4nf.org"
    assert safe_host("https://пример.org/") == "пример.org"
    assert safe_host("https://example.org:8080/") == "example.org"


@pytest.mark.parametrize("address", ["", "no address", "http://[", "javascript:alert(1)"])
def test_what_has_no_host_shows_none(address: str):
    assert safe_host(address) == ""


def test_names_stand_on_one_line():
    assert safe_name("a\nb\x00\t c") == "a b c"


def test_numbers_and_words_agree():
    assert [count(1, "page"), count(0, "page"), count(1200, "page")] == ["1 page", "0 pages", "1,200 pages"]


def test_days_are_told_as_a_person_would():
    now = datetime(2026, 3, 10, 12, tzinfo=UTC).astimezone()
    assert day(now, now) == "today"
    assert day(now - timedelta(days=1), now) == "yesterday"
    assert day(now - timedelta(days=20), now) == "18 Feb"


def test_long_text_is_cut_at_a_word():
    assert shorten("one two three", 9) == "one two…"
    assert shorten("one  two", 9) == "one two"
