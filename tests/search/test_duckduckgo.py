import pytest

from deeptrust.domain.plan import StepStatus
from deeptrust.errors import BadSetting
from deeptrust.search.base import PageStatus
from deeptrust.search.duckduckgo import DuckDuckGo
from deeptrust.search.transport import SearchTransport
from tests.search import engine_pages
from tests.search.engine_pages import LAYOUTS, Entry, classic, redirect, thirty_entries
from tests.search.engine_server import EngineServer, page


@pytest.fixture
def engine(server: EngineServer, transport: SearchTransport) -> DuckDuckGo:
    return DuckDuckGo(transport, server.url())


@pytest.mark.parametrize("layout", LAYOUTS)
async def test_web_03_results_are_read_whatever_the_layout(
    engine: DuckDuckGo, server: EngineServer, layout: str
) -> None:
    entries = thirty_entries()
    server.will(page(LAYOUTS[layout](entries)))
    found = await engine.search("tidal power", 30)
    assert found.status is PageStatus.RESULTS
    assert [(hit.title, hit.url) for hit in found.hits] == [(entry.title, entry.url) for entry in entries]
    assert [hit.snippet for hit in found.hits if len(hit.snippet.split()) > 4] == [
        entry.snippet for entry in entries if len(entry.snippet.split()) > 4
    ]
    assert (found.engine, found.reason, found.requests, found.step_status) == ("DuckDuckGo", "", 1, StepStatus.OK)


async def test_short_snippets_are_read_where_they_are_linked(engine: DuckDuckGo, server: EngineServer) -> None:
    entries = [Entry("Tide", "https://a.example/", "Twice daily."), Entry("Ebb", "https://b.example/", "")]
    server.will(page(classic(entries)))
    found = await engine.search("tidal power", 30)
    assert [(hit.title, hit.snippet) for hit in found.hits] == [("Tide", "Twice daily."), ("Ebb", "")]


@pytest.mark.parametrize("layout", LAYOUTS)
async def test_a_single_result_takes_no_text_from_the_page_round_it(
    engine: DuckDuckGo, server: EngineServer, layout: str
) -> None:
    entry = thirty_entries()[0]
    server.will(page(LAYOUTS[layout]([entry])))
    found = await engine.search("tidal power", 30)
    assert [(hit.title, hit.url, hit.snippet) for hit in found.hits] == [(entry.title, entry.url, entry.snippet)]


async def test_a_result_without_text_takes_none_from_its_neighbours(engine: DuckDuckGo, server: EngineServer) -> None:
    entry = Entry("Ebb tables", "https://a.example/", "")
    feedback = "<div>Tell us in a few words what you think of these results.</div></body>"
    for layout in LAYOUTS.values():
        server.will(page(layout([entry, *thirty_entries()[:1]]).replace("</body>", feedback)))
        found = await engine.search("tidal power", 30)
        assert {hit.snippet for hit in found.hits} <= {"", thirty_entries()[0].snippet}
    server.will(page(classic([entry], ads=()).replace("</body>", feedback)))
    assert [hit.snippet for hit in (await engine.search("tidal power", 30)).hits] == [""]


async def test_links_into_a_site_leave_its_result_whole(engine: DuckDuckGo, server: EngineServer) -> None:
    entry = Entry("Ebb tables", "https://a.example/", "Ebb and flow.")
    more = "".join(f'<a href="{redirect(f"https://a.example/{part}")}">{part}</a>' for part in ("About", "Contact"))
    server.will(page(classic([entry]).replace('<div class="clear">', f"<div>{more}</div><div>")))
    assert [(hit.title, hit.snippet) for hit in (await engine.search("tidal power", 30)).hits] == [
        ("Ebb tables", "Ebb and flow.")
    ]


async def test_the_query_is_sent_as_a_form_and_the_limit_holds(engine: DuckDuckGo, server: EngineServer) -> None:
    server.will(page(classic(thirty_entries())))
    assert len((await engine.search(" tidal\n power ", 4)).hits) == 4
    assert [(asked.method, asked.fields) for asked in server.asked] == [("POST", {"q": "tidal power"})]
    assert "DeepTrust" in server.asked[0].headers["user-agent"]


