"""A wrapper round the model in use, so that it can be replaced while it writes."""

import asyncio
from contextlib import aclosing

from deeptrust.errors import ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.reply import ChatRequest, Reply
from deeptrust.llm.wrapped import WrappedModel


class RetiringModel(WrappedModel):
    """The model inside. Once it retires, replies that run may end; new ones are refused."""

    def __init__(self, inner: ChatModel) -> None:
        super().__init__(inner)
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._is_retired = False

    async def load(self) -> None:
        """Load the model inside."""
        self._refuse_retired()
        await super().load()

    async def reply(self, request: ChatRequest) -> Reply:
        """Pass the reply on, and count it while it runs."""
        self._refuse_retired()
        self._running += 1
        self._idle.clear()
        try:
            async with aclosing(self._inner.reply(request)) as reply:
                async for item in reply:
                    yield item
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def retire(self) -> None:
        """Take no new reply, wait for those that run, then free the memory; cancelled, it is closed by `close`."""
        self._is_retired = True
        await self._idle.wait()
        await self._inner.close()

    async def close(self) -> None:
        """Close the model inside, whatever runs."""
        self._is_retired = True
        await self._inner.close()

    def _refuse_retired(self) -> None:
        if self._is_retired:
            raise ModelUnavailable(f"{self.name} was replaced by another model meanwhile. Ask again.")
