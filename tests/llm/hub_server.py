"""A hub on loopback that speaks the protocol of huggingface.co: `resolve` redirects to a storage on another port."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from deeptrust.llm.hub import HubFile

REVISION = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "Maker/Model-GGUF"
_BLOCK = 16_384


@dataclass(frozen=True)
class Asked:
    """One request: which of the two servers, its path, and its headers in lower case."""

    place: str
    path: str
    headers: dict[str, str]


@dataclass
class HubServer:
    """What it holds, and how it misbehaves. Counters of failures run down to 0."""

    content: bytes
    name: str = "model.gguf"
    token: str = ""
    cuts_after: list[int] = field(default_factory=list[int])
    """Bytes after which the storage cuts the connection, request by request."""
    busy: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    """Headers of answers with 429, request by request."""
    failures: int = 0
    """Answers with 503."""
    has_ranges: bool = True
    is_page: bool = False
    """Answers with a web page, as a captive portal does."""
    announced_sha256: str = ""
    block_seconds: float = 0
    asked: list[Asked] = field(default_factory=list[Asked])
    hub_port: int = 0
    storage_port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.hub_port}"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def file(self) -> HubFile:
        return HubFile(REPOSITORY, REVISION, self.name, len(self.content), self.sha256)

    def ranges(self) -> list[str]:
        """The Range header of each request to the storage; empty where none was sent."""
        return [asked.headers.get("range", "") for asked in self.asked if asked.place == "storage"]

    async def serve_hub(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await self._read("hub", reader)
        if self.failures:
            self.failures -= 1
            await _answer(writer, 503)
        elif self.busy:
            await _answer(writer, 429, self.busy.pop(0))
        elif self.token and asked.headers.get("authorization") != f"Bearer {self.token}":
            await _answer(writer, 401)
        elif asked.path != f"/{REPOSITORY}/resolve/{REVISION}/{self.name}":
            await _answer(writer, 404)
        elif self.is_page:
            await _answer(writer, 200, {"Content-Type": "text/html; charset=utf-8"}, b"<html>Please log in</html>")
        else:
            await _answer(
                writer,
                302,
                {
                    "Location": f"http://localhost:{self.storage_port}/blob?signature={len(self.asked)}",
                    "X-Linked-Etag": f'"{self.announced_sha256 or self.sha256}"',
                    "X-Linked-Size": str(len(self.content)),
                },
            )

    async def serve_storage(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await self._read("storage", reader)
        etag = f'"{self.sha256[:16]}"'
        wanted = asked.headers.get("range", "")
        start = 0
        if wanted and self.has_ranges and asked.headers.get("if-range", etag) == etag:
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
        headers = {"ETag": etag, "Content-Length": str(len(self.content) - start)}
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(self.content) - 1}/{len(self.content)}"
        end = start + self.cuts_after.pop(0) if self.cuts_after else len(self.content)
        try:
            writer.write(_head(206 if start else 200, headers))
            for at in range(start, min(end, len(self.content)), _BLOCK):
                writer.write(self.content[at : min(at + _BLOCK, end)])
                await writer.drain()
                if self.block_seconds:
                    await asyncio.sleep(self.block_seconds)
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def _read(self, place: str, reader: asyncio.StreamReader) -> Asked:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.asked.append(Asked(place, first.split(" ")[1], headers))
        return self.asked[-1]


@asynccontextmanager
async def run_hub(server: HubServer) -> AsyncIterator[HubServer]:
    """Serve on two free ports until the block ends."""
    hub = await asyncio.start_server(server.serve_hub, "127.0.0.1", 0)
    storage = await asyncio.start_server(server.serve_storage, "127.0.0.1", 0)
    server.hub_port = hub.sockets[0].getsockname()[1]
    server.storage_port = storage.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        hub.close()
        storage.close()


async def _answer(
    writer: asyncio.StreamWriter, status: int, headers: dict[str, str] | None = None, body: bytes = b""
) -> None:
    writer.write(_head(status, {"Content-Length": str(len(body))} | (headers or {})) + body)
    await writer.drain()
    writer.close()


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{key}: {value}" for key, value in headers.items())]
    return ("\r\n".join([*lines, "Connection: close"]) + "\r\n\r\n").encode("ascii")
