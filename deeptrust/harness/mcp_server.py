"""Which MCP server a person has chosen, if any: a command of theirs, or an address."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from urllib.parse import urlsplit

from deeptrust.errors import BadSetting

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_COMMAND, _URL, _TOOLS = (f"DEEPTRUST_NOTEBOOKLM_MCP_{end}" for end in ("COMMAND", "URL", "TOOLS"))

ROLES = ("create", "add", "read")
"""What a tool may be used for: make a notebook, add a text to it, list notebooks (to see whether one is signed in)."""


@dataclass(frozen=True, slots=True)
class McpServer:
    """Exactly one of `command` (speaks over stdin and stdout) and `url` (streamable HTTP) is set.

    `tools` names the tool of a role where the person has chosen one.
    """

    command: tuple[str, ...] = ()
    url: str = ""
    tools: Mapping[str, str] | None = None

    @property
    def name(self) -> str:
        """What to call it in a sentence: the program, or the host."""
        return PurePath(self.command[0]).name if self.command else urlsplit(self.url).netloc


def read_server(command: str, url: str, tools: str) -> McpServer | None:
    """Return what the three settings choose; None if neither command nor address is set: the harness is off.

    Raises:
        BadSetting: both are set, or one does not parse. An address must be https, or http on this machine: the pack
            travels to it.
    """
    if not command.strip() and not url.strip():
        return None
    if command.strip() and url.strip():
        raise BadSetting(f"{_COMMAND} and {_URL} are both set. Keep the one that you use.")
    chosen = _read_tools(tools)
    if url.strip():
        return McpServer(url=_check_url(url.strip()), tools=chosen)
    try:
        return McpServer(command=tuple(shlex.split(command)), tools=chosen)
    except ValueError as error:
        raise BadSetting(f"{_COMMAND} cannot be split into words: a quotation mark is missing.") from error


def _check_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_local = parts.hostname in _LOOPBACK
        is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_local)
    except ValueError:
        is_safe = False
    else:
        is_safe = is_safe and bool(parts.hostname) and parts.username is None
    if not is_safe:
        raise BadSetting(f"{_URL} must start with https://, or with http:// and name this machine; without a password.")
    return url


def _read_tools(text: str) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        role, _, tool = (part.strip() for part in pair.partition("="))
        if role not in ROLES or not tool:
            raise BadSetting(f"{_TOOLS} reads like create=TOOL,add=TOOL,read=TOOL; “{pair}” does not.")
        chosen[role] = tool
    return chosen
