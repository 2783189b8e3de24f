"""Which of a server's tools make a notebook, add a text to it, and read: found by name and input schema."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from deeptrust.errors import HarnessUnavailable

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NOTEBOOK_KEYS = ("notebook_id", "notebookId", "notebook", "notebook_uuid")
_TEXT_KEYS = ("text", "content", "body")
_TITLE_KEYS = ("title", "name", "source_title", "sourceTitle")
_TYPE_KEYS = ("source_type", "sourceType", "type")
_MAKING = frozenset({"create", "new", "make"})
_ADDING = frozenset({"add", "create", "upload", "import", "insert"})
_READING = frozenset({"list", "search", "get"})


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as its server lists it: the names of its arguments, and those it cannot do without."""

    name: str
    arguments: frozenset[str]
    required: frozenset[str]

    @classmethod
    def from_schema(cls, name: str, schema: Mapping[str, Any]) -> Self:
        """Read the arguments from a JSON schema."""
        return cls(name, frozenset(schema.get("properties") or {}), frozenset(schema.get("required") or ()))

    @property
    def words(self) -> frozenset[str]:
        """The words of the name, whatever its style: `notebook_add_text`, `addTextSource`."""
        return frozenset(word.lower() for word in _WORD.findall(self.name))

    def find(self, keys: Sequence[str]) -> str | None:
        """Return the first of `keys` that is an argument."""
        return next((key for key in keys if key in self.arguments), None)


@dataclass(frozen=True, slots=True)
class Publisher:
    """The tools of one server, with the names of their arguments."""

    create: Tool
    add: Tool
    read: Tool

    def create_arguments(self, title: str) -> dict[str, str]:
        """Return what `create` takes to make a notebook called `title`."""
        key = self.create.find(_TITLE_KEYS)
        return {key: title} if key else {}

    def add_arguments(self, notebook: str, title: str, text: str) -> dict[str, str]:
        """Return what `add` takes to add one text to a notebook."""
        values = (_NOTEBOOK_KEYS, notebook), (_TEXT_KEYS, text), (_TITLE_KEYS, title), (_TYPE_KEYS, "text")
        return {key: value for keys, value in values if (key := self.add.find(keys))}


def map_tools(tools: Sequence[Tool], chosen: Mapping[str, str]) -> Publisher:
    """Find the tool for each role; `chosen` (role to name) goes before what the names and schemas say.

    Raises:
        HarnessUnavailable: no tool fits a role, or several do; the sentence names the role and the setting.
    """
    return Publisher(*(_choose(role, tools, chosen.get(role)) for role in ("create", "add", "read")))


def _choose(role: str, tools: Sequence[Tool], chosen: str | None) -> Tool:
    task, takes, sounds = _ROLES[role]
    if chosen:
        named = [tool for tool in tools if tool.name == chosen]
        if named and takes(named[0]):
            return named[0]
        reason = f"its tool {chosen} does not take what it needs" if named else f"it has no tool {chosen}"
    else:
        fitting = [tool for tool in tools if takes(tool) and sounds(tool.words)]
        if len(fitting) == 1:
            return fitting[0]
        names = ", ".join(tool.name for tool in fitting)
        reason = f"its tools {names} all look right" if fitting else "none of its tools looks right"
    raise HarnessUnavailable(
        f"This server cannot {task}: {reason}. Name the tool in DEEPTRUST_NOTEBOOKLM_MCP_TOOLS ({role}=TOOL)."
    )


def _can_create(tool: Tool) -> bool:
    return tool.required <= set(_TITLE_KEYS)


def _can_add(tool: Tool) -> bool:
    known = {*_NOTEBOOK_KEYS, *_TEXT_KEYS, *_TITLE_KEYS, *_TYPE_KEYS}
    return bool(tool.find(_NOTEBOOK_KEYS) and tool.find(_TEXT_KEYS)) and tool.required <= known


def _can_read(tool: Tool) -> bool:
    return not tool.required


_ROLES: dict[str, tuple[str, Callable[[Tool], bool], Callable[[frozenset[str]], bool]]] = {
    "create": (
        "make a notebook",
        _can_create,
        lambda words: "notebook" in words and bool(words & _MAKING),
    ),
    "add": (
        "add a text to a notebook",
        _can_add,
        lambda words: bool(words & _ADDING) and bool(words & {"source", "sources", "text"}),
    ),
    "read": (
        "list notebooks",
        _can_read,
        lambda words: bool(words & {"notebook", "notebooks"}) and bool(words & _READING),
    ),
}
