import asyncio

import pytest

from deeptrust.domain.plan import StepStatus
from deeptrust.search.base import PageStatus, SearchHit, SearchPage
from deeptrust.search.budget import BudgetedEngine, RequestBudget
from deeptrust.search.cooldown import UNSAID_SECONDS, CoolingEngine
from deeptrust.search.duckduckgo import DuckDuckGo
from deeptrust.search.fallback import FallbackEngine
from deeptrust.search.offline import OfflineEngine
from deeptrust.search.scripted import ScriptedEngine
from deeptrust.search.transport import SearchTransport
from tests.search.engine_pages import challenge, classic, thirty_entries
from tests.search.engine_server import Answer, EngineServer, page

HIT = SearchHit(title="Ebb", url="https://ebb.example/", snippet="Water goes.")


def failing(status: PageStatus, reason: str, name: str, wait: int | None = None) -> ScriptedEngine:
    return ScriptedEngine(
        lambda query: SearchPage(status=status, engine=name, reason=reason, retry_after_seconds=wait), name
    )


async def test_web_06_change_of_engine_is_announced(server: EngineServer, transport: SearchTransport) -> None:
    server.will(page(challenge(), 202))
    engine = FallbackEngine([DuckDuckGo(transport, server.url()), ScriptedEngine.of_hits(HIT, name="Wikipedia")])
    found = await engine.search("ebb", 5)
    assert (found.status, found.engine, found.hits, found.requests) == (PageStatus.RESULTS, "Wikipedia", (HIT,), 2)
    assert found.reason == (
        "DuckDuckGo takes this machine for a robot and gave no results; try again later. Wikipedia answered instead."
    )


async def test_the_first_engine_that_answers_is_the_only_one_asked() -> None:
    first, second = ScriptedEngine.of_hits(HIT, name="A"), ScriptedEngine.of_hits(HIT, name="B")
    found = await FallbackEngine([first, second]).search("ebb", 5)
    assert (found.engine, found.reason, second.queries) == ("A", "", [])


async def test_an_honest_nothing_is_an_answer() -> None:
    second = ScriptedEngine.of_hits(HIT, name="B")
    found = await FallbackEngine([ScriptedEngine.of_hits(name="A"), second]).search("ebb", 5)
    assert (found.status, found.engine, second.queries) == (PageStatus.EMPTY, "A", [])


async def test_web_20_when_all_fail_every_reason_is_kept() -> None:
    engine = FallbackEngine(
        [failing(PageStatus.LAYOUT_CHANGED, "A changed.", "A"), failing(PageStatus.FAILED, "B is down.", "B")]
    )
    found = await engine.search("ebb", 5)
    assert (found.status, found.hits, found.reason) == (PageStatus.FAILED, (), "A changed. B is down.")
    assert (found.step_status, found.requests, engine.name) == (StepStatus.FAILED, 2, "A, else B")


async def test_without_any_engine_the_search_is_refused() -> None:
    found = await FallbackEngine([]).search("ebb", 5)
    assert (found.status, found.reason) == (
        PageStatus.REFUSED,
        "The web was not searched: no search engine is allowed.",
    )


async def test_budget_counts_every_request_redirects_and_fallbacks_included(
    server: EngineServer, transport: SearchTransport
) -> None:
    server.will(Answer(status=302, headers={"Location": "/html/"}), page("", 202))
    budget = RequestBudget(4)
    engines = FallbackEngine([DuckDuckGo(transport, server.url()), ScriptedEngine.of_hits(HIT, name="B")])
    found = await BudgetedEngine(engines, budget).search("ebb", 5)
    assert (found.engine, found.requests, budget.spent, len(server.asked)) == ("B", 3, 3, 2)


async def test_budget_refuses_the_request_that_is_one_too_many(
    server: EngineServer, transport: SearchTransport
) -> None:
    server.will(Answer(status=302, headers={"Location": "/html/"}))
    spare = ScriptedEngine.of_hits(HIT, name="B")
    budget = RequestBudget(10, spent=8)
    engine = BudgetedEngine(FallbackEngine([DuckDuckGo(transport, server.url()), spare]), budget)
    found = await engine.search("ebb", 5)
    assert (found.status, found.step_status, found.requests) == (PageStatus.REFUSED, StepStatus.REFUSED, 2)
    assert found.reason == "The policy allows 10 requests in a run, and all of them were made."
    assert (budget.spent, len(server.asked), spare.queries) == (10, 2, [])
    await engine.search("ebb", 5)
    assert len(server.asked) == 2


async def test_runs_at_once_spend_their_own_budgets(server: EngineServer, transport: SearchTransport) -> None:
    server.will(page(classic(thirty_entries()[:2])))
    shared = DuckDuckGo(transport, server.url())
    budgets = [RequestBudget(limit) for limit in (1, 2, 3)]

    async def run(budget: RequestBudget) -> list[PageStatus]:
        engine = BudgetedEngine(shared, budget)
        return [(await engine.search("ebb", 5)).status for _ in range(3)]

    outcomes = await asyncio.gather(*map(run, budgets))
    assert [statuses.count(PageStatus.RESULTS) for statuses in outcomes] == [1, 2, 3]
    assert len(server.asked) == 6
    assert (await shared.search("ebb", 5)).status is PageStatus.RESULTS


@pytest.mark.parametrize(("wait", "seconds"), [(120, 120), (None, UNSAID_SECONDS)])
async def test_web_05_no_request_until_the_wait_is_over(wait: int | None, seconds: int) -> None:
    now = 0.0
    inner = failing(PageStatus.QUOTA, "Quota used up.", "A", wait)
    engine = CoolingEngine(inner, clock=lambda: now)
    assert (await engine.search("ebb", 5)).reason == "Quota used up."
    now = seconds - 0.5
    found = await engine.search("ebb", 5)
    assert (found.status, found.retry_after_seconds, found.requests) == (PageStatus.QUOTA, 1, 0)
    assert found.reason == "A refused an earlier search and is not asked again for 1 s."
    assert len(inner.queries) == 1
    now = seconds + 0.5
    await engine.search("ebb", 5)
    assert len(inner.queries) == 2


async def test_offline_refuses_with_the_reason() -> None:
    found = await OfflineEngine().search("ebb", 5)
    assert (found.status, found.step_status, found.requests) == (PageStatus.REFUSED, StepStatus.REFUSED, 0)
    assert found.reason == "The web was not searched: this run reads your documents only."
