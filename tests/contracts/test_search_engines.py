"""One suite for every search engine: what the seam promises, whoever is behind it."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from pydantic import SecretStr

from deeptrust.search.address import web_link
from deeptrust.search.base import PageStatus, SearchEngine, SearchHit
from deeptrust.search.budget import BudgetedEngine, RequestBudget
from deeptrust.search.cooldown import CoolingEngine
from deeptrust.search.duckduckgo import DuckDuckGo
from deeptrust.search.fallback import FallbackEngine
from deeptrust.search.google_cse import GoogleCse
from deeptrust.search.offline import OfflineEngine
from deeptrust.search.scripted import ScriptedEngine
from deeptrust.search.transport import SearchTransport
from deeptrust.search.wikipedia import Wikipedia
from tests.search.engine_pages import Entry, classic, thirty_entries
from tests.search.engine_server import Answer, EngineServer, data, engine_server, page

ENTRIES = thirty_entries()


def as_items(entries: list[Entry]) -> list[dict[str, str]]:
    return [{"title": entry.title, "link": entry.url, "snippet": entry.snippet} for entry in entries]


def good_server(server: EngineServer) -> None:
    server.paths = {
        "/html/": page(classic(ENTRIES)),
        "/w/api.php": data({"query": {"search": as_items(ENTRIES)}}),
        "/customsearch/v1": data({"kind": "customsearch#search", "items": as_items(ENTRIES)}),
    }


def duckduckgo(server: EngineServer, transport: SearchTransport) -> SearchEngine:
    return DuckDuckGo(transport, server.url("/html/"))


def wikipedia(server: EngineServer, transport: SearchTransport) -> SearchEngine:
    return Wikipedia(transport, server.url("/w/api.php"))


def google_cse(server: EngineServer, transport: SearchTransport) -> SearchEngine:
    return GoogleCse(transport, SecretStr("key"), "cx", server.url("/customsearch/v1"))


def scripted(server: EngineServer, transport: SearchTransport) -> SearchEngine:
    return ScriptedEngine.of_hits(*(SearchHit(title=e.title, url=e.url, snippet=e.snippet) for e in ENTRIES))


def wrapped(server: EngineServer, transport: SearchTransport) -> SearchEngine:
    engines = [CoolingEngine(duckduckgo(server, transport)), CoolingEngine(wikipedia(server, transport))]
    return FallbackEngine(engines)


Maker = Callable[[EngineServer, SearchTransport], SearchEngine]
BEHIND_HTTP: list[Maker] = [duckduckgo, wikipedia, google_cse, wrapped]
ALL: list[Maker] = [*BEHIND_HTTP, scripted]


@pytest.fixture
async def server() -> AsyncIterator[EngineServer]:
    async with engine_server() as running:
        good_server(running)
        yield running


@pytest.fixture
async def transport() -> AsyncIterator[SearchTransport]:
    made = SearchTransport(trust_env=False, total_seconds=60)
    yield made
    await made.close()


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("limit", [1, 7, 30])
async def test_hits_are_clean_and_within_the_limit(
    server: EngineServer, transport: SearchTransport, make: Maker, limit: int
) -> None:
    engine = make(server, transport)
    found = await engine.search("tidal power", limit)
    assert found.status is PageStatus.RESULTS
    assert min(limit, 10) <= len(found.hits) <= limit
    assert len({hit.url for hit in found.hits}) == len(found.hits)
    for hit, entry in zip(found.hits, ENTRIES, strict=False):
        assert (hit.title, web_link(hit.url)) == (entry.title, hit.url)
    assert (found.requests, found.reason) == (1, "")
    assert found.engine
    assert found.engine in engine.name


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("query", ["", " \n\t ", "\x00", "\u200b", "…"])
async def test_an_empty_query_is_refused_without_a_request(
    server: EngineServer, transport: SearchTransport, make: Maker, query: str
) -> None:
    found = await make(server, transport).search(query, 5)
    assert (found.status, found.requests, server.asked) == (PageStatus.REFUSED, 0, [])


@pytest.mark.parametrize("make", ALL)
async def test_a_spent_budget_lets_nothing_out(server: EngineServer, transport: SearchTransport, make: Maker) -> None:
    engine = BudgetedEngine(make(server, transport), RequestBudget(0))
    found = await engine.search("tidal power", 5)
    assert (found.status, found.requests, server.asked) == (PageStatus.REFUSED, 0, [])
    assert "The policy allows 0 requests" in found.reason


@pytest.mark.parametrize("make", BEHIND_HTTP)
@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=500),
        Answer(b"\x00\xff\xfe" * 99, headers={"Content-Type": "text/html; charset=zip"}),
        Answer(b"half", promised=9_999),
        Answer(is_silent=True),
        Answer(b"[[[[" * 9_999),
        Answer(b"<div>" * 99_999),
        Answer(b"x" * 6_000_000),
        Answer(status=302, headers={"Location": "http://169.254.169.254/"}),
        Answer(status=302),
        Answer(status=204),
        Answer(b"x", headers={"Content-Encoding": "br"}),
    ],
    ids="500 bytes cut silent deep-json deep-html flood inward-redirect redirect-nowhere 204 br".split(),
)
async def test_whatever_a_host_does_is_said_and_never_raised(
    server: EngineServer, transport: SearchTransport, make: Maker, answer: Answer
) -> None:
    server.paths = {}
    server.will(answer)
    found = await make(server, transport).search("tidal power", 5)
    assert found.status in {PageStatus.FAILED, PageStatus.LAYOUT_CHANGED}
    assert found.hits == ()
    assert found.reason.endswith(".")
    assert found.requests == len(server.asked)


@pytest.mark.parametrize("make", BEHIND_HTTP)
async def test_a_late_host_is_said_and_never_raised(server: EngineServer, make: Maker) -> None:
    server.paths = {}
    server.will(Answer(b"late", wait_seconds=600))
    transport = SearchTransport(trust_env=False, total_seconds=0.5)
    found = await make(server, transport).search("tidal power", 5)
    await transport.close()
    assert (found.status, found.hits) == (PageStatus.FAILED, ())
    assert "did not answer within 0.5 seconds" in found.reason
    # The time may be up before the host has read the request, so it may know of fewer than were made.
    assert found.requests >= len(server.asked)


@pytest.mark.parametrize("make", BEHIND_HTTP)
async def test_cancelling_ends_the_search(server: EngineServer, transport: SearchTransport, make: Maker) -> None:
    server.paths = {}
    server.will(Answer(b"late", wait_seconds=600))
    task = asyncio.create_task(make(server, transport).search("tidal power", 5))
    while not server.asked:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("make", ALL)
async def test_searches_at_once_do_not_mix(server: EngineServer, transport: SearchTransport, make: Maker) -> None:
    engine = make(server, transport)
    pages = await asyncio.gather(*(engine.search(f"tidal power {n}", n) for n in range(1, 9)))
    assert [len(page.hits) for page in pages] == list(range(1, 9))


async def test_offline_makes_no_request_whatever_is_asked() -> None:
    for query in ("", "tidal power", "x" * 9_999):
        found = await OfflineEngine().search(query, 5)
        assert (found.status, found.requests, found.hits) == (PageStatus.REFUSED, 0, ())
