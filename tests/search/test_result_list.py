from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from deeptrust.search.result_list import ResultList
from tests.search.engine_pages import cards, thirty_entries

ENTRIES = thirty_entries()
PAGE = cards(ENTRIES, ads=())
TAGS = st.sampled_from(
    "<div> </div> <a&href='https://a.example/'> <a&href=''> </a> <h2> </h2> <p> <form> <dl><dt> <table><tr><td> </td>"
    " <nav> </nav> <!-- --> <script> a&text&of&some&six&words <svg><a&href=x>".replace("&", "\x01").split()
).map(lambda tag: tag.replace("\x01", " "))


def outside(href: str) -> str | None:
    return href if href.startswith("http") else None


@settings(max_examples=30)
@given(st.integers(0, len(PAGE)))
def test_a_page_cut_anywhere_gives_the_results_before_the_cut(length: int) -> None:
    hits = ResultList(LexborHTMLParser(PAGE[:length]), outside).hits()
    whole = [entry for entry in ENTRIES if entry.url.startswith("http") and "duckduckgo" not in entry.url]
    assert [hit.url for hit in hits[:-1]] == [entry.url for entry in whole][: max(len(hits) - 1, 0)]


@settings(max_examples=80)
@given(st.lists(st.one_of(TAGS, st.text("abé <>&;'\"=/", max_size=12)), max_size=40).map("".join))
def test_no_markup_breaks_the_reader(html: str) -> None:
    for hit in ResultList(LexborHTMLParser(html), outside).hits():
        assert hit.url == "https://a.example/"
        assert hit.title in " ".join(LexborHTMLParser(html).text().split())
