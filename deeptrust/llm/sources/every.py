"""All sources as one."""

import asyncio
from collections.abc import Sequence

from deeptrust.domain.model import ModelOffer
from deeptrust.llm.base import ChatModel
from deeptrust.llm.downloads import Work
from deeptrust.llm.sources.base import ModelSource


class EverySource:
    """A `ModelSource` over others, in the order in which their models are shown."""

    def __init__(self, sources: Sequence[ModelSource]) -> None:
        self._sources = sources

    def offers(self) -> list[ModelOffer]:
        """See `ModelSource`."""
        return [offer for source in self._sources for offer in source.offers()]

    async def refresh(self) -> None:
        """See `ModelSource`: all look at once."""
        await asyncio.gather(*(source.refresh() for source in self._sources))

    def build(self, model_id: str) -> ChatModel | None:
        """See `ModelSource`."""
        return next((source.build(model_id) for source in self._sources if source.knows(model_id)), None)

    def knows(self, model_id: str) -> bool:
        """See `ModelSource`."""
        return any(source.knows(model_id) for source in self._sources)

    def download(self, model_id: str) -> Work | None:
        """See `ModelSource`."""
        return next(filter(None, (source.download(model_id) for source in self._sources)), None)