async def test_nothing_found_is_empty(engine: DuckDuckGo, server: EngineServer) -> None:
    server.will(page(engine_pages.nothing_found("robot qwxz")))
    found = await engine.search("robot qwxz", 5)
    assert (found.status, found.step_status, found.hits) == (PageStatus.EMPTY, StepStatus.EMPTY, ())
    assert found.reason == "DuckDuckGo found nothing."


async def test_nothing_found_stays_empty_beside_an_advertisement(engine: DuckDuckGo, server: EngineServer) -> None:
    ad = f'<div><a href="{engine_pages.ad_redirect("https://shop.example/")}">Cheap turbines</a></div>'
    for html in (engine_pages.nothing_found(), "<form><input name=q></form><p>No results.</p>"):
        server.will(page(ad + html))
        assert (await engine.search("qwxz", 5)).status is PageStatus.EMPTY


@pytest.mark.parametrize("status", [200, 202, 403])
async def test_web_02_bot_check_page_is_blocked_not_empty(
    engine: DuckDuckGo, server: EngineServer, status: int
) -> None:
    server.will(page(engine_pages.challenge(), status))
    found = await engine.search("tidal power", 5)
    assert (found.status, found.step_status) == (PageStatus.BLOCKED, StepStatus.FAILED)
    assert "robot" in found.reason


async def test_web_02_status_202_is_blocked_whatever_the_page_says(engine: DuckDuckGo, server: EngineServer) -> None:
    for html in ("", engine_pages.nothing_found(), classic(thirty_entries())):
        server.will(page(html, 202))
        assert (await engine.search("tidal power", 5)).status is PageStatus.BLOCKED


@pytest.mark.parametrize(
    "html",
    [
        '<title>Just a moment...</title><div class="cf-turnstile"></div>',
        "<title>Just a moment...</title><p>Checking your browser before you go on.</p>",
        "<h1>Verify you are human</h1><p>This takes a second.</p>",
    ],
    ids=["turnstile", "waiting room", "question"],
)
async def test_web_02_walls_of_other_makers_are_blocked(engine: DuckDuckGo, server: EngineServer, html: str) -> None:
    server.will(page(html))
    assert (await engine.search("tidal power", 5)).status is PageStatus.BLOCKED


async def test_web_02_wall_in_plain_words_is_blocked(engine: DuckDuckGo, server: EngineServer) -> None:
    server.will(page(engine_pages.robot_wall()))
    assert (await engine.search("tidal power", 5)).status is PageStatus.BLOCKED


@pytest.mark.parametrize(
    "html",
    ["", "<p>Back soon.</p>", engine_pages.hotel_login(), engine_pages.unreadable(thirty_entries()), "\x00\xff" * 500],
    ids=["nothing", "short", "captive portal", "drawn by script", "bytes"],
)
async def test_web_03_unknown_page_is_a_changed_layout_not_empty(
    engine: DuckDuckGo, server: EngineServer, html: str
) -> None:
    server.will(page(html))
    found = await engine.search("tidal power", 5)
    assert (found.status, found.step_status, found.hits) == (PageStatus.LAYOUT_CHANGED, StepStatus.FAILED, ())


async def test_web_17_only_http_and_https_become_links(engine: DuckDuckGo, server: EngineServer) -> None:
    links = [
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "file:///etc/hostname",
        "ftp://x.example/",
    ]
    links += ["https://user:word@bank.example/", "https://bank.example\\@evil.example/", "https:///nohost", "//[bad"]
    good = Entry("Good one", "https://good.example/", "This one may be shown as a link.")
    bad = [Entry(f"Bad {n}", link, "This one must never be shown as a link.") for n, link in enumerate(links)]
    server.will(page(classic([*bad, good])))
    assert [hit.title for hit in (await engine.search("tidal power", 30)).hits] == ["Good one"]
    server.will(page(engine_pages.cards([*bad, good])))
    assert [hit.title for hit in (await engine.search("tidal power", 30)).hits] == ["Good one"]


