"""What every engine behind HTTP has in common: fit the query, fetch, and name what is not a result page."""

import asyncio
from abc import ABC, abstractmethod

from deeptrust.search.base import PageStatus, SearchHit, SearchPage
from deeptrust.search.query import fit_query
from deeptrust.search.transport import FetchFailed, Reply, Request, SearchTransport


class WebEngine(ABC):
    """An engine that takes one request per search. A subclass knows its address, its limits and its pages."""

    name: str
    longest_query: int
    """Characters."""
    longest_page: int
    """Hits that one request can bring."""

    def __init__(self, transport: SearchTransport) -> None:
        self._transport = transport

    @abstractmethod
    def _request(self, query: str, limit: int) -> Request:
        """The request for a query that fits, and a limit within `longest_page`."""

    @abstractmethod
    def _read(self, reply: Reply) -> SearchPage:
        """The page of a reply with a status below 400, or of any reply that the engine wants to read itself."""

    async def search(self, query: str, limit: int) -> SearchPage:
        """Ask for at most `limit` hits, best first. A query without a word is refused without a request."""
        fitting, note = fit_query(query, self.longest_query, self.name)
        if not any(character.isalnum() for character in fitting):
            return SearchPage.refused(self.name, "There is nothing to search for.")
        limit = min(limit, self.longest_page)
        try:
            reply = await self._transport.fetch(self._request(fitting, limit))
        except FetchFailed as failure:
            return self._failure_page(failure)
        # Off the event loop, since a hostile page of 5 MB takes a while to parse.
        page = await asyncio.to_thread(self._read, reply)
        return page.model_copy(update={"hits": page.hits[:limit]}).preceded_by(note, reply.requests)

    def _failure_page(self, failure: FetchFailed) -> SearchPage:
        if failure.is_refusal:
            return SearchPage.refused(self.name, str(failure)).preceded_by("", failure.requests)
        return self._page(PageStatus.FAILED, f"{self.name} {failure}.").preceded_by("", failure.requests)

    def _found(self, hits: list[SearchHit]) -> SearchPage:
        """Results without repeated links."""
        once: dict[str, SearchHit] = {}
        for hit in hits:
            once.setdefault(hit.url, hit)
        return SearchPage(status=PageStatus.RESULTS, engine=self.name, hits=tuple(once.values()))

    def _page(self, status: PageStatus, reason: str, retry_after_seconds: int | None = None) -> SearchPage:
        return SearchPage(status=status, engine=self.name, reason=reason, retry_after_seconds=retry_after_seconds)

    def _empty(self) -> SearchPage:
        return self._page(PageStatus.EMPTY, f"{self.name} found nothing.")

    def _blocked(self, reply: Reply) -> SearchPage:
        reason = f"{self.name} takes this machine for a robot and gave no results; try again later."
        return self._page(PageStatus.BLOCKED, reason, reply.retry_after_seconds)

    def _layout_changed(self) -> SearchPage:
        reason = f"{self.name} sent a page of a kind that is not known here; its layout has probably changed."
        return self._page(PageStatus.LAYOUT_CHANGED, reason)

    def _over_quota(self, reply: Reply) -> SearchPage:
        wait = reply.retry_after_seconds
        when = "later" if wait is None else f"in {wait:,} seconds"
        return self._page(PageStatus.QUOTA, f"{self.name} had too many requests; try again {when}.", wait)

    def _broken(self, reply: Reply) -> SearchPage:
        reason = f"{self.name} answered with an error (HTTP {reply.status})."
        return self._page(PageStatus.FAILED, reason, reply.retry_after_seconds)
