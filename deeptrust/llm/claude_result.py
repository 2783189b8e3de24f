"""What the Claude command line program prints: one JSON object, or a complaint."""

import json
import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from deeptrust.domain.chat import FinishReason
from deeptrust.errors import ModelUnavailable
from deeptrust.language.clean import clean_text, fold_space
from deeptrust.llm.reply import Usage
from deeptrust.llm.tokens import estimate_tokens

_SIGN_IN = re.compile(r"log ?in|sign(?:ed)? in|authenticat|api key|oauth", re.IGNORECASE)
_OLD = re.compile(r"unknown option|unrecognized", re.IGNORECASE)
_SHOWN = 200


class _Tokens(BaseModel):
    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int | None = None


def _last_result(printed: object) -> object:
    """With `verbose` in its settings the program prints a list, of which the result is the last."""
    return printed[-1] if isinstance(printed, list) and printed else printed  # pyright: ignore[reportUnknownVariableType]


class _Printed(BaseModel):
    is_error: bool = False
    result: str | None = None
    stop_reason: str | None = None
    usage: _Tokens = Field(default_factory=_Tokens)


class _Output(BaseModel):
    last: Annotated[_Printed, BeforeValidator(_last_result)]


@dataclass(frozen=True, slots=True)
class ClaudeResult:
    """The reply and its bill."""

    text: str
    usage: Usage


def read_result(printed: bytes, prompt_tokens: int) -> ClaudeResult:
    """Read the output of `claude --print --output-format json`; `prompt_tokens` stands in where it has no count.

    Raises:
        ModelUnavailable: it reports an error, or is no such output.
    """
    try:
        found = _Output.model_validate({"last": json.loads(printed)}).last
    except (ValueError, RecursionError, ValidationError) as error:
        raise ModelUnavailable(find_fault(printed, b"") or _strange()) from error
    text = found.result or ""
    if found.is_error:
        raise ModelUnavailable(find_fault(text.encode(), b"") or _strange())
    usage = found.usage
    read = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
    ended = FinishReason.LENGTH if found.stop_reason == "max_tokens" else FinishReason.END
    written = estimate_tokens(text) if usage.output_tokens is None else usage.output_tokens
    return ClaudeResult(text, Usage(ended, read or prompt_tokens, written))


def find_fault(printed: bytes, complaint: bytes) -> str:
    """Return the sentence for a run that failed; empty where it said nothing that is known."""
    said = fold_space(clean_text((complaint + b" " + printed).decode(errors="replace")))
    if _OLD.search(said):
        return "The Claude CLI is too old for DeepTrust. Update it with `claude update`."
    if _SIGN_IN.search(said):
        return "The Claude CLI is not signed in. Run `claude` in a terminal and sign in."
    return f"The Claude CLI failed: {said[:_SHOWN].rstrip('.')}. Ask again, or choose another model." if said else ""


def _strange() -> str:
    return "The Claude CLI printed something else than a result. Update it with `claude update`."
