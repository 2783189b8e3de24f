"""Models that Ollama runs, through its own `/api/chat`: its OpenAI-like path ignores the window that is asked for."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing

from ollama import ChatResponse, ResponseError

from deeptrust.domain.chat import FinishReason, Message
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.ollama_cut import was_cut
from deeptrust.llm.ollama_server import ANSWER_SECONDS, FAILURES, OllamaServer
from deeptrust.llm.reply import ChatRequest, Reply, Usage, is_too_long, prompt_refused
from deeptrust.llm.served import ServedModel, ServingOptions
from deeptrust.llm.thinking import without_thinking


class OllamaModel(ServedModel):
    """A `ChatModel` of an Ollama server. Connections are its own; redirects are not followed."""

    def __init__(
        self,
        name: str,
        options: ServingOptions = ServingOptions(),  # noqa: B008 - frozen
        *,
        url: str,
        is_passed_on: bool = False,
    ) -> None:
        """Nothing is asked yet.

        Args:
            name: as `ollama list` shows it.
            options: how it is asked.
            url: where Ollama listens.
            is_passed_on: whether Ollama is known to pass prompts for it on; the name may say so, too.

        Raises:
            BadSetting: `url` is not an address.
        """
        self._server = OllamaServer(url, connect_seconds=options.connect_seconds)
        reaches_network = self._server.reaches_network or is_passed_on or is_cloud(name)
        super().__init__(name, options, reaches_network=reaches_network)

    async def _check(self) -> None:
        try:
            there = await self._server.models()
            found = there.get(self._name) or there.get(f"{self._name}:latest")
            if found is None:
                raise ResponseError("model not found", 404)
        except FAILURES as error:
            raise await self._server.explain(error, self._name) from error
        if found.remote_host and not self._reaches_network:
            raise ModelUnavailable(
                f"Ollama passes what {self._name} is asked on to {found.remote_host}, which was not known before, so "
                "nothing was sent. Choose it again if that may leave this machine."
            )
        await self._learn_window()

    async def _learn_window(self) -> None:
        """Ollama shrinks the window to what the model was trained with, and says so only in its log."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                shown = await self._server.client.show(self._name)
        except FAILURES:
            return  # old servers do not tell; `_refuse_cut` notices a prompt that was cut
        own = trained_window(shown.modelinfo)
        if own is not None:
            self._context_tokens = min(self._context_tokens, own)

    def _write(self, request: ChatRequest, prompt_tokens: int) -> Reply:
        return without_thinking(self._converse(request, prompt_tokens))

    async def _converse(self, request: ChatRequest, prompt_tokens: int) -> Reply:
        # A reply that would leave the window makes older servers drop the top of the prompt, so it is held inside it.
        reply_tokens = self._longest_reply(request, prompt_tokens)
        options = {
            "num_ctx": self._context_tokens,
            "num_predict": reply_tokens,
            "temperature": self._heat(request),
        }
        made = 0
        try:
            async with aclosing(self._server.converse(self._name, request, options)) as parts:
                async for part in parts:
                    if piece := part.message.content:
                        made += 1
                        yield piece
                    if part.done:
                        self._refuse_cut(request.messages, part.prompt_eval_count, reply_tokens)
                        yield _read_bill(part, prompt_tokens, made)
                        return
        except FAILURES as error:
            if isinstance(error, ResponseError) and is_too_long(error.error):
                raise prompt_refused(self._name, self._context_tokens) from error
            raise await self._server.explain(error, self._name) from error
        raise ModelUnavailable("Ollama broke off in the middle. Ask again; if it stays, restart Ollama.")

    def _refuse_cut(self, messages: Sequence[Message], read_tokens: int | None, reply_tokens: int) -> None:
        """Raises ModelUnavailable where the reply rests on something else than was asked."""
        window = self._context_tokens
        if read_tokens is None or not was_cut(messages, read_tokens, context_tokens=window, reply_tokens=reply_tokens):
            return
        raise ModelUnavailable(
            f"Ollama read {read_tokens:,} tokens and seems to have cut the prompt to its window of {window:,}, so its "
            "reply was dropped. Update Ollama, raise DEEPTRUST_CONTEXT_TOKENS as far as this model allows, or choose "
            "another one."
        )

    async def _release(self) -> None:
        await self._server.close()


def _read_bill(part: ChatResponse, prompt_tokens: int, made: int) -> Usage:
    """What the last message says; our own counts stand in where it says nothing."""
    return Usage(
        FinishReason.LENGTH if part.done_reason == "length" else FinishReason.END,
        prompt_tokens if part.prompt_eval_count is None else part.prompt_eval_count,
        made if part.eval_count is None else part.eval_count,
    )


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
