"""Any server that speaks OpenAI's chat completions: hosted ones, vLLM, LM Studio, llama.cpp's own."""

import asyncio
from dataclasses import dataclass
from typing import Any, cast

from openai import APIStatusError, RateLimitError
from pydantic import SecretStr

from deeptrust.domain.chat import FinishReason
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.dialect import Dialect
from deeptrust.llm.openai_failures import retry_after
from deeptrust.llm.openai_server import OpenAiServer
from deeptrust.llm.reply import ChatRequest, Reply, Usage, is_too_long, prompt_refused
from deeptrust.llm.served import ServedModel, ServingOptions
from deeptrust.llm.thinking import without_thinking

LONGEST_WAIT = 20
"""Seconds of a Retry-After that are waited out, once; a longer one is told."""


class EndpointModel(ServedModel):
    """A `ChatModel` behind an OpenAI-compatible address. What it thinks apart from its answer is left out."""

    def __init__(
        self,
        name: str,
        options: ServingOptions = ServingOptions(),  # noqa: B008 - frozen
        *,
        url: str,
        key: SecretStr | None = None,
    ) -> None:
        """Nothing is asked yet.

        Args:
            name: as the server knows it.
            options: how it is asked; such servers do not tell the window of a model.
            url: base address, usually ending in `/v1`.
            key: sent to that host only; None where it wants none.

        Raises:
            BadSetting: `url` is not an address, or `key` is no key.
        """
        self._server = OpenAiServer(url, key, connect_seconds=options.connect_seconds)
        self._dialect = Dialect()
        super().__init__(name, options, reaches_network=self._server.reaches_network)

    async def _check(self) -> None:
        """Reach the server with the key. Its list is no proof of absence: many know more names than they list."""
        await self._server.names()

    def _write(self, request: ChatRequest, prompt_tokens: int) -> Reply:
        return without_thinking(self._converse(request, prompt_tokens))

    async def _converse(self, request: ChatRequest, prompt_tokens: int) -> Reply:
        bill = _Bill(prompt_tokens)
        async with self._server.translating(self._name):
            stream = await self._ask(request, self._longest_reply(request, prompt_tokens))
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
                if is_too_long(f"{error.code} {error.message}"):
                    raise prompt_refused(self._name, self._context_tokens) from None
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


async def list_endpoint_models(
    url: str, key: SecretStr | None = None, *, connect_seconds: float = 5
) -> list[str] | None:
    """Return the names of the models that a server lists, sorted; None where it keeps no list.

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
        usage = getattr(chunk, "usage", None)
        self.prompt_tokens = getattr(usage, "prompt_tokens", None) or self.prompt_tokens
        self.completion_tokens = getattr(usage, "completion_tokens", None) or self.completion_tokens
        for choice in getattr(chunk, "choices", None) or ():
            self.reason = getattr(choice, "finish_reason", None) or self.reason
            if piece := _text_of(getattr(getattr(choice, "delta", None), "content", None)):
                self.made += 1
                return piece
        return None


def _text_of(content: Any) -> str:
    """The text of a message; some servers send a list of parts, of which those that think are no text."""
    if isinstance(content, str):
        return content
    parts = cast(list[object], content) if isinstance(content, list) else []
    fields = [cast(dict[str, object], part) for part in parts if isinstance(part, dict)]
    return "".join(str(part.get("text", "")) for part in fields if part.get("type") == "text")
