"""A chat model that says what it is told to: the fake that ships, for tests and demos."""

import asyncio
import re
from collections.abc import Callable, Sequence
from itertools import chain, repeat

from deeptrust.domain.chat import FinishReason, Message, ModelPhase, ModelState
from deeptrust.errors import DeepTrustError, ModelUnavailable
from deeptrust.language.sentences import split_sentences
from deeptrust.llm.base import ChatModel
from deeptrust.llm.reply import ChatRequest, Reply, Usage, prompt_too_long

_TOKEN = re.compile(r"\s*\S+|\s+")
_FIRST_SOURCE = re.compile(r"\[1\](.*?)(?=\[2\]|\n\s*\n|\Z)", re.DOTALL)
_SENTENCE_WORDS = 5

Line = str | DeepTrustError
"""One scripted reply: what is said, or the error that is raised in its place."""

Script = Callable[[Sequence[Message]], str]
"""Makes a reply from the prompt; it may raise a `DeepTrustError`."""


def quote_first_source(messages: Sequence[Message]) -> str:
    """Say the first full sentence that stands behind `[1]` in the prompt, and cite it."""
    source = _FIRST_SOURCE.search("\n".join(message.content for message in messages))
    for sentence in split_sentences(source[1] if source else ""):
        if len(sentence.text.split()) >= _SENTENCE_WORDS:
            return f"{sentence.text} [1]"
    return "The sources do not say."


class ScriptedModel(ChatModel):
    """A `ChatModel` whose tokens are words. Delays are in seconds."""

    def __init__(
        self,
        script: Script | Sequence[Line] = quote_first_source,
        *,
        prompt_seconds: float = 0,
        token_seconds: float = 0,
        context_tokens: int = 8192,
        max_tokens: int = 4096,
    ) -> None:
        """Nothing is said yet.

        Args:
            script: a function of the messages, or replies in order, the last of which is said again and again.
            prompt_seconds: time to read the prompt, before the first token.
            token_seconds: time to make one token.
            context_tokens: longest prompt, in words.
            max_tokens: longest reply unless a call says less.
        """
        self._context_tokens = context_tokens
        self.prompts: list[tuple[Message, ...]] = []
        """What was asked, call by call."""
        self.tokens_made = 0
        """Tokens made so far, over all calls."""
        self._say = script if callable(script) else _say_in_order(script)
        self._prompt_seconds = prompt_seconds
        self._token_seconds = token_seconds
        self._max_tokens = max_tokens
        self._is_closed = False
        self._phase = ModelPhase.ABSENT

    @property
    def name(self) -> str:
        """Its name, which nobody takes for a real model's."""
        return "Scripted"

    @property
    def context_tokens(self) -> int:
        """Longest prompt, in words."""
        return self._context_tokens

    @property
    def reaches_network(self) -> bool:
        """It never does."""
        return False

    @property
    def state(self) -> ModelState:
        """Ready once loaded."""
        return ModelState(name=self.name, phase=self._phase, progress=100 if self._phase is ModelPhase.READY else 0)

    async def load(self) -> None:
        """Be ready."""
        if self._is_closed:
            raise ModelUnavailable("The chat model is closed. Start DeepTrust again.")
        self._phase = ModelPhase.READY

    async def reply(self, request: ChatRequest) -> Reply:
        """Yield the scripted reply word by word, then its usage; a schema is the script's own affair."""
        await self.load()
        self.prompts.append(request.messages)
        prompt_tokens = sum(len(_TOKEN.findall(message.content)) for message in request.messages)
        if prompt_tokens > self.context_tokens:
            raise prompt_too_long(self.name, prompt_tokens, self.context_tokens)
        await asyncio.sleep(self._prompt_seconds)
        tokens = _TOKEN.findall(self._say(request.messages))
        longest = self._max_tokens if request.max_tokens is None else request.max_tokens
        made = 0
        for token in tokens[:longest]:
            await asyncio.sleep(self._token_seconds)
            if self._is_closed:
                yield Usage(FinishReason.STOPPED, prompt_tokens, made)
                return
            made += 1
            self.tokens_made += 1
            yield token
        ended = FinishReason.END if len(tokens) <= longest else FinishReason.LENGTH
        yield Usage(ended, prompt_tokens, made)

    async def close(self) -> None:
        """End what is being said."""
        self._is_closed = True
        self._phase = ModelPhase.ABSENT


def _say_in_order(lines: Sequence[Line]) -> Script:
    rest = chain(lines, repeat(lines[-1]))

    def say(_: Sequence[Message]) -> str:
        line = next(rest)
        if isinstance(line, DeepTrustError):
            raise line
        return line

    return say
