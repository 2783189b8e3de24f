"""Several engines in order of preference; a change of engine is always announced (K15, WEB-06)."""

from collections.abc import Sequence

from deeptrust.search.base import PageStatus, SearchEngine, SearchPage

_FINAL = frozenset({PageStatus.RESULTS, PageStatus.EMPTY, PageStatus.REFUSED})
"""An honest "nothing found" is an answer, and what is refused to one engine is refused to all."""


class FallbackEngine:
    """Asks each engine until one answers. Give it only engines that the policy and the plan allow."""

    def __init__(self, engines: Sequence[SearchEngine]) -> None:
        self._engines = tuple(engines)

    @property
    def name(self) -> str:
        """The engines in order, for instance `DuckDuckGo, else Wikipedia`."""
        return ", else ".join(engine.name for engine in self._engines) or "no web search"

    async def search(self, query: str, limit: int) -> SearchPage:
        """The page of the first engine that answers; its reason says which were asked before, and why they failed.

        If none answers, the page of the last one, with the reasons of all.
        """
        page = SearchPage.refused(self.name, "The web was not searched: no search engine is allowed.")
        reason, requests = "", 0
        for engine in self._engines:
            page = (await engine.search(query, limit)).preceded_by(reason, requests)
            if page.status in _FINAL:
                return _announce(page) if reason else page
            reason, requests = page.reason, page.requests
        return page


def _announce(page: SearchPage) -> SearchPage:
    if page.status is PageStatus.REFUSED:
        return page
    return page.model_copy(update={"reason": f"{page.reason} {page.engine} answered instead."})
