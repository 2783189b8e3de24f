"""The engine of "my documents only" and `--offline`: it refuses, and no request can slip past it (K28)."""

from deeptrust.search.base import SearchPage


class OfflineEngine:
    """Refuses every search; put in the place of the real engines it closes the web for a run."""

    def __init__(self, reason: str = "The web was not searched: this run reads your documents only.") -> None:
        self._reason = reason

    @property
    def name(self) -> str:
        """Shown where an engine's name would stand."""
        return "no web search"

    async def search(self, query: str, limit: int) -> SearchPage:
        """Refuse, whatever is asked."""
        return SearchPage.refused(self.name, self._reason)
