"""Any server that speaks OpenAI's chat completions: hosted ones, vLLM, LM Studio, llama.cpp's own."""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from openai import APIStatusError, RateLimitError
from pydantic import SecretStr

from deeptrust.domain.chat import FinishReason
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.dialect import Dialect
from deeptrust.llm.openai_failures import retry_after
from deeptrust.llm.openai_server import OpenAiServer
from deeptrust.llm.reply import ChatRequest, Reply, Usage, prompt_too_long
from deeptrust.llm.served import ServedModel
from deeptrust.llm.thinking import without_thinking

LONGEST_WAIT = 20
"""Seconds of a Retry-After that are waited out, once; a longer one is told."""


class EndpointModel(ServedModel):
    """A `ChatModel` behind an OpenAI-compatible address. What it thinks apart from its answer is left out."""

    def __init__(
        self,
        name: str,
        *,
        url: str,
        key: SecretStr | None = None,
        context_tokens: int = 8192,
        max_tokens: int = 4096,
        temperature: float = 0.7,
        connect_seconds: float = 5,
    ) -> None:
        """Nothing is asked yet.

        Args:
            name: as the server's list of models has it.
            url: base address, usually ending in `/v1`.
            key: sent to that host only; None where it wants none.
            context_tokens: window of the model, which such servers do not tell.
            max_tokens: longest reply unless a call says less.
            temperature: of sampling, unless a call says otherwise.
            connect_seconds: longest time to reach the server.

        Raises:
            BadSetting: `url` is not an address, or `key` is no key.
        """
        self._server = OpenAiServer(url, key, connect_seconds=connect_seconds)
        self._dialect = Dialect()
        super().__init__(
            name,
            context_tokens=context_tokens,
            max_tokens=max_tokens,
            temperature=temperature,
            reaches_network=self._server.reaches_network,
        )

    async def _check(self) -> None:
        """Reach the server with the key. Its list is no proof of absence: many know more names than they list."""
        await self._server.names()

    async def _write(self, request: ChatRequest) -> Reply:
        prompt_tokens = self._count_prompt(request.messages)
        if prompt_tokens >= self._context_tokens:
            raise prompt_too_long(self._name, prompt_tokens, self._context_tokens, is_estimate=True)
        async with aclosing(without_thinking(self._converse(request, prompt_tokens))) as reply:
            async for item in reply:
                yield item

    async def _converse(self, request: ChatRequest, prompt_tokens: int) -> Reply:
        bill = _Bill(prompt_tokens)
        async with self._server.translating(self._name):
            stream = await self._ask(request, min(self._longest_reply(request), self._context_tokens - prompt_tokens))
            async with stream:
                if "html" in stream.response.headers.get("content-type", ""):
                    raise self._server.is_stranger()
                async for chunk in stream:
                    if piece := bill.take(chunk):
                        yield piece
        yield self._settle(bill)

    async def _ask(self, request: ChatRequest, max_tokens: int) -> Any:
        """Open the stream: in words that the server knows, and once more if it asks for a short wait."""
        create: Any = self._server.client.chat.completions.create
        has_waited = False
        while True:
            body = self._dialect.phrase(request, self._name, max_tokens, self._heat(request))
            try:
                return await create(**body)
            except RateLimitError as error:
                wait = retry_after(error)
                if has_waited or wait is None or wait > LONGEST_WAIT:
                    raise
                has_waited = True
                await asyncio.sleep(wait)
            except APIStatusError as error:
                if not self._dialect.learn(error, body):
                    raise

    def _settle(self, bill: "_Bill") -> Usage:
        if bill.reason is None and not bill.chunks:
            raise self._server.is_stranger()
        if bill.reason is None:
            raise ModelUnavailable("The server broke off in the middle. Ask again, or choose another model.")
        note = "The server's filter cut the reply." if bill.reason == "content_filter" and bill.made else ""
        return Usage(
            FinishReason.LENGTH if bill.reason == "length" or note else FinishReason.END,
            bill.prompt_tokens,
            bill.made if bill.completion_tokens is None else bill.completion_tokens,
            note,
        )

    async def _release(self) -> None:
        await self._server.close()


async def list_endpoint_models(url: str, key: SecretStr | None = None, *, connect_seconds: float = 5) -> list[str]:
    """Return the names of the models that a server lists, sorted.

    Raises:
        BadSetting: `url` is not an address, or `key` is no key.
        ModelUnavailable: nothing answers there, the key is wrong, or it is another kind of server.
    """
    server = OpenAiServer(url, key, connect_seconds=connect_seconds)
    try:
        return await server.names()
    finally:
        await server.close()


@dataclass
class _Bill:
    """What the chunks have said so far; `prompt_tokens` is our estimate until the server counts."""

    prompt_tokens: int
    completion_tokens: int | None = None
    made: int = 0
    chunks: int = 0
    reason: str | None = None

    def take(self, chunk: Any) -> str | None:
        """Read one chunk and return its text. Servers leave out what they like, so nothing is taken for granted."""
        self.chunks += 1
        if usage := getattr(chunk, "usage", None):
            self.prompt_tokens = usage.prompt_tokens or self.prompt_tokens
            self.completion_tokens = usage.completion_tokens
        for choice in chunk.choices or ():
            self.reason = choice.finish_reason or self.reason
            if choice.delta and (piece := choice.delta.content):
                self.made += 1
                return piece
        return None
