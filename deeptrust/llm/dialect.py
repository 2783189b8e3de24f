"""How an OpenAI-compatible server wants to be asked: what it refused once is not sent to it again."""

from typing import Any

from openai import APIStatusError, BadRequestError, UnprocessableEntityError

from deeptrust.llm.reply import ChatRequest

_REFUSALS = (BadRequestError, UnprocessableEntityError)

_OPTIONAL = ("stream_options", "temperature", "max_tokens")
"""What servers differ on. Newer ones of OpenAI want `max_completion_tokens` in place of the last."""

_NEXT_FORMAT = {"json_schema": "json_object", "json_object": ""}
"""What is tried where a kind of `response_format` was refused; empty is none."""


class Dialect:
    """The keys and the format that one server has not refused so far; it shrinks and never grows."""

    def __init__(self) -> None:
        self._format = "json_schema"
        self._refused: set[str] = set()

    def phrase(self, request: ChatRequest, model: str, max_tokens: int, temperature: float) -> dict[str, Any]:
        """Return the body of a streaming chat completion."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        for key in self._refused:
            del body[key]
        if "max_tokens" in self._refused:
            body["max_completion_tokens"] = max_tokens
        if request.schema is not None and self._format:
            body["response_format"] = self._phrase_format(request.schema)
        return body

    def learn(self, error: APIStatusError, body: dict[str, Any]) -> bool:
        """Whether there is another way to ask than `body`, which was refused with `error`."""
        if not isinstance(error, _REFUSALS):
            return False
        said = f"{error.param} {error.message}"
        named = next((key for key in _OPTIONAL if key in body and key in said), None)
        if named is not None:
            self._refused.add(named)
        elif "response_format" in body and body["response_format"]["type"] == self._format:
            self._format = _NEXT_FORMAT[self._format]  # only once, if several calls are refused at the same time
        return named is not None or "response_format" in body

    def _phrase_format(self, schema: dict[str, object]) -> dict[str, object]:
        wanted: dict[str, object] = {"type": self._format}
        if self._format == "json_schema":
            wanted["json_schema"] = {"name": "reply", "schema": schema, "strict": True}
        return wanted
