import pytest

from deeptrust.search.base import PageStatus
from deeptrust.search.transport import SearchTransport
from deeptrust.search.wikipedia import Wikipedia
from tests.search.engine_server import Answer, EngineServer, data, page


@pytest.fixture
def engine(server: EngineServer, transport: SearchTransport) -> Wikipedia:
    return Wikipedia(transport, server.url("/w/api.php"))


def answer(*items: object) -> Answer:
    """A whole answer of the API, with what it says beside the results."""
    return data(
        {
            "batchcomplete": True,
            "continue": {"sroffset": 10, "continue": "-||"},
            "warnings": {"search": {"warnings": "Something is deprecated."}},
            "query": {"searchinfo": {"totalhits": 4021, "suggestion": "tidal tower"}, "search": list(items)},
        }
    )


async def test_articles_become_hits_without_markup(engine: Wikipedia, server: EngineServer) -> None:
    snippet = '<span class="searchmatch">Tidal</span> range &amp; flow: up to 16&nbsp;m &lt;Fundy&gt;'
    server.will(
        answer(
            {"ns": 0, "title": "Tidal power", "pageid": 30718, "snippet": snippet},
            {"ns": 0, "title": "Rance (river): C/C++?", "pageid": 2, "snippet": ""},
            {"ns": 0, "title": "Gezeitenkraftwerk Bucht-Äö", "pageid": 3, "snippet": "Plain text, as it stands."},
        )
    )
    found = await engine.search("tidal power", 5)
    assert [(hit.title, hit.url, hit.snippet) for hit in found.hits] == [
        ("Tidal power", server.url("/wiki/Tidal_power"), "Tidal range & flow: up to 16 m <Fundy>"),
        ("Rance (river): C/C++?", server.url("/wiki/Rance_(river):_C/C%2B%2B%3F"), ""),
        (
            "Gezeitenkraftwerk Bucht-Äö",
            server.url("/wiki/Gezeitenkraftwerk_Bucht-%C3%84%C3%B6"),
            "Plain text, as it stands.",
        ),
    ]
    assert (found.status, found.engine, found.reason, found.requests) == (PageStatus.RESULTS, "Wikipedia", "", 1)
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("GET", "/w/api.php")
    assert (asked.fields["srsearch"], asked.fields["srlimit"], asked.fields["list"]) == ("tidal power", "5", "search")
    assert asked.headers["user-agent"].startswith("DeepTrust/")


async def test_web_08_items_that_lack_fields_are_skipped(engine: Wikipedia, server: EngineServer) -> None:
    server.will(answer({}, None, 5, {"title": None}, {"title": ["x"]}, {"snippet": "s"}, {"title": "Ebb"}))
    assert [hit.title for hit in (await engine.search("ebb", 9)).hits] == ["Ebb"]


async def test_nothing_found_is_empty(engine: Wikipedia, server: EngineServer) -> None:
    server.will(answer())
    found = await engine.search("qwxz", 5)
    assert (found.status, found.reason) == (PageStatus.EMPTY, "Wikipedia found nothing.")


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (data({"error": {"code": "ratelimited", "info": "Too fast"}}), PageStatus.QUOTA),
        (data({"error": {"code": "maxlag", "info": "Waiting"}}, Retry_After="5"), PageStatus.QUOTA),
        (page("Too many", 429), PageStatus.QUOTA),
        (page("Set a user agent", 403), PageStatus.BLOCKED),
        (data({"error": {"code": "srsearch-error", "info": "x"}}), PageStatus.FAILED),
        (page("<h1>Wikimedia Error</h1>", 503), PageStatus.FAILED),
        (data({"batchcomplete": True}), PageStatus.LAYOUT_CHANGED),
        (data({"query": {"search": {"0": {"title": "x"}}}}), PageStatus.LAYOUT_CHANGED),
        (data({"query": []}), PageStatus.LAYOUT_CHANGED),
        (answer({}, {}), PageStatus.LAYOUT_CHANGED),
        (page("<html>Log in to the hotel</html>"), PageStatus.LAYOUT_CHANGED),
    ],
)
async def test_other_answers_are_told_apart(
    engine: Wikipedia, server: EngineServer, reply: Answer, status: PageStatus
) -> None:
    server.will(reply)
    found = await engine.search("tidal power", 5)
    assert (found.status, found.hits) == (status, ())
    assert found.reason.startswith("Wikipedia ")


async def test_web_09_long_query_is_cut_at_a_word(engine: Wikipedia, server: EngineServer) -> None:
    server.will(answer({"title": "Ebb"}))
    found = await engine.search("ebb and flow " * 385, 5)
    assert len(server.asked[0].fields["srsearch"]) <= 300
    assert server.asked[0].fields["srsearch"].split()[-1] in {"ebb", "and", "flow"}
    assert found.status is PageStatus.RESULTS
    assert found.reason.startswith("The query was cut from 5,004 to ")
