"""A wrapper round the model in use, so that it can be replaced while it writes."""

import asyncio
from contextlib import aclosing

from deeptrust.domain.chat import ModelState
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.reply import ChatRequest, Reply


class RetiringModel(ChatModel):
    """The model inside. Once it retires, replies that run may end; new ones are refused."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._is_retired = False

    @property
    def name(self) -> str:
        """Name of the model inside."""
        return self._inner.name

    @property
    def context_tokens(self) -> int:
        """Window of the model inside."""
        return self._inner.context_tokens

    @property
    def reaches_network(self) -> bool:
        """Whether the model inside does."""
        return self._inner.reaches_network

    @property
    def state(self) -> ModelState:
        """State of the model inside."""
        return self._inner.state

    async def load(self) -> None:
        """Load the model inside."""
        self._refuse_retired()
        await self._inner.load()

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

    def count_tokens(self, text: str) -> int:
        """Count as the model inside does."""
        return self._inner.count_tokens(text)

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
