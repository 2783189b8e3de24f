"""The chat model seam: every model answers through this and nothing else."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from deeptrust.domain.chat import Completion, Message, ModelState
from deeptrust.llm.reply import Reply


class ChatModel(Protocol):
    """A model that writes text. Cancelling the awaiting task stops the engine itself, also mid-prompt."""

    @property
    def name(self) -> str:
        """Shown to the person, for instance `SmolLM2-135M-Instruct`."""
        ...

    @property
    def context_tokens(self) -> int:
        """Window for prompt and reply together, in tokens."""
        ...

    @property
    def reaches_network(self) -> bool:
        """True if prompts leave this machine."""
        ...

    @property
    def state(self) -> ModelState:
        """Phase and load progress, readable at any time."""
        ...

    async def load(self) -> None:
        """Make the model ready; a second call waits for the first one.

        Raises:
            ModelUnavailable: the file is missing, damaged, or the engine refuses it.
        """
        ...

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, object] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Reply:
        """Yield what `stream` yields, then one `Usage`: what wrappers stand on."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, object] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> AsyncGenerator[str, None]:
        """Yield the reply piece by piece; closing the generator stops the engine.

        Hold it in `contextlib.aclosing`: a loop that is left early closes it only then at once.

        Raises:
            BadInput: the prompt is longer than the window; it is never cut silently.
            ModelUnavailable: the engine failed.
        """
        ...

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, object] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Completion:
        """Return the whole reply with token counts and seconds.

        Raises:
            BadInput: the prompt is longer than the window; it is never cut silently.
            ModelUnavailable: the engine failed.
        """
        ...

    async def close(self) -> None:
        """Stop what runs, then free the memory. Final; a second call does nothing."""
        ...
