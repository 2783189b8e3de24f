"""What models of another program have in common: a check before the first call, a state, and an end."""

import asyncio
from abc import abstractmethod
from contextlib import aclosing
from dataclasses import dataclass

from deeptrust.domain.chat import FinishReason, ModelPhase, ModelState
from deeptrust.errors import DeepTrustError, ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.reply import ChatRequest, Reply, Usage, prompt_too_long


@dataclass(frozen=True, slots=True)
class ServingOptions:
    """How a model of another program is asked: D24's defaults, which are settings."""

    context_tokens: int = 8192
    """Window that is counted on, and asked for where a server can be told; a smaller one of the model's own wins."""
    max_tokens: int = 4096
    """Longest reply unless a call says less."""
    temperature: float = 0.7
    """Of sampling, unless a call says otherwise."""
    connect_seconds: float = 5
    """Longest time to reach the server."""


class ServedModel(ChatModel):
    """A model that another program runs. A failure is shown in its state and makes the next call check again."""

    def __init__(self, name: str, options: ServingOptions, *, reaches_network: bool) -> None:
        """Nothing is asked yet.

        Args:
            name: as its server knows it.
            options: `_check` may lower the window.
            reaches_network: whether prompts leave this machine.
        """
        self._name = name
        self._options = options
        self._context_tokens = options.context_tokens
        self._reaches_network = reaches_network
        self._checking = asyncio.Lock()
        self._is_closed = False
        self._show(ModelPhase.ABSENT)

    @property
    def name(self) -> str:
        """As its server knows it."""
        return self._name

    @property
    def context_tokens(self) -> int:
        """Window for prompt and reply together, in tokens."""
        return self._context_tokens

    @property
    def reaches_network(self) -> bool:
        """Whether prompts leave this machine."""
        return self._reaches_network

    @property
    def state(self) -> ModelState:
        """Ready once the server was found to have it."""
        return self._state

    async def load(self) -> None:
        """Ask whether the model is there; a second call waits for the first one."""
        async with self._checking:
            self._refuse_closed()
            if self._state.phase is ModelPhase.READY:
                return
            self._show(ModelPhase.LOADING)
            try:
                await self._check()
            except DeepTrustError as error:
                self._show(ModelPhase.FAILED, message=str(error))
                raise
            except BaseException:  # cancelled too: a check that was broken off must not look like one that still loads
                self._show(ModelPhase.ABSENT)
                raise
            self._show(ModelPhase.READY, 100)

    async def reply(self, request: ChatRequest) -> Reply:
        """Yield the reply as it comes, then its usage; checks the model at the first call."""
        await self.load()
        prompt_tokens = self._count_prompt(request)
        if prompt_tokens >= self._context_tokens:
            raise prompt_too_long(self._name, prompt_tokens, self._context_tokens, is_estimate=True)
        made = 0
        try:
            async with aclosing(self._write(request, prompt_tokens)) as items:
                async for item in items:
                    made += 1
                    yield item
        except ModelUnavailable as error:
            if not self._is_closed:
                self._show(ModelPhase.FAILED, message=str(error))
                raise
            yield Usage(FinishReason.STOPPED, prompt_tokens=0, completion_tokens=made)

    async def close(self) -> None:
        """End what runs. Final; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._show(ModelPhase.ABSENT)
            await self._release()

    @abstractmethod
    async def _check(self) -> None:
        """Find out whether the model can be asked, and learn its window.

        Raises:
            ModelUnavailable: it cannot; the sentence names the fix.
        """

    @abstractmethod
    def _write(self, request: ChatRequest, prompt_tokens: int) -> Reply:
        """Yield one reply; see `ChatModel.reply`. By our estimate, the prompt has `prompt_tokens` and fits."""

    @abstractmethod
    async def _release(self) -> None:
        """Let go of connections or processes, those in use as well."""

    def _longest_reply(self, request: ChatRequest, prompt_tokens: int) -> int:
        """Tokens that the reply may have: what was asked for, as far as the window has room for it."""
        wanted = self._options.max_tokens if request.max_tokens is None else request.max_tokens
        return min(wanted, self._context_tokens - prompt_tokens)

    def _heat(self, request: ChatRequest) -> float:
        return self._options.temperature if request.temperature is None else request.temperature

    def _count_prompt(self, request: ChatRequest) -> int:
        return sum(self.count_tokens(message.content) for message in request.messages)

    def _show(self, phase: ModelPhase, progress: int = 0, message: str = "") -> None:
        self._state = ModelState(
            name=self._name,
            phase=phase,
            progress=progress,
            message=message,
            reaches_network=self._reaches_network,
        )

    def _refuse_closed(self) -> None:
        if self._is_closed:
            raise ModelUnavailable("The chat model is closed. Start DeepTrust again.")
