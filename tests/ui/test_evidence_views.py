from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from deeptrust.domain.answer import Citation, Claim, Verdict
from deeptrust.domain.document import Document, DocumentKind, Passage
from deeptrust.ui.views.evidence import CONTEXT_CHARACTERS, locate, reflow, show, surroundings

PAGE = (
    "Intro. The limit is five weeks. " * 40
    + "The landlord returns the deposit within 14 days. The end. "
    + "Tail. " * 90
)
START = PAGE.index("The landlord")


def passage(start: int = START - 32, end: int = START + 60) -> Passage:
    return Passage(
        id="p",
        document_id="d",
        title="Lease",
        kind=DocumentKind.PDF,
        page=2,
        start=start,
        end=end,
        text=PAGE[start:end],
    )


def citation(quote: str) -> Citation:
    return Citation(
        number=3, passage_id="p", title="Lease", page=2, section=None, url=None, quote=quote, snippet="", score=0.808
    )


DOCUMENT = Document(
    id="d",
    collection="workspace",
    kind=DocumentKind.PDF,
    label="lease.pdf",
    sha256="0" * 64,
    page_count=40,
    character_count=1,
    passage_count=1,
    created_at=datetime.now(UTC),
)
QUOTE = "The landlord returns the deposit within 14 days."


def test_the_quote_is_marked_in_its_place():
    claim = Claim(text="Within 14 days.", verdict=Verdict.PARTIAL, passage_ids=("p",), reason="no year")
    view = show("#c-r-3", citation(QUOTE), [claim], DOCUMENT, passage(), PAGE)
    assert view.quote == QUOTE
    assert view.before.endswith("The limit is five weeks. ")
    assert view.before.startswith("…")
    assert view.after.startswith(" The end.")
    assert (view.page, view.match, view.verdict) == ("page 2 of 40", "match 0.81", "partly supported")
    assert (view.claim, view.reason) == ("Within 14 days.", "no year")
    assert view.reference == f"“{QUOTE}” (Lease, page 2)"


def test_the_whole_page_opens():
    view = show("#c-r-3", citation(QUOTE), [], DOCUMENT, passage(), PAGE, is_whole=True)
    assert view.before + view.quote + view.after == PAGE


def test_words_that_stand_twice_are_marked_in_their_own_passage():
    start = PAGE.index("The limit", 500)
    found = locate("The limit is five weeks.", passage(start, start + 40), PAGE)
    assert found == (start, start + len("The limit is five weeks."))


@given(st.integers(0, len(PAGE)), st.integers(0, 200), st.integers(1, 3000))
def test_surroundings_are_cut_from_the_page_and_bounded(start: int, length: int, reach: int):
    before, after = surroundings(PAGE, start, min(start + length, len(PAGE)), reach)
    assert before.removeprefix("…") in PAGE
    assert after.removesuffix("…") in PAGE
    assert len(before) <= reach + 1
    assert len(after) <= reach + 1


def test_context_is_short():
    view = show("#c-r-3", citation(QUOTE), [], DOCUMENT, passage(), PAGE)
    assert len(view.before + view.after) <= 2 * CONTEXT_CHARACTERS + 2


@given(st.text(alphabet="ab .\n-1", max_size=400))
def test_reflowing_keeps_every_offset(text: str):
    flowed = reflow(text)
    assert len(flowed) == len(text)
    assert flowed.replace(" ", "\n") == text.replace(" ", "\n")


def test_lines_of_a_paragraph_flow_and_headings_stay():
    text = (
        "2. The deposit\nA deposit protects the landlord against unpaid rent and damage\nfor as long as you live there."
    )
    assert reflow(text) == (
        "2. The deposit\nA deposit protects the landlord against unpaid rent and damage for as long as you live there."
    )
