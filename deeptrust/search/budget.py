"""The request budget of a run: counted where requests are made, refused beyond the limit (K14)."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from deeptrust.search.base import SearchEngine, SearchPage


class BudgetSpent(Exception):
    """The next request would be one too many; the text is a sentence for a person."""


class RequestBudget:
    """How many requests may still leave the machine. `spent` starts above zero for a resumed run."""

    def __init__(self, limit: int, spent: int = 0) -> None:
        self._limit = limit
        self._spent = spent

    @property
    def spent(self) -> int:
        """Requests made so far."""
        return self._spent

    def take(self) -> None:
        """Count one request that is about to be made.

        Raises:
            BudgetSpent: the limit is reached; nothing was counted.
        """
        if self._spent >= self._limit:
            raise BudgetSpent(f"The policy allows {self._limit} requests in a run, and all of them were made.")
        self._spent += 1

    @contextmanager
    def charged(self) -> Generator[None]:
        """Charge this budget for every request made inside, by this task and those it starts."""
        token = _charged.set(self)
        try:
            yield
        finally:
            _charged.reset(token)


_charged: ContextVar[RequestBudget | None] = ContextVar("charged_budget", default=None)
"""Engines live as long as the server and a budget as long as a run: the task carries it from one to the other."""


def charge_request() -> None:
    """Count one request against the budget in force; whoever makes a request calls this first.

    Raises:
        BudgetSpent: the request must not be made.
    """
    budget = _charged.get()
    if budget is not None:
        budget.take()


class BudgetedEngine:
    """An engine whose every request, redirects and fallbacks included, is charged to one budget."""

    def __init__(self, engine: SearchEngine, budget: RequestBudget) -> None:
        self._engine = engine
        self._budget = budget

    @property
    def name(self) -> str:
        """The name of the engine within."""
        return self._engine.name

    async def search(self, query: str, limit: int) -> SearchPage:
        """Search within the budget; a search that it ends in the middle is `refused`."""
        with self._budget.charged():
            return await self._engine.search(query, limit)
