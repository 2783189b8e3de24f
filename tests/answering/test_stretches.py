"""Where a passage can be quoted."""

from deeptrust.answering.stretches import Stretch, find_stretches
from tests.answering.builders import make_scored

TENANCY = """Guide 2026
3. Ending the tenancy
How much notice is due depends on who ends the tenancy and how long the tenancy has lasted so far.
Who gives notice Length of tenancy Notice
Tenant Any 28 days
Landlord Less than 1 year 2 months
Landlord 1 to 5 years 3 months
A fixed-term tenancy ends on its last day, and neither of the two sides has to give any notice.
"""
EVENTS = """Before the table stands a sentence.

| Date | Event |
| --- | --- |
| 26 April 1956 | Ideal X sails. It carries 58 boxes |
| 1958 | a \\| b |
"""


def _find(text: str, title: str = "A title") -> list[Stretch]:
    found = find_stretches(make_scored(text, title=title).passage)
    for stretch in found:
        assert text[stretch.span.start : stretch.span.end] == stretch.span.text
    return found


def test_the_row_of_a_markdown_table_reads_with_its_heads_and_is_quoted_as_it_stands():
    sentence, first, second = _find(EVENTS)
    assert sentence.text == "Before the table stands a sentence."
    assert first.text == "Date: 26 April 1956 · Event: Ideal X sails. It carries 58 boxes"
    assert first.span.text == "| 26 April 1956 | Ideal X sails. It carries 58 boxes |"
    assert second.text == "Date: 1958 · Event: a | b"


def test_a_row_without_its_table_reads_without_heads():
    assert [one.text for one in _find("| 1958 | Matson |\n| 1966 | Fairland |")] == ["1958 · Matson", "1966 · Fairland"]


def test_the_row_of_a_pdf_table_means_its_head_too():
    row = next(one for one in _find(TENANCY) if one.text == "Tenant Any 28 days")
    assert row.meaning == "Who gives notice Length of tenancy Notice: Tenant Any 28 days"
    assert row.is_fragment
    assert not row.is_pointer


def test_headings_and_the_heads_of_columns_are_pointers():
    pointers = [one.text for one in _find(TENANCY) if one.is_pointer]
    assert pointers == ["Guide 2026", "3. Ending the tenancy", "Who gives notice Length of tenancy Notice"]


def test_a_line_that_only_repeats_the_title_is_a_pointer():
    [sentence, footer] = _find(
        "The rent is due on the first day of the month.\nRenting in Larkfield 2", title="larkfield-renting.pdf"
    )
    assert not sentence.is_pointer
    assert footer.is_pointer


def test_a_question_is_a_pointer():
    assert [one.is_pointer for one in _find("When can you install? The usual wait was seven weeks.")] == [True, False]


def test_a_sentence_that_begins_in_the_middle_of_a_line_is_not_cut_at_its_end():
    text = (
        "That was agreed in the year before. The legislation implements two World\n"
        "Intellectual Property Organization treaties of the same year, and it adds some rules."
    )
    assert [one.is_fragment for one in _find(text)] == [False, False]


def test_lines_that_begin_with_numbers_are_rows_however_long():
    rows = "18 60-80 ES Prior Year Tax Base\n19 20-40 ES Prior Year Net\n19 60-80 28% Net Gains Adj"
    assert [one.text for one in _find(rows)] == rows.split("\n")


def test_the_mark_of_a_list_item_is_no_part_of_its_quote():
    (item,) = _find("- This job uses the Greenhouse platform.")
    assert item.span.text == item.text == "This job uses the Greenhouse platform."
    assert item.span.start == 2


CODES = (
    "21 29-30 IPD Reason Code\n1 = Bank stamped coupon with late date\nS = Savings\n21 44-53 Intended Payment Date\n"
)


def test_what_a_code_means_is_read_with_the_line_that_the_list_stands_under():
    label, first, second, after = _find(CODES)
    assert (first.key, first.meaning) == ("1", "21 29-30 IPD Reason Code: 1 = Bank stamped coupon with late date")
    assert (second.key, second.text) == ("S", "S = Savings")
    assert label.key is after.key is None
    assert not label.is_pointer


def test_the_line_above_a_list_is_a_pointer_and_its_items_are_none():
    stretches = _find("Requirements\n- A driver's license\n- Physical fitness")
    assert [(one.text, one.is_pointer) for one in stretches] == [
        ("Requirements", True),
        ("A driver's license", False),
        ("Physical fitness", False),
    ]
