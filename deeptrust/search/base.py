"""The web search seam: a query to a page of hits, with an honest account of what the engine said (K12, K15)."""

from enum import StrEnum
from typing import Protocol

from pydantic import Field

from deeptrust.domain.plan import StepStatus
from deeptrust.domain.record import Record


class PageStatus(StrEnum):
    """What came back. Kinds of page are told apart by their structure, never by a count of zero hits."""

    RESULTS = "results"
    EMPTY = "empty"
    """The engine itself says that it found nothing."""
    BLOCKED = "blocked"
    """The engine takes us for a robot: HTTP 202, 403, or a page with a challenge."""
    QUOTA = "quota"
    """The engine's limit is used up, for now or for today."""
    FAILED = "failed"
    """No answer, or an answer that says that something broke."""
    LAYOUT_CHANGED = "layout_changed"
    """An answer that is none of the pages we know; our reader needs mending."""
    REFUSED = "refused"
    """Not asked: offline, budget used up, or nothing to ask for."""


_STEP_STATUS = {
    PageStatus.RESULTS: StepStatus.OK,
    PageStatus.EMPTY: StepStatus.EMPTY,
    PageStatus.REFUSED: StepStatus.REFUSED,
}


class SearchHit(Record):
    """One result as the engine shows it; the page behind `url` was not opened (K22).

    `title` and `snippet` are clean text on one line, without markup; `snippet` may be empty.
    `url` is http or https, with a host and without a user name.
    """

    title: str = Field(min_length=1)
    url: str
    snippet: str = ""


class SearchPage(Record):
    """What one search brought. `hits` is empty unless `status` is `results`.

    `engine` answered, or was the last one asked. `reason` holds every sentence that a person must know:
    why there are no hits, that an earlier engine failed, that the query was cut. `requests` were made for
    this page, redirects and earlier engines included. `retry_after_seconds` is known only if the engine said so.
    """

    status: PageStatus
    engine: str
    hits: tuple[SearchHit, ...] = ()
    reason: str = ""
    retry_after_seconds: int | None = Field(default=None, ge=0)
    requests: int = Field(default=0, ge=0)

    @property
    def step_status(self) -> StepStatus:
        """The page as the outcome of a step; every failure of an engine is `failed`."""
        return _STEP_STATUS.get(self.status, StepStatus.FAILED)

    @classmethod
    def refused(cls, engine: str, reason: str) -> "SearchPage":
        """The page of a search that was not made because it must not be."""
        return cls(status=PageStatus.REFUSED, engine=engine, reason=reason)

    def preceded_by(self, reason: str, requests: int = 0) -> "SearchPage":
        """This page, with what happened before it said first and counted in."""
        sentences = " ".join(filter(None, (reason, self.reason)))
        return self.model_copy(update={"reason": sentences, "requests": self.requests + requests})


class SearchEngine(Protocol):
    """Finds pages on the web. Never raises for what an engine or a network does: the page says it."""

    @property
    def name(self) -> str:
        """Shown to the person and named by the policy, for instance `DuckDuckGo`."""
        ...

    async def search(self, query: str, limit: int) -> SearchPage:
        """Ask for at most `limit` hits (at least 1), best first. A query without a word is refused."""
        ...
