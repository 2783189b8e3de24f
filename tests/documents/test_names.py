"""Names from clients are shown, never followed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.documents.names import NAMELESS, SHOWN_CHARACTERS, shown_name


@pytest.mark.parametrize(
    ("claimed", "shown"),
    [
        ("../../etc/x.txt", "x.txt"),
        ("..\\..\\x.txt", "x.txt"),
        ("/abs.txt", "abs.txt"),
        ("a/../../b.txt", "b.txt"),
        ("%2e%2e%2fx", "%2e%2e%2fx"),
        ("x.txt\x00.pdf", "x.txt.pdf"),
        ("..", NAMELESS),
        ("", NAMELESS),
        ("folder/", "folder"),
    ],
)
def test_ing_23_name_with_folders_loses_them(claimed: str, shown: str) -> None:
    assert shown_name(claimed) == shown


def test_ing_13_quotes_and_accents_stay_and_line_breaks_go() -> None:
    assert shown_name("re\u0301sume\u0301 “final”–報告.pdf") == "résumé “final”–報告.pdf"
    assert shown_name("a\r\nSet-Cookie: x.pdf") == "a Set-Cookie: x.pdf"


def test_ing_14_very_long_name_is_cut_and_keeps_its_ending() -> None:
    shown = shown_name("界" * 300 + ".pdf")
    assert len(shown) == SHOWN_CHARACTERS
    assert shown.endswith("界….pdf")


def test_bidirectional_disguise_is_taken_off() -> None:
    assert shown_name("invoice\u202efdp.exe") == "invoicefdp.exe"


@given(st.text(max_size=300))
def test_any_name_is_short_visible_and_one_part(claimed: str) -> None:
    shown = shown_name(claimed)
    assert 0 < len(shown) <= SHOWN_CHARACTERS
    assert not set(shown) & set("/\\\x00\n\r")
    assert all(unicodedata.category(character) not in {"Cc", "Cs"} for character in shown)
    assert shown_name(shown) == shown
