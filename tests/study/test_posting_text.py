import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deeptrust.domain.study import Requirement, Stated
from deeptrust.study.blocks import BlockKind
from deeptrust.study.facts import read_facts
from deeptrust.study.markup import to_text
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section, section_of

_lines = st.lists(
    st.sampled_from(
        "# Engineer|## Requirements|- 5+ years of Go|- No degree required|Location: Berlin or Graz|Salary: $90k - "
        "120,5 €|"
        "Apply by 03/04/2027 at https://jobs.lever.co/a|**Pay:** |Start: May|Interviews: a, b -> c|\t|(((|- |#|**|1.|"
        "<b>".split("|")
    )
    | st.text(max_size=40),
    max_size=12,
)


@settings(max_examples=200)
@given(_lines)
def test_whatever_is_pasted_is_read_and_every_quote_stands_in_it(lines: list[str]):
    text = to_text("\n".join(lines))
    facts = read_facts(text)
    for name in type(facts).model_fields:
        value = getattr(facts, name)
        for one in value if isinstance(value, tuple) else (value,) if value else ():
            assert isinstance(one, Stated | Requirement)
            assert one.quote is not None
            assert text[one.start : one.end] == one.quote


@given(st.text(max_size=300))
def test_text_that_was_cleaned_stays_as_it_is(text: str):
    assert to_text(to_text(text)) == to_text(text)


def test_html_keeps_headings_bullets_and_addresses():
    page = "<div><h2>Requirements</h2><ul><li>Go</li></ul><script>x</script><p><a href='https://a.example/1'>Apply</a></p></div>"
    assert to_text(page) == "## Requirements\n\n- Go\n\nApply (https://a.example/1)"


def test_a_wrapped_line_is_one_paragraph_and_labels_are_not():
    text = (
        "Your salary, including base and locality, will be determined upon\nselection.\nLocation: Kew\nType: Full-time"
    )
    assert [block.text for block in Posting(text).blocks] == [
        "Your salary, including base and locality, will be determined upon\nselection.",
        "Location: Kew",
        "Type: Full-time",
    ]


def test_an_unknown_heading_ends_a_section():
    text = "**Requirements**\n\n- Go\n\n**Our dog**\n\n- Barks"
    items = [(block.text, block.section) for block in Posting(text).blocks if block.kind is BlockKind.ITEM]
    assert items == [("Go", Section.REQUIRED), ("Barks", Section.OTHER)]


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("Travel requirement", Section.SMALL_PRINT),
        ("Preferred Qualifications", Section.PREFERRED),
        ("What you’ll bring", Section.REQUIRED),
        ("Das bringst du mit", Section.REQUIRED),
        ("Deine Aufgaben", Section.DUTIES),
        ("Our hiring process", Section.INTERVIEW),
        ("About Acme", Section.COMPANY),
        ("Lunch", None),
    ],
)
def test_headings_in_varied_words(heading: str, section: Section | None):
    assert section_of(heading) is section


@pytest.mark.parametrize(
    "repeated", ["1 111 ", "$1 - $2 ", "5 years ", "A, ", "| a ", "\n", "**", "apply by ", "## Requirements\n- Go\n"]
)
def test_endless_repetition_is_read_to_its_end(repeated: str):
    """Patterns meet at most a thousand characters at a time: with all of them they would take hours."""
    read_facts(to_text(repeated * (20_000 // len(repeated))))
