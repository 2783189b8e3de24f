"""From what a model wrote to one checked object: a scanner that knows strings, never a search in text (D20, LLM-04)."""

import contextlib
import json
import re
from collections.abc import Iterator
from typing import TypeVar, cast

from pydantic import BaseModel, ValidationError

from deeptrust.answering.calls import NO_ANSWER
from deeptrust.answering.thinking import remove_thinking
from deeptrust.language.clean import clean_text

Model = TypeVar("Model", bound=BaseModel)
Json = dict[str, object]

_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_OBJECT_BEGINS = re.compile(r'\{\s*"')
_LIKE_AN_OBJECT = re.compile(r"""\{\s*(?:["'/#]|\w+\s*:)""")
_KEY_FIRST = re.compile(r'\A(?:```\w*\s*)?"\w+"\s*:')
_LONGEST_REPLY = 50_000
_MOST_STARTS = 200
_SHOWN = 200


class UnusableReply(Exception):
    """The reply holds no object that fits; the text says why, for the model and for the trace."""


class EmptyReply(UnusableReply):
    """The reply says nothing."""


class _NotJson(Exception):
    """What stands between two braces is no JSON object; the text says why."""


def parse_reply(text: str, schema: type[Model]) -> Model:
    """Return the one object in a reply that fits `schema`.

    Thinking is removed first; an unclosed one leaves nothing. Prose, fences and other objects around it do not
    matter, nor does an object round it that holds nothing else; a comma before a closing bracket is forgiven.
    Whatever else is not JSON (cut off, quoted singly, commented, a key twice) is a fault to be told.

    Raises:
        UnusableReply: nothing fits, or two different objects do.
    """
    text = remove_thinking(clean_text(text)).strip()[:_LONGEST_REPLY]
    if not text:
        raise EmptyReply(NO_ANSWER)
    fitting: list[Model] = []
    broken: list[str] = []
    unfit: list[str] = []
    for candidate in _candidates(text):
        if isinstance(candidate, _NotJson):
            broken.append(str(candidate))
            continue
        found = _fit(candidate, schema)
        if isinstance(found, _NotJson):
            unfit.append(str(found))
        elif found not in fitting:
            fitting.append(found)
    if len(fitting) != 1:
        # What is no JSON comes first: the parts of a broken object do not fit either, and say nothing of the break.
        faults = [*_missing_braces(text), *broken, *reversed(unfit), "there is no JSON object in it"]
        problem = "it holds two different answers" if fitting else faults[0]
        raise UnusableReply(f"The reply is not usable: {problem}. It began: {text[:_SHOWN]}")
    return fitting[0]


def _fit(candidate: Json, schema: type[Model]) -> Model | _NotJson:
    """Read by the schema, or what is wrong; also the object inside, where the outer one holds nothing else."""
    inner = next(iter(candidate.values())) if len(candidate) == 1 else None
    if isinstance(inner, dict):
        with contextlib.suppress(ValidationError):
            return schema.model_validate(inner)
    try:
        return schema.model_validate(candidate)
    except ValidationError as error:
        return _NotJson(_explain(error))


def _candidates(text: str) -> Iterator[Json | _NotJson]:
    """Every outermost JSON object of `text`, or what is wrong with it; a brace in prose is passed over.

    Nothing is looked for inside an object that was cut off: its parts are not the answer.
    """
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            return
        end = _closing(text, at)
        if end is None and _OBJECT_BEGINS.match(text, at):
            yield _NotJson("it is cut off before its last brace")
            return
        found = _load(text[at:end]) if end else None
        if isinstance(found, dict) or (found and _LIKE_AN_OBJECT.match(text, at)):
            yield found
        at = text.find("{", end if end and isinstance(found, dict) else at + 1)


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


def _load(text: str) -> Json | _NotJson:
    """Parse strictly, then once more without commas before closing brackets; line breaks in strings are let pass."""
    try:
        return _parse(text)
    except (ValueError, RecursionError, _NotJson):
        pass
    try:
        return _parse(_without_trailing_commas(text))
    except _NotJson as fault:
        return fault
    except RecursionError:
        return _NotJson("it is nested too deeply")
    except ValueError as error:
        return _NotJson(_explain_syntax(error))


def _parse(text: str) -> Json:
    return cast(Json, json.loads(text, strict=False, object_pairs_hook=_unique, parse_constant=_refuse))


def _unique(pairs: list[tuple[str, object]]) -> Json:
    """An object that says a key twice says two things; which one counts must not be a matter of order."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _NotJson("a key stands twice in one object")
    return found


def _refuse(constant: str) -> object:
    raise _NotJson(f"{constant} is not JSON")


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


def _missing_braces(text: str) -> list[str]:
    return ["its outer braces are missing"] if _KEY_FIRST.match(text) else []


def _explain_syntax(error: ValueError) -> str:
    at = error.doc[error.pos :].lstrip() if isinstance(error, json.JSONDecodeError) else ""
    if at.startswith(("//", "/*", "#")):
        return "comments are not JSON"
    if at.startswith(("'", "‘", "’", "“", "”")):
        return "names and texts need double quotes"
    return f"it is not JSON ({error})"


def _explain(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the object"
    return f"{place}: {first['msg']}"