async def test_direction_controls_in_a_title_are_shown_as_marks(engine: DuckDuckGo, server: EngineServer) -> None:
    server.will(
        page(classic([Entry("invoice\u202efdp.exe", "https://a.example/x\u202ey", "An honest text of five words.")]))
    )
    (hit,) = (await engine.search("tidal power", 5)).hits
    assert (hit.title, hit.url) == ("invoice\ufffdfdp.exe", "https://a.example/x%E2%80%AEy")


async def test_redirects_inside_redirects_are_decoded_and_hidden_ads_dropped(
    engine: DuckDuckGo, server: EngineServer
) -> None:
    text = "A text that is long enough to be one."
    twice = "https:" + redirect("https:" + redirect("https://deep.example/a?b=c%20d"))
    entries = [
        Entry("Deep", twice, text),
        Entry("Hidden ad", engine_pages.ad_redirect("https://shop.example/"), text),
        Entry("Circle", "https:" + redirect("/l/?uddg=/l/"), text),
    ]
    server.will(page(classic(entries)))
    assert [hit.url for hit in (await engine.search("tidal power", 5)).hits] == ["https://deep.example/a?b=c%20d"]


@pytest.mark.parametrize("kind", ["result--ad", "web-result is-sponsored", "ads"])
async def test_an_advertisement_that_looks_like_a_result_is_dropped(
    engine: DuckDuckGo, server: EngineServer, kind: str
) -> None:
    html = classic(thirty_entries()[:3]).replace("web-result", kind, 1)
    server.will(page(html))
    assert [hit.title[-1] for hit in (await engine.search("tidal power", 9)).hits] == ["1", "1"]


@pytest.mark.parametrize("layout", LAYOUTS)
async def test_advertisements_alone_are_no_results(engine: DuckDuckGo, server: EngineServer, layout: str) -> None:
    server.will(page(LAYOUTS[layout]([])))
    assert (await engine.search("tidal power", 9)).hits == ()


async def test_the_same_page_is_shown_once(engine: DuckDuckGo, server: EngineServer) -> None:
    entries = thirty_entries()[:3]
    server.will(page(classic([*entries, entries[0]])))
    assert [hit.url for hit in (await engine.search("tidal power", 9)).hits] == [entry.url for entry in entries]


async def test_429_says_how_long_to_wait(engine: DuckDuckGo, server: EngineServer) -> None:
    server.will(page("Slow down", 429, Retry_After="30"), page("Slow down", 429))
    first, second = await engine.search("a", 5), await engine.search("a", 5)
    assert (first.status, first.retry_after_seconds) == (PageStatus.QUOTA, 30)
    assert first.reason == "DuckDuckGo had too many requests; try again in 30 seconds."
    assert (second.status, second.retry_after_seconds) == (PageStatus.QUOTA, None)


async def test_a_page_of_endless_links_gives_a_page_of_hits(engine: DuckDuckGo, server: EngineServer) -> None:
    links = (f"<h2><a href='{redirect(f'https://a.example/{n}')}'>T{n}</a></h2>" for n in range(5_000))
    server.will(page(classic([]) + "".join(links)))
    assert len((await engine.search("tidal power", 900)).hits) == engine.longest_page


async def test_a_page_nested_beyond_reason_is_not_parsed(engine: DuckDuckGo, server: EngineServer) -> None:
    server.will(page(classic(thirty_entries()) + "<div><span>" * 400_000))
    assert (await engine.search("tidal power", 5)).status is PageStatus.LAYOUT_CHANGED


def test_queries_never_travel_unencrypted(transport: SearchTransport) -> None:
    for url in ("http://html.duckduckgo.com/html/", "ftp://x.example", "https://u:p@x.example", "html", "https://"):
        with pytest.raises(BadSetting, match=r"^DEEPTRUST_DUCKDUCKGO_URL must be an https address"):
            DuckDuckGo(transport, url)
