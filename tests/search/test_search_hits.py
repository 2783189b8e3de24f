import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.errors import BadSetting
from deeptrust.search.address import redirect_target, require_engine_address, web_link
from deeptrust.search.hit import make_hit, strip_markup
from deeptrust.search.json_reply import read_json
from deeptrust.search.nesting import is_nested_too_deep
from deeptrust.search.query import fit_query


def test_web_09_long_query_is_cut_at_a_word_and_the_cut_is_said() -> None:
    query = "tidal barrage " * 357
    kept, note = fit_query(query, 499, "DuckDuckGo")
    assert len(kept) <= 499
    assert query.startswith(kept + " ")
    assert note == "The query was cut from 4,997 to 495 characters, the most that DuckDuckGo takes."
    assert fit_query(kept, 499, "DuckDuckGo") == (kept, "")


@given(st.text(max_size=80), st.integers(1, 40))
def test_a_fitting_query_is_a_beginning_within_the_limit(query: str, limit: int) -> None:
    kept, note = fit_query(query, limit, "Engine")
    whole, _ = fit_query(query, 10_000, "Engine")
    assert len(kept) <= limit
    assert whole.startswith(kept)
    assert bool(note) == (kept != whole)
    assert kept or not whole


@pytest.mark.parametrize(
    ("title", "url", "snippet"),
    [
        (None, "https://a.example/", "s"),
        ("", "https://a.example/", "s"),
        ("t", None, "s"),
        ("t", 5, "s"),
        ("t", "", "s"),
    ],
)
def test_web_08_item_without_title_or_link_is_no_hit(title: object, url: object, snippet: object) -> None:
    assert make_hit(title, url, snippet) is None


def test_web_08_item_without_snippet_is_kept() -> None:
    hit = make_hit("Title", "https://a.example/", None)
    assert hit is not None
    assert hit.snippet == ""


def test_hit_text_is_clean_and_bounded() -> None:
    hit = make_hit("a\x00b\n c" + "x" * 400, "https://a.example/", "\ud800 y\u200e" * 900)
    assert hit is not None
    assert hit.title.startswith("ab cx")
    assert (len(hit.title), len(hit.snippet)) == (300, 1_000)
    assert hit.to_wire()["snippet"]


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "JAVA\tSCRIPT:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "//a.example",
        "/relative",
        "https://",
        "https://a.example:99999/",
        "https://[::1",
        "https://a.example@b.example/",
        "https://a.example\\.b.example/",
        "https://a.example/" + "x" * 2_000,
    ],
)
def test_web_17_other_links_are_dropped(link: str) -> None:
    assert web_link(link) is None


@pytest.mark.parametrize(
    "link", ["http://a.example", "https://a.example:8443/x?y=z#w", "HTTPS://A.example/(b)", "https://bücher.example/ä"]
)
def test_good_links_stay_as_they_are(link: str) -> None:
    assert web_link(f" {link} ") == link


@given(st.text())
def test_a_link_is_never_but_http(text: str) -> None:
    link = web_link(text)
    assert link is None or link.lower().startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("asked", "location", "target"),
    [
        ("https://a.example/x", "/y", "https://a.example/y"),
        ("http://a.example/x", "https://a.example/x", "https://a.example/x"),
        ("https://a.example/x", "https://a.example:443/x", "https://a.example:443/x"),
        ("https://a.example/x", "http://a.example/x", None),
        ("https://a.example/x", "https://b.a.example/x", None),
        ("https://a.example/x", "https://a.example.evil.example/", None),
        ("https://a.example/x", "https://a.example:8443/x", None),
    ],
)
def test_redirects_stay_at_their_service(asked: str, location: str, target: str | None) -> None:
    assert redirect_target(asked, location) == target


def test_engine_addresses_are_encrypted_or_at_home() -> None:
    for url in ("https://engine.example/search", "http://127.0.0.1:8080/", "http://[::1]/", "http://localhost/"):
        assert require_engine_address(url, "DEEPTRUST_X_URL") == url
    for url in (
        "http://127.0.0.1.evil.example/",
        "http://10.0.0.1/",
        "http://[::1",
        "https://me:secret@engine.example/",
    ):
        with pytest.raises(BadSetting, match=r"^DEEPTRUST_X_URL must be") as error:
            require_engine_address(url, "DEEPTRUST_X_URL")
        assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("fragment", "text"),
    [
        ('a <span class="searchmatch">tide</span> &amp; &quot;ebb&quot;', 'a tide & "ebb"'),
        ("depth &lt;b&gt; 4 < 5 m", "depth <b> 4 < 5 m"),
        ("&amp;lt;", "&lt;"),
        ("a<!-- hidden -->b", "ab"),
        (None, ""),
    ],
)
def test_markup_is_stripped_once(fragment: object, text: str) -> None:
    assert strip_markup(fragment) == text


@pytest.mark.parametrize(
    "text", ["", "<html>", "[]", "null", '"x"', "[" * 100_000, "NaN", "1" * 5_000, '{"a":' * 50_000]
)
def test_what_is_no_json_object_is_an_empty_one(text: str) -> None:
    assert read_json(text) == {}


def test_nesting_counts_what_is_open_at_once() -> None:
    assert not is_nested_too_deep("<div><p>a<br></div>" * 5_000 + "<li>" * 5_000)
    assert is_nested_too_deep("<div>" * 600)
