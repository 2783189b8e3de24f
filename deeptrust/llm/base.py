"""The chat model seam: every model answers through this and nothing else."""

import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from deeptrust.domain.chat import Completion, FinishReason, Message, ModelState
from deeptrust.llm.reply import ChatRequest, Reply, Usage, cut_at
from deeptrust.llm.tokens import estimate_tokens


class ChatModel(ABC):
    """A model that writes text. Cancelling the awaiting task stops the engine itself, also mid-prompt.

    An implementation writes `reply`; `stream` and `complete` are two views of it.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Shown to the person, for instance `SmolLM2-135M-Instruct`."""

    @property
    @abstractmethod
    def context_tokens(self) -> int:
        """Window for prompt and reply together, in tokens."""

    @property
    @abstractmethod
    def reaches_network(self) -> bool:
        """True if prompts leave this machine."""

    @property
    @abstractmethod
    def state(self) -> ModelState:
        """Phase and load progress, readable at any time."""

    @abstractmethod
    async def load(self) -> None:
        """Make the model ready; a second call waits for the first one.

        Raises:
            ModelUnavailable: the model is missing, damaged or out of reach; the sentence names the fix.
        """

    @abstractmethod
    def reply(self, request: ChatRequest) -> Reply:
        """Yield the pieces of text, then one `Usage`; closing the generator stops the engine.

        `request.stop` is not the implementation's affair, but it may use it to stop sooner.

        Raises:
            BadInput: the prompt is longer than the window; it is never cut silently.
            ModelUnavailable: the engine failed.
        """

    @abstractmethod
    async def close(self) -> None:
        """Stop what runs, then free the memory. Final; a second call does nothing."""

    def count_tokens(self, text: str) -> int:
        """Tokens of `text`: an estimate, unless an implementation knows better."""
        return estimate_tokens(text)

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, object] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        stop: Sequence[str] = (),
    ) -> AsyncGenerator[str, None]:
        """Yield the reply piece by piece; closing the generator stops the engine.

        Hold it in `contextlib.aclosing`: a loop that is left early closes it only then at once.

        Args:
            messages: the conversation so far.
            schema: a JSON schema that the reply must fit, for engines that can hold a model to one.
            max_tokens: longest reply; None leaves it to the settings.
            temperature: of sampling; None leaves it to the settings.
            stop: texts that end the reply; they are not part of it.

        Raises:
            BadInput: the prompt is longer than the window; it is never cut silently.
            ModelUnavailable: the engine failed.
        """
        request = ChatRequest(tuple(messages), schema, max_tokens, temperature, tuple(stop))
        async with aclosing(cut_at(self.reply(request), request.stop)) as reply:
            async for item in reply:
                if isinstance(item, str):
                    yield item

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: dict[str, object] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        stop: Sequence[str] = (),
    ) -> Completion:
        """Return the whole reply and its cost. `seconds` counts from the call, waiting in the queue included.

        Arguments and errors are those of `stream`.
        """
        started = time.perf_counter()
        request = ChatRequest(tuple(messages), schema, max_tokens, temperature, tuple(stop))
        pieces: list[str] = []
        usage = Usage(FinishReason.STOPPED, prompt_tokens=0, completion_tokens=0)
        async with aclosing(cut_at(self.reply(request), request.stop)) as reply:
            async for item in reply:
                if isinstance(item, str):
                    pieces.append(item)
                else:
                    usage = item
        return Completion(
            text="".join(pieces),
            finish_reason=usage.finish_reason,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            seconds=time.perf_counter() - started,
            note=usage.note,
        )
