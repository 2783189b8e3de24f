"""Models that Ollama runs, through its own `/api/chat`: its OpenAI-like path ignores the window that is asked for."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

from ollama import ChatResponse, ResponseError

from deeptrust.domain.chat import FinishReason, Message
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.ollama_server import ANSWER_SECONDS, FAILURES, OllamaServer
from deeptrust.llm.reply import ChatRequest, Reply, Usage, prompt_too_long
from deeptrust.llm.served import ServedModel
from deeptrust.llm.thinking import without_thinking


class OllamaModel(ServedModel):
    """A `ChatModel` of an Ollama server. Connections are its own; redirects are not followed."""

    def __init__(
        self,
        name: str,
        *,
        url: str = "http://127.0.0.1:11434",
        context_tokens: int = 8192,
        max_tokens: int = 4096,
        temperature: float = 0.7,
        connect_seconds: float = 5,
    ) -> None:
        """Nothing is asked yet.

        Args:
            name: as `ollama list` shows it.
            url: where Ollama listens.
            context_tokens: window that is asked for; the model's own is taken where it is smaller.
            max_tokens: longest reply unless a call says less.
            temperature: of sampling, unless a call says otherwise.
            connect_seconds: longest time to reach the server.

        Raises:
            BadSetting: `url` is not an address.
        """
        self._server = OllamaServer(url, connect_seconds=connect_seconds)
        super().__init__(
            name,
            context_tokens=context_tokens,
            max_tokens=max_tokens,
            temperature=temperature,
            reaches_network=self._server.reaches_network or is_cloud(name),
        )

    async def _check(self) -> None:
        try:
            names = await self._server.names()
            if self._name not in names and f"{self._name}:latest" not in names:
                raise ResponseError("model not found", 404)
        except FAILURES as error:
            raise await self._server.explain(error, self._name) from error
        await self._learn_window()

    async def _learn_window(self) -> None:
        """Ollama shrinks the window to what the model was trained with, and says so only in its log."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                shown = await self._server.client.show(self._name)
        except FAILURES:
            return  # old servers do not tell; `_settle` notices a prompt that was cut
        own = trained_window(shown.modelinfo)
        if own is not None:
            self._context_tokens = min(self._context_tokens, own)

    async def _write(self, request: ChatRequest) -> Reply:
        prompt_tokens = self._count_prompt(request.messages)
        if prompt_tokens >= self._context_tokens:
            raise prompt_too_long(self._name, prompt_tokens, self._context_tokens, is_estimate=True)
        async with aclosing(without_thinking(self._converse(request, prompt_tokens))) as reply:
            async for item in reply:
                yield item

    async def _converse(self, request: ChatRequest, prompt_tokens: int) -> Reply:
        # A reply that would leave the window makes Ollama drop the top of the prompt, so it is held inside it.
        room = self._context_tokens - prompt_tokens
        options = {
            "num_ctx": self._context_tokens,
            "num_predict": min(self._longest_reply(request), room),
            "temperature": self._heat(request),
        }
        made = 0
        try:
            parts: Any = await self._server.client.chat(  # pyright: ignore[reportUnknownMemberType]
                model=self._name,
                messages=[{"role": message.role, "content": message.content} for message in request.messages],
                stream=True,
                think=False,
                format=request.schema,
                options=options,
            )
            async with aclosing(parts):
                async for part in parts:
                    if piece := part.message.content:
                        made += 1
                        yield piece
                    if part.done:
                        yield self._settle(part, request.messages, made)
                        return
        except FAILURES as error:
            raise await self._server.explain(error, self._name) from error
        raise ModelUnavailable("Ollama broke off in the middle. Ask again; if it stays, restart Ollama.")

    def _settle(self, part: ChatResponse, messages: Sequence[Message], made: int) -> Usage:
        """Read the bill, and hold the tokens that were read against the words that were sent.

        Raises:
            ModelUnavailable: fewer tokens were read than there are words, and no word is less than a token: the
                server has cut the prompt (LLM-10), so the reply rests on something else than was asked.
        """
        words = sum(len(message.content.split()) for message in messages)
        if part.prompt_eval_count is not None and part.prompt_eval_count < words:
            raise ModelUnavailable(
                f"Ollama read only {part.prompt_eval_count:,} tokens of a prompt of {words:,} words, so its reply was "
                "dropped. Set DEEPTRUST_CONTEXT_TOKENS to the window of this model, or choose another one."
            )
        counted = part.prompt_eval_count
        return Usage(
            FinishReason.LENGTH if part.done_reason == "length" else FinishReason.END,
            self._count_prompt(messages) if counted is None else counted,
            made if part.eval_count is None else part.eval_count,
        )

    async def _release(self) -> None:
        await self._server.close()


def is_cloud(name: str) -> bool:
    """Whether Ollama passes prompts for this model on to servers of its own (`qwen3-coder:480b-cloud`)."""
    return name.rpartition(":")[2].endswith("cloud")


def trained_window(facts: object) -> int | None:
    """Return the window that a model was trained with, from what `/api/show` says; None if it does not."""
    if isinstance(facts, dict):
        for key, value in facts.items():  # pyright: ignore[reportUnknownVariableType]
            if str(key).endswith(".context_length") and isinstance(value, int):  # pyright: ignore[reportUnknownArgumentType]
                return value
    return None
