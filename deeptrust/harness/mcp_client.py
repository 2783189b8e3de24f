"""A conversation with an MCP server: start or reach it, use it, leave no process behind. The only file of the SDK."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import httpx2
from pydantic import ValidationError

from deeptrust.errors import HarnessUnavailable
from deeptrust.harness.mcp_reply import explain_failure, read_reply
from deeptrust.harness.mcp_server import McpServer
from deeptrust.harness.mcp_tools import Tool

if TYPE_CHECKING:
    from mcp.client import Client

READ_SECONDS = 30.0
"""Longest wait for one answer of a server (LLM-22)."""

_BROKEN_PROTOCOL = (ValidationError, RuntimeError)
"""What the SDK raises for an answer that is not MCP, or not what the server's own schema promises."""
_PAGES = 20
Result = TypeVar("Result")


class Conversation:
    """An open connection; valid inside the `work` of `converse` only."""

    def __init__(self, server: McpServer, client: "Client") -> None:
        self.server = server
        self._client = client

    async def tools(self) -> list[Tool]:
        """Return the tools that the server offers."""
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            found += [Tool.from_schema(tool.name, tool.input_schema) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool and return its answer as a dict.

        Raises:
            HarnessUnavailable: the tool failed, also where it says so in an answer that looks normal.
        """
        answer = await self._client.call_tool(tool, dict(arguments))
        texts = [text for text in (getattr(part, "text", None) for part in answer.content) if isinstance(text, str)]
        return read_reply(answer.structured_content, texts, is_error=bool(answer.is_error))


async def converse(
    server: McpServer,
    work: Callable[[Conversation], Awaitable[Result]],
    *,
    read_seconds: float = READ_SECONDS,
    total_seconds: float,
) -> Result:
    """Connect, do `work`, disconnect; the server's process has ended when this returns, raises or is cancelled.

    Raises:
        HarnessUnavailable: it does not start, ends early, stays silent for `read_seconds`, takes longer than
            `total_seconds` for everything, or `work` raised this.
    """
    scope = anyio.CancelScope()

    async def run() -> Result:
        with scope:
            return await _converse(server, work, read_seconds, total_seconds)
        raise asyncio.CancelledError

    # A task of its own: the SDK shields its clean-up from anyio's cancellation, but not from that of asyncio.
    running = asyncio.create_task(run())
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        scope.cancel()
        await asyncio.wait({running})
        raise


async def _converse(
    server: McpServer, work: Callable[[Conversation], Awaitable[Result]], read_seconds: float, total_seconds: float
) -> Result:
    from mcp.shared.exceptions import MCPError  # late: see _connect

    try:
        with anyio.fail_after(total_seconds):
            async with _connect(server, read_seconds) as client:
                return await work(Conversation(server, client))
    except TimeoutError as error:
        raise _silent(server, total_seconds) from error
    except (MCPError, OSError, httpx2.HTTPError, *_BROKEN_PROTOCOL, ExceptionGroup) as error:
        raise _translate(error, server, read_seconds) from error


@asynccontextmanager
async def _connect(server: McpServer, read_seconds: float) -> AsyncGenerator["Client", None]:
    # Imported late: it brings a web server with it, which costs a second that only a configured server should cost.
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    if server.url:
        async with Client(server.url, read_timeout_seconds=read_seconds) as client:
            yield client
        return
    program, *arguments = server.command
    with Path(os.devnull).open("w") as nowhere:  # noqa: ASYNC230 - it never blocks
        process = stdio_client(StdioServerParameters(command=program, args=arguments), errlog=nowhere)
        async with Client(process, read_timeout_seconds=read_seconds) as client:
            yield client


def _translate(error: Exception, server: McpServer, read_seconds: float) -> Exception:
    """Return our sentence for what went wrong; what is not the server's doing comes back as it is."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

    match error:
        case ExceptionGroup():
            return _translate(error.exceptions[0], server, read_seconds)
        case MCPError(code=code) if code == REQUEST_TIMEOUT:
            return _silent(server, read_seconds)
        case MCPError(code=code) if code != CONNECTION_CLOSED:
            return explain_failure(error.message)
        case FileNotFoundError() | PermissionError():
            return HarnessUnavailable(
                f"{server.name} cannot be started. Install it, or mend its command in the settings."
            )
        case MCPError() | OSError() | httpx2.HTTPError():
            return HarnessUnavailable(f"{server.name} cannot be reached, or ended before it answered. {_fix(server)}")
        case _ if isinstance(error, _BROKEN_PROTOCOL):
            return HarnessUnavailable(f"{server.name} answers in a way that is not MCP. Update it, or use another one.")
        case _:
            return error


def _silent(server: McpServer, seconds: float) -> HarnessUnavailable:
    return HarnessUnavailable(f"{server.name} did not answer within {seconds:g} seconds. {_fix(server)}")


def _fix(server: McpServer) -> str:
    if server.url:
        return "Check that it runs at the address in DEEPTRUST_NOTEBOOKLM_MCP_URL, then try again."
    return "Run its command in a terminal to see what it says, then try again."
