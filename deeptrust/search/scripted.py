"""The engine for tests and demos: it ships, answers through the same door, and reaches nothing."""

from collections.abc import Callable

from deeptrust.search.base import PageStatus, SearchHit, SearchPage
from deeptrust.search.budget import BudgetSpent, charge_request

Script = Callable[[str], SearchPage]
"""From the query to the page; `engine` and `requests` are filled in."""


class ScriptedEngine:
    """Answers from a script; each search counts as one request, as a real one would."""

    def __init__(self, script: Script, name: str = "Scripted search") -> None:
        self._script = script
        self._name = name
        self.queries: list[str] = []

    @classmethod
    def of_hits(cls, *hits: SearchHit, name: str = "Scripted search") -> "ScriptedEngine":
        """An engine that always finds these hits."""
        status = PageStatus.RESULTS if hits else PageStatus.EMPTY
        reason = "" if hits else f"{name} found nothing."
        return cls(lambda query: SearchPage(status=status, engine=name, hits=hits, reason=reason), name)

    @property
    def name(self) -> str:
        """Shown to the person."""
        return self._name

    async def search(self, query: str, limit: int) -> SearchPage:
        """Answer by the script, at most `limit` hits."""
        if not any(character.isalnum() for character in query):
            return SearchPage.refused(self._name, "There is nothing to search for.")
        try:
            charge_request()
        except BudgetSpent as error:
            return SearchPage.refused(self._name, str(error))
        self.queries.append(query)
        page = self._script(query)
        return page.model_copy(update={"engine": self._name, "requests": 1, "hits": page.hits[:limit]})
