"""A connection to an Ollama server, and what its failures mean in a sentence."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

import httpx
from ollama import AsyncClient, ChatResponse, ListResponse, ResponseError
from pydantic import BaseModel

from deeptrust.errors import ModelUnavailable
from deeptrust.language.clean import clean_text, fold_space
from deeptrust.llm.reply import ChatRequest
from deeptrust.network.address import check_address, is_loopback, show_address
from deeptrust.network.bounded_body import bound_body

FAILURES = (ResponseError, ConnectionError, httpx.HTTPError, ValueError, TypeError, AttributeError, TimeoutError)
"""What the client lets through; the last but one stand for a body that is not what Ollama sends."""

ANSWER_SECONDS = 10
"""Longest wait for what a server knows without running a model."""

_OFFERED = 8
_SHOWN = 200


class ListedModel(ListResponse.Model):
    """One line of the list. `remote_host` is where prompts for it are passed on to, by whatever name it goes here."""

    remote_host: str = ""


class _Listed(BaseModel):
    models: Sequence[ListedModel]


class OllamaServer:
    """Where Ollama listens. Redirects are not followed, and a proxy is never asked for this machine's own address."""

    def __init__(self, url: str, *, connect_seconds: float = 5) -> None:
        """Nothing is asked yet.

        Raises:
            BadSetting: `url` is not an address.
        """
        self.url = check_address(url, "DEEPTRUST_OLLAMA_URL")
        self.reaches_network = not is_loopback(self.url)
        self.client = AsyncClient(
            self.url,
            timeout=httpx.Timeout(None, connect=connect_seconds),
            follow_redirects=False,
            trust_env=self.reaches_network,
            headers={"Accept-Encoding": "identity"},
            event_hooks={"response": [bound_body]},
        )

    async def models(self) -> dict[str, ListedModel]:
        """Return all models that are there by their names, last changed first; lets `FAILURES` through."""
        async with asyncio.timeout(ANSWER_SECONDS):
            listed: _Listed = await self._ask(_Listed, "GET", "/api/tags")
        return {entry.model: entry for entry in listed.models if entry.model}

    async def converse(
        self, model: str, request: ChatRequest, options: Mapping[str, object]
    ) -> AsyncGenerator[ChatResponse, None]:
        """Yield the messages of one reply; lets `FAILURES` through.

        It says what the client's own `chat` cannot: that a prompt, or a reply, which leaves the window is refused, or
        ended, and that nothing is dropped for it. Servers before 0.12.6 do not know that.
        """
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "stream": True,
            "think": False,
            "options": options,
            "truncate": False,
            "shift": False,
        }
        if request.schema is not None:
            body["format"] = request.schema
        async with aclosing(await self._ask(ChatResponse, "POST", "/api/chat", json=body, stream=True)) as parts:
            async for part in parts:
                yield part

    async def explain(self, error: Exception, model: str = "") -> ModelUnavailable:
        """Return the sentence for one of `FAILURES`; a model that is missing is told with those that are there."""
        if isinstance(error, ResponseError) and error.status_code == 404 and model:
            return ModelUnavailable(await self._name_the_missing(model))
        return ModelUnavailable(self._describe(error))

    async def close(self) -> None:
        """Close all connections, those in use as well."""
        await self.client.close()

    @property
    def _ask(self) -> Any:
        """The client's way to ask, for what its methods cannot say or leave out of an answer."""
        return self.client._request  # pyright: ignore

    async def _name_the_missing(self, model: str) -> str:
        try:
            names = list(await self.models())
        except FAILURES:
            names = []
        there = ", ".join(names[:_OFFERED]) + (", and more" if len(names) > _OFFERED else "")
        return f"Ollama has no model {model}. Run `ollama pull {model}`" + (
            f", or choose one that is there: {there}." if names else "."
        )

    def _describe(self, error: Exception) -> str:
        address = show_address(self.url)
        match error:
            case ConnectionError() | httpx.ConnectError() | httpx.ConnectTimeout() | httpx.ProxyError():
                return (
                    f"Ollama does not answer at {address}. Start it with `ollama serve`, or set DEEPTRUST_OLLAMA_URL."
                )
            case TimeoutError() | httpx.TimeoutException():
                return f"Ollama at {address} takes connections but says nothing. Restart it."
            case httpx.HTTPError():
                return "Ollama broke off in the middle. Ask again; if it stays, restart Ollama."
            case ResponseError(status_code=401 | 403):
                return f"Ollama at {address} wants a key that it knows. Set OLLAMA_API_KEY."
            case ResponseError(status_code=-1 | 400 | 429 | 500 | 503) if "<" not in error.error:
                said = fold_space(clean_text(error.error))[:_SHOWN]
                return f"Ollama reports an error: {said.rstrip('.')}. Ask again, or choose another model."
            case _:
                return (
                    f"What answers at {address} is not Ollama. "
                    "Set DEEPTRUST_OLLAMA_URL to the address that `ollama serve` prints."
                )
