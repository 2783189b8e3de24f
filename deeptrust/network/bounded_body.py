"""What a server may send before it has to come to a point: clients gather a line, or an event, without a limit."""

from collections.abc import AsyncIterator
from typing import Any, Protocol

import httpx
import httpx2

from deeptrust.errors import ModelUnavailable
from deeptrust.network.address import show_address

MOST_BYTES = 8 << 20
"""Of one line, one event, or one body that is no stream; the longest real ones have some hundred kilobytes."""

_ENDS = {
    "application/x-ndjson": (b"\n",),
    "text/event-stream": (b"\n\n", b"\r\n\r\n", b"\r\r"),
}
"""What closes a piece of a stream; anything else is one piece."""


class _Response(Protocol):
    """A response of httpx, or of the fork of it that the openai client brings."""

    url: Any
    headers: Any
    stream: Any


async def bound_body(response: _Response) -> None:
    """Put a limit on what `response` will be read from; a hook for `event_hooks={"response": [bound_body]}`.

    What is compressed is not unpacked, for it may unpack to any size: clients here ask for plain bytes.
    """
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    response.headers.pop("content-encoding", None)
    response.stream = _BoundedBody(response.stream, _ENDS.get(kind, ()), show_address(str(response.url)))


class _BoundedBody(httpx.AsyncByteStream, httpx2.AsyncByteStream):
    """The bytes of `inside`, as long as each piece of them ends in time."""

    def __init__(self, inside: Any, ends: tuple[bytes, ...], address: str) -> None:
        self._inside = inside
        self._ends = ends
        self._address = address

    async def __aiter__(self) -> AsyncIterator[bytes]:
        open_bytes = 0
        async for block in self._inside:
            closed = max((block.rfind(end) for end in self._ends), default=-1)
            open_bytes = len(block) - closed if closed >= 0 else open_bytes + len(block)
            if open_bytes > MOST_BYTES:
                raise ModelUnavailable(
                    f"The server at {self._address} sends without end, so it was left. "
                    "Ask again, or choose another model."
                )
            yield block

    async def aclose(self) -> None:
        await self._inside.aclose()
