"""A search engine's host on loopback: answers byte for byte what a test tells it, and remembers what was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Answer:
    """One reply. `promised` is a Content-Length that differs from what is sent before the connection is cut."""

    body: bytes | Iterable[bytes] = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    promised: int | None = None
    wait_seconds: float = 0
    is_silent: bool = False
    """Close the connection without a word."""


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    fields: dict[str, str]
    headers: dict[str, str]


def page(html: str, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(html.encode(), status, {"Content-Type": "text/html; charset=UTF-8"} | named)


def data(value: object, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(json.dumps(value).encode(), status, {"Content-Type": "application/json"} | named)


class EngineServer:
    """Gives `answers` in turn and the last one for ever; `paths` win over them."""

    def __init__(self) -> None:
        self.port = 0
        self.answers: list[Answer] = [Answer(status=500)]
        self.paths: dict[str, Answer] = {}
        self.asked: list[Asked] = []

    def url(self, path: str = "/html/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def will(self, *answers: Answer) -> None:
        self.answers = list(answers)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = await _read_request(reader)
            self.asked.append(asked)
            turn = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            await _write_answer(writer, self.paths.get(asked.path, turn))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has had enough, as some tests want
        finally:
            writer.close()


@asynccontextmanager
async def engine_server() -> AsyncIterator[EngineServer]:
    server = EngineServer()
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


async def _read_request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Asked(method, parts.path, dict(parse_qsl(parts.query) + parse_qsl(body.decode())), headers)


async def _write_answer(writer: asyncio.StreamWriter, answer: Answer) -> None:
    await asyncio.sleep(answer.wait_seconds)
    if answer.is_silent:
        return
    lines = [f"HTTP/1.1 {answer.status} Whatever", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    chunks = [answer.body] if isinstance(answer.body, bytes) else answer.body
    if isinstance(answer.body, bytes):
        lines.append(f"Content-Length: {answer.promised or len(answer.body)}")
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    for chunk in chunks:
        writer.write(chunk)
        await writer.drain()
