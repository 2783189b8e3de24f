"""A wrapper round any chat model that ends replies which would not end by themselves (LLM-07, LLM-09, LLM-13)."""

import asyncio
import math
import time
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from deeptrust.domain.chat import FinishReason, ModelPhase, ModelState
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.base import ChatModel
from deeptrust.llm.reply import ChatRequest, Reply, Usage
from deeptrust.llm.wrapped import WrappedModel

_LONGEST_UNIT = 200
_REPEATS = 6
_SHORTEST_RUN = 160
"""Characters: long enough to spare a rule of dashes or the dots of a table of contents."""

_LONGEST_TOKEN = 16
"""Characters; a piece that is longer counts as several tokens, so that a server cannot evade the ceiling."""

_SILENT_SECONDS = 3
"""A wait for the first token that is shown."""

_ATTEMPTS = 2
"""An empty reply is asked for once more (LLM-06)."""


@dataclass(frozen=True, slots=True)
class ReplyLimits:
    """What a reply may take. Each time counts what it must not exceed, so a slow start costs no patience later."""

    first_token_seconds: float = 300
    idle_seconds: float = 60
    total_seconds: float = 600
    max_tokens: int = 4096


class LimitedModel(WrappedModel):
    """The model inside, within limits. A reply that reaches one is cut: its text is kept, its finish reason is
    `length`, its note says why, and the engine is stopped. Where no text had come, that is a failure; a first
    token that is late is waited for and never asked for again (LLM-09)."""

    def __init__(self, inner: ChatModel, limits: ReplyLimits) -> None:
        """Hold `inner` to `limits`, loading and waiting in its queue included."""
        super().__init__(inner)
        self._limits = limits
        self._waits: set[_Watch] = set()

    @property
    def state(self) -> ModelState:
        """State of the model inside, but `loading` while the first token of a reply is awaited for long."""
        state = self._inner.state
        now = time.monotonic()
        if state.phase is ModelPhase.READY and any(now - watch.started > _SILENT_SECONDS for watch in self._waits):
            message = "Waiting for the first word: the model is being loaded, or reads the prompt."
            return state.model_copy(update={"phase": ModelPhase.LOADING, "message": message})
        return state

    async def reply(self, request: ChatRequest) -> Reply:
        """Pass the reply on until it ends or reaches a limit; an empty one is asked for once more.

        A cut reply counts its pieces as tokens; its prompt tokens are unknown and given as 0.

        Raises:
            ModelUnavailable: nothing came in time, or two replies were empty.
        """
        watch = _Watch(self._name_limits(request), self.name)
        spent = Usage(FinishReason.END, 0, 0)
        for _ in range(_ATTEMPTS):
            blank = ""
            async with aclosing(self._follow(request, watch)) as items:
                async for item in items:
                    if isinstance(item, Usage):
                        spent = _add(spent, item)
                    elif watch.has_text:
                        yield blank + item
                        blank = ""
                    else:
                        blank += item
            if watch.has_text or spent.finish_reason is FinishReason.STOPPED:
                yield spent
                return
        raise ModelUnavailable(f"{self.name} gave no answer, twice. Ask again, or choose another model.")

    async def _follow(self, request: ChatRequest, watch: "_Watch") -> Reply:
        """One reply of the model inside, cut where `watch` says so."""
        watch.begin()
        self._waits.add(watch)
        reply = self._inner.reply(request)
        try:
            async with aclosing(reply):
                while not (cut := watch.find_fault()):
                    try:
                        async with asyncio.timeout(watch.patience()):
                            item = await anext(reply)
                    except TimeoutError:
                        cut = watch.tell_timeout()
                        break
                    if isinstance(item, Usage):
                        yield watch.explain(item)
                        return
                    self._waits.discard(watch)
                    watch.take(item)
                    yield item
        finally:
            self._waits.discard(watch)
        yield Usage(FinishReason.LENGTH, prompt_tokens=0, completion_tokens=watch.made, note=cut)

    def _name_limits(self, request: ChatRequest) -> ReplyLimits:
        """The limits of this call: a request may lower the longest reply."""
        asked = self._limits.max_tokens if request.max_tokens is None else request.max_tokens
        return replace(self._limits, max_tokens=min(asked, self._limits.max_tokens))


@dataclass(eq=False)
class _Watch:
    """One call under its limits; times are those of `time.monotonic`."""

    limits: ReplyLimits
    name: str
    started: float = field(default_factory=time.monotonic)
    made: int = 0
    has_text: bool = False
    _has_begun: bool = False
    _tail: str = ""
    _deadline: float = field(init=False)

    def __post_init__(self) -> None:
        self._deadline = self.started + self.limits.total_seconds

    def begin(self) -> None:
        """Start anew after an empty reply; the total time runs on."""
        self.made, self._has_begun, self._tail = 0, False, ""

    def take(self, piece: str) -> None:
        self.made += max(1, len(piece) // _LONGEST_TOKEN)
        self.has_text = self.has_text or bool(piece.strip())
        self._has_begun = True
        self._tail = (self._tail + piece)[-_LONGEST_UNIT * _REPEATS :]

    def patience(self) -> float:
        """Seconds that the next item may take."""
        wait = self.limits.idle_seconds if self._has_begun else self.limits.first_token_seconds
        return min(wait, self._deadline - time.monotonic())

    def find_fault(self) -> str:
        """Why the reply must not go on, as a sentence; empty where it may."""
        if repeats_itself(self._tail):
            return "The reply was cut where it began to repeat itself."
        if self.made > self.limits.max_tokens:
            return self._tell_length()
        return ""

    def tell_timeout(self) -> str:
        """Why a reply with text is cut.

        Raises:
            ModelUnavailable: no text had come.
        """
        is_over = time.monotonic() >= self._deadline
        if self.has_text:
            limit = self.limits.total_seconds if is_over else self.limits.idle_seconds
            return f"The reply was cut: {'it took longer than' if is_over else 'no word came for'} {limit:g} seconds."
        if is_over:
            raise ModelUnavailable(
                f"Model time-out: {self.name} gave no answer within {self.limits.total_seconds:g} seconds. "
                "Choose another model, or raise DEEPTRUST_MAX_REPLY_SECONDS."
            )
        waited, setting = self.limits.first_token_seconds, "DEEPTRUST_FIRST_TOKEN_SECONDS"
        if self._has_begun:  # with blanks alone
            waited, setting = self.limits.idle_seconds, "DEEPTRUST_IDLE_SECONDS"
        raise ModelUnavailable(
            f"Model time-out: {self.name} said nothing for {waited:g} seconds. "
            f"Choose another model, or raise {setting}."
        )

    def explain(self, usage: Usage) -> Usage:
        """The bill, with a note where the model's own ceiling cut the reply."""
        if usage.finish_reason is not FinishReason.LENGTH or usage.note:
            return usage
        return replace(usage, note=self._tell_length())

    def _tell_length(self) -> str:
        return f"The reply was cut at {self.limits.max_tokens:,} tokens."


def _add(spent: Usage, last: Usage) -> Usage:
    return replace(
        last,
        prompt_tokens=spent.prompt_tokens + last.prompt_tokens,
        completion_tokens=spent.completion_tokens + last.completion_tokens,
    )


def repeats_itself(text: str) -> bool:
    """Whether `text` ends in one stretch of up to 200 characters said six times or more, over 160 or more."""
    for unit in range(1, _LONGEST_UNIT + 1):
        length = unit * max(_REPEATS, math.ceil(_SHORTEST_RUN / unit))
        run = text[-length:]
        if len(run) == length and run[unit:] == run[:-unit]:
            return True
    return False
