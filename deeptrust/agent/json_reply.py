"""From what a model wrote to one checked object: a scanner that knows strings, never a search in text (D20)."""

import json
import re
from collections.abc import Iterator
from typing import TypeVar, cast

from pydantic import BaseModel, ValidationError

from deeptrust.language.clean import clean_text

Model = TypeVar("Model", bound=BaseModel)

_THINKING = re.compile(r"<(think|thinking|reasoning)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_LONGEST_REPLY = 50_000
_MOST_STARTS = 200
_SHOWN = 200


class UnusableReply(Exception):
    """The reply holds no object that fits; the text says why, for the model and for the trace."""


def parse_reply(text: str, schema: type[Model]) -> Model:
    """Return the one object in a reply that fits `schema`.

    Thinking is removed first; an unclosed one leaves nothing. Prose, fences and other objects around it do not
    matter; a comma before a closing bracket is forgiven.

    Raises:
        UnusableReply: nothing fits, or two different objects do.
    """
    text = _THINKING.sub("", clean_text(text)).strip()[:_LONGEST_REPLY]
    if not text:
        raise UnusableReply("The model gave no answer.")
    fitting: list[Model] = []
    problem = "there is no JSON object in it"
    for candidate in _objects(text):
        try:
            found = schema.model_validate(candidate)
        except ValidationError as error:
            problem = _explain(error)
            continue
        if found not in fitting:
            fitting.append(found)
    if len(fitting) > 1:
        problem = "it holds two different answers"
    if len(fitting) != 1:
        raise UnusableReply(f"The reply is not usable: {problem}. It began: {text[:_SHOWN]}")
    return fitting[0]


def _objects(text: str) -> Iterator[dict[str, object]]:
    """Every outermost JSON object of `text`; a brace that opens none is passed over."""
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            return
        end = _closing(text, at)
        found = _load(text[at:end]) if end else None
        if found is not None:
            yield found
        at = text.find("{", end if end and found is not None else at + 1)


def _closing(text: str, start: int) -> int | None:
    """Index behind the brace that closes the one at `start`, braces in strings not counted; None if none does."""
    depth, at = 0, start
    while at < len(text):
        character = text[at]
        if character == '"':
            at = _string_end(text, at)
            continue
        depth += (character == "{") - (character == "}")
        at += 1
        if not depth:
            return at
    return None


def _string_end(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _load(text: str) -> dict[str, object] | None:
    try:
        return cast(dict[str, object], json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse))
    except (ValueError, RecursionError):
        pass
    try:
        relaxed = _without_trailing_commas(text)
        return cast(dict[str, object], json.loads(relaxed, object_pairs_hook=_unique, parse_constant=_refuse))
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object that says a key twice says two things; which one counts must not be a matter of order."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


def _without_trailing_commas(text: str) -> str:
    kept: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == '"':
            end = _string_end(text, at)
            kept.append(text[at:end])
            at = end
            continue
        kept.append("" if _TRAILING_COMMA.match(text, at) else text[at])
        at += 1
    return "".join(kept)


def _explain(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the object"
    return f"{place}: {first['msg']}"
