"""The model in use, and those before it that still write their last replies."""

import asyncio
from contextlib import suppress

from deeptrust.llm.base import ChatModel
from deeptrust.llm.retiring import RetiringModel


class ModelInUse:
    """One model at a time, or none; it can be replaced while it writes."""

    def __init__(self, model_id: str) -> None:
        """Begin with no model, under the name of `model_id`."""
        self.id = model_id
        self.model: RetiringModel | None = None
        self._farewells: dict[asyncio.Task[None], RetiringModel] = {}

    def replace(self, model_id: str, model: ChatModel | None) -> None:
        """Put `model` in the place of the one before, whose replies may end."""
        old, self.model = self.model, RetiringModel(model) if model else None
        self.id = model_id
        if old:
            task = asyncio.create_task(old.retire())
            self._farewells[task] = old
            task.add_done_callback(self._farewells.pop)

    async def close(self) -> None:
        """Stop all replies, and free the memory."""
        for task, model in tuple(self._farewells.items()):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await model.close()
        if self.model:
            await self.model.close()
