import logging
from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from deeptrust.errors import BadSetting
from deeptrust.search.base import PageStatus
from deeptrust.search.google_cse import GoogleCse
from deeptrust.search.transport import SearchTransport
from tests.search.engine_server import Answer, EngineServer, data, engine_server, page

KEY = "AIzaSyMadeUp-0123456789_abcdefghijklmno"
ENGINE_ID = "0123456789abcdef0"


@pytest.fixture
def engine(server: EngineServer, transport: SearchTransport) -> GoogleCse:
    return GoogleCse(
        transport,
        SecretStr(KEY),
        ENGINE_ID,
        server.url("/customsearch/v1"),
        now=lambda: datetime(2026, 11, 30, 7, 0, tzinfo=UTC),
    )


def answer(items: object) -> Answer:
    """A whole answer, with what it says beside the items."""
    return data(
        {
            "kind": "customsearch#search",
            "url": {
                "type": "application/json",
                "template": "https://www.googleapis.com/customsearch/v1?q={searchTerms}",
            },
            "queries": {"request": [{"title": "Google Custom Search - tides", "count": 10}], "nextPage": []},
            "context": {"title": "Web"},
            "searchInformation": {"searchTime": 0.2, "totalResults": "31"},
        }
        | ({} if items is None else {"items": items})
    )


def refusal(status: int, reason: str, message: str = "Refused.", **headers: str) -> Answer:
    errors = [{"message": message, "domain": "usageLimits", "reason": reason}]
    return data({"error": {"code": status, "message": message, "errors": errors}}, status, **headers)


async def test_items_become_hits(engine: GoogleCse, server: EngineServer) -> None:
    item = {
        "kind": "customsearch#result",
        "title": "Ebb & flow",
        "htmlTitle": "<b>Ebb</b> &amp; flow",
        "link": "https://ebb.example/",
        "displayLink": "ebb.example",
        "snippet": "Water goes\nand comes.",
        "pagemap": {"cse_image": [{"src": "https://ebb.example/i.png"}]},
    }
    server.will(answer([item]))
    found = await engine.search("ebb", 30)
    assert [(hit.title, hit.url, hit.snippet) for hit in found.hits] == [
        ("Ebb & flow", "https://ebb.example/", "Water goes and comes.")
    ]
    assert server.asked[0].fields == {"cx": ENGINE_ID, "q": "ebb", "num": "10"}
    assert server.asked[0].headers["x-goog-api-key"] == KEY


async def test_web_08_items_that_lack_fields_are_skipped(engine: GoogleCse, server: EngineServer) -> None:
    good = {"title": "y", "link": "https://y.example/"}
    server.will(answer([{}, {"link": None}, {"title": "x"}, good, {"title": "z", "link": "javascript:alert(1)"}]))
    assert [hit.title for hit in (await engine.search("ebb", 9)).hits] == ["y"]


async def test_web_08_no_items_key_is_empty_and_bad_items_alone_are_not(
    engine: GoogleCse, server: EngineServer
) -> None:
    server.will(answer(None), answer([{}, {"link": None}, {"title": "x"}]), data({}), page("<html>"))
    statuses = [(await engine.search("ebb", 9)).status for _ in range(4)]
    assert statuses == [PageStatus.EMPTY] + [PageStatus.LAYOUT_CHANGED] * 3


@pytest.mark.parametrize(
    ("reply", "seconds"),
    [
        (page("Too many", 429), 3600),
        (page("Too many", 429, Retry_After="120"), 120),
        (refusal(403, "dailyLimitExceeded"), 3600),
        (refusal(403, "quotaExceeded", Retry_After="7"), 7),
        (refusal(429, "rateLimitExceeded", "Quota exceeded for limit 'Queries per day'"), 3600),
    ],
)
async def test_web_05_daily_quota_used_up_is_said_with_the_wait(
    engine: GoogleCse, server: EngineServer, reply: Answer, seconds: int
) -> None:
    server.will(reply)
    found = await engine.search("ebb", 9)
    assert (found.status, found.retry_after_seconds, found.requests) == (PageStatus.QUOTA, seconds, 1)
    assert found.reason == "The daily quota of Google CSE is used up; it starts anew at midnight Pacific time."


async def test_web_05_asking_too_fast_is_not_the_daily_quota(engine: GoogleCse, server: EngineServer) -> None:
    server.will(refusal(403, "userRateLimitExceeded", Retry_After="3"))
    found = await engine.search("ebb", 9)
    assert (found.status, found.reason) == (
        PageStatus.QUOTA,
        "Google CSE had too many requests; try again in 3 seconds.",
    )


async def test_the_key_is_in_no_page_log_or_repr(
    engine: GoogleCse, server: EngineServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f"API key not valid: {KEY} for {ENGINE_ID}"
    server.will(
        refusal(400, "badRequest", echo), refusal(403, "forbidden", echo), page(echo, 500), Answer(is_silent=True)
    )
    found = [await engine.search("ebb", 9) for _ in range(4)]
    assert {page.status for page in found} == {PageStatus.FAILED}
    assert found[0].reason == (
        "Google CSE refused the key or the engine id; check GOOGLE_CSE_API_KEY and GOOGLE_CSE_CX."
    )
    assert KEY not in repr(found) + caplog.text + repr(engine) + repr(vars(engine))


async def test_web_21_key_is_not_sent_to_another_host(engine: GoogleCse, server: EngineServer) -> None:
    async with engine_server() as stranger:
        server.will(Answer(status=302, headers={"Location": stranger.url("/customsearch/v1")}))
        found = await engine.search(f"https://127.0.0.1:{stranger.port}/?key=GOOGLE_CSE_API_KEY", 9)
        assert stranger.asked == []
    assert (found.status, len(server.asked)) == (PageStatus.FAILED, 1)
    assert KEY not in server.asked[0].fields["q"]


@pytest.mark.parametrize("bad", ["", "  ", "AIza line\nbreak", "AIza\u00fc", "AIza\x00"])
def test_a_key_that_is_none_is_refused_without_repeating_it(transport: SearchTransport, bad: str) -> None:
    with pytest.raises(BadSetting, match="GOOGLE_CSE_API_KEY") as error:
        GoogleCse(transport, SecretStr(bad), ENGINE_ID)
    assert not bad.strip() or bad not in str(error.value)
    with pytest.raises(BadSetting, match="GOOGLE_CSE_CX"):
        GoogleCse(transport, SecretStr(KEY), bad)
    with pytest.raises(BadSetting, match="https"):
        GoogleCse(transport, SecretStr(KEY), ENGINE_ID, "http://www.googleapis.com/customsearch/v1")
