"""A chat model round another one: whatever a wrapper does not change is that of the model inside."""

from deeptrust.domain.chat import ModelState
from deeptrust.llm.base import ChatModel


class WrappedModel(ChatModel):
    """The model inside; a wrapper writes `reply`."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner

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
        await self._inner.load()

    def count_tokens(self, text: str) -> int:
        """Count as the model inside does."""
        return self._inner.count_tokens(text)

    async def close(self) -> None:
        """Close the model inside."""
        await self._inner.close()
