"""Ink to language: hyphens, ligatures, running headers."""

from hypothesis import given
from hypothesis import strategies as st

from deeptrust.documents.layout import tidy_pages


def test_word_broken_at_a_line_end_is_one_word() -> None:
    assert tidy_pages(["It bars debt-\nors from leaving."]) == ["It bars debtors\nfrom leaving."]


def test_compound_that_the_document_knows_keeps_its_hyphen() -> None:
    assert tidy_pages(["A dual-encoder here.\nThe dual-\nencoder there."]) == [
        "A dual-encoder here.\nThe dual-encoder\nthere."
    ]


def test_number_range_and_name_keep_their_hyphen() -> None:
    assert tidy_pages(["from 2014-\n2023, and Lucene-\nBM25 too"]) == ["from 2014-2023,\nand Lucene-BM25\ntoo"]


def test_soft_hyphens_are_gone() -> None:
    assert tidy_pages(["pass\u00adage and re\u00ad\nport"]) == ["passage and report"]


def test_ligatures_become_letters() -> None:
    assert tidy_pages(["eﬃcient ﬁrst ﬂow"]) == ["efficient first flow"]


def test_running_header_stays_on_its_first_page_only() -> None:
    pages = [f"{n} The Annual Report\nText of page {n} stands here.\nDRAFT" for n in range(1, 6)]
    tidy = tidy_pages(pages)
    assert tidy[0] == pages[0]
    assert tidy[1:] == [f"Text of page {n} stands here." for n in range(2, 6)]


def test_headings_that_differ_by_a_number_inside_are_kept() -> None:
    pages = [f"Exhibit 2.3.{n} (Cont. 1)\nText of page {n} stands here." for n in range(9)]
    assert tidy_pages(pages) == pages


def test_totals_that_differ_are_kept() -> None:
    pages = [f"Office {n}\nBranch {n * 7} sold machines.\nTotal {n * 100}" for n in (3, 1, 4, 1, 5, 9)]
    assert tidy_pages(pages) == pages


def test_lone_page_numbers_are_dropped_after_the_first() -> None:
    pages = [f"Text of page {n} stands here.\n{n}" for n in range(1, 6)]
    assert tidy_pages(pages) == [pages[0], *(page.split("\n")[0] for page in pages[1:])]


def test_slides_with_the_same_single_line_keep_it() -> None:
    assert tidy_pages(["Hello world"] * 5) == ["Hello world"] * 5


@given(st.lists(st.text(alphabet=st.sampled_from("ab-\n \u00adﬁÉ1.\x00")), max_size=8))
def test_no_page_is_lost_and_no_letter_but_ink_changes(texts: list[str]) -> None:
    tidy = tidy_pages(texts)
    assert len(tidy) == len(texts)
    assert all(not set(page) & set("\u00adﬁ\x00") for page in tidy)


@given(st.text(alphabet=st.sampled_from("ab-\n 1.")))
def test_letters_of_a_single_page_stay_in_order(text: str) -> None:
    def letters(page: str) -> str:
        return "".join(character for character in page if character.isalnum())

    assert letters(tidy_pages([text])[0]) == letters(text)
