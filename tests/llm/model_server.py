"""Model servers on loopback, as Ollama and as OpenAI speak: they do what a test tells them and count what they sent.

Real HTTP over real sockets. A token is a word. Each request takes the next of `turns`; the last one is for ever.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from deeptrust.llm.tokens import fewest_tokens

_TOKEN = re.compile(r"\s*\S+|\s+")
MODEL = "fake:1b"


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Say:
    """A reply. `finish` is the server's own word for why it ended; None leaves the last message out."""

    text: str | Iterable[str]
    finish: str | None = "stop"
    token_seconds: float = 0
    prompt_seconds: float = 0
    prompt_tokens: int | None = None
    """What the server says that it read; None: all of it, in words, long ones count more; below 0: it does not say."""
    obeys: bool = True
    """Whether it keeps to the longest reply."""
    dies: bool = False
    """Cut the connection after the text."""
    apart: str = ""
    """Thinking that comes in a field of its own."""

    def tokens(self) -> Iterable[str]:
        return _TOKEN.findall(self.text) if isinstance(self.text, str) else self.text


@dataclass(frozen=True)
class Refuse:
    """An answer that is no reply."""

    status: int
    body: object = None
    headers: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Silence:
    """Take the connection and say nothing."""


@dataclass(frozen=True)
class Pour:
    """Begin a body and go on with `rest` for ever."""

    content_type: str
    opening: str
    rest: str
    pause_seconds: float = 0


Turn = Say | Refuse | Silence | Pour
ENDLESS = Say(repeat("the "), obeys=False, token_seconds=0.001)
HTML = Refuse(200, "<!doctype html><title>Welcome</title><p>It works!", {"Content-Type": "text/html"})


class ModelServer:
    """What both kinds share: connections, turns and counts. `url` is what a person would set."""

    path = ""

    def __init__(self) -> None:
        self.port = 0
        self.turns: list[Turn] = [Say("Hello there.")]
        self.asked: list[Asked] = []
        self.tokens_sent = 0
        self.bytes_poured = 0
        self.open_connections = 0
        self.answers: dict[str, Turn | object] = {}
        """By path: what is answered whatever turn it is."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"

    def will(self, *turns: Turn) -> None:
        self.turns = list(turns)

    def prompts(self) -> list[Asked]:
        """Requests for replies, in order."""
        return [asked for asked in self.asked if "messages" in asked.body]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open_connections += 1
        tasks: list[asyncio.Future[None]] = []
        try:
            asked = await _read_request(reader)
            self.asked.append(asked)
            tasks = [
                asyncio.ensure_future(self._answer(asked, writer)),
                asyncio.ensure_future(_wait_until_gone(reader)),
            ]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client has had enough, or the test has ended
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.open_connections -= 1
            writer.close()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        if asked.path in self.answers:
            fixed = self.answers[asked.path]
            turn = fixed if isinstance(fixed, Turn) else Refuse(200, fixed)
        elif "messages" in asked.body:
            turn = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        else:
            described = self.describe(asked)
            turn = described if isinstance(described, Refuse) else Refuse(200, described)
        if isinstance(turn, Silence):
            await asyncio.sleep(3600)
        elif isinstance(turn, Pour):
            await self._pour(turn, writer)
        elif isinstance(turn, Refuse):
            await _send_whole(writer, turn)
        else:
            await self._reply(asked, turn, writer)

    async def _reply(self, asked: Asked, turn: Say, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(turn.prompt_seconds)
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n")
        writer.write(f"Content-Type: {self.stream_type}\r\n\r\n".encode())
        read = sum(fewest_tokens(str(message.get("content", ""))) for message in asked.body["messages"])
        prompt_tokens = read if turn.prompt_tokens is None else turn.prompt_tokens
        longest = self.longest(asked.body) if turn.obeys else None
        made = 0
        finish = turn.finish
        for frame in self.begin(turn):
            await _send_chunk(writer, frame)
        for token in turn.tokens():
            if made == longest:
                finish = "length"
                break
            await asyncio.sleep(turn.token_seconds)
            await _send_chunk(writer, self.piece(token))
            made += 1
            self.tokens_sent += 1
        if turn.dies:
            return
        if finish is not None:
            for frame in self.end(finish, prompt_tokens, made):
                await _send_chunk(writer, frame)
        await _send_chunk(writer, b"")

    async def _pour(self, turn: Pour, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n")
        writer.write(f"Content-Type: {turn.content_type}\r\n\r\n".encode())
        await _send_chunk(writer, turn.opening.encode())
        rest = turn.rest.encode()
        while True:
            await _send_chunk(writer, rest)
            await asyncio.sleep(turn.pause_seconds)
            self.bytes_poured += len(rest)

    stream_type = ""

    def describe(self, asked: Asked) -> object:
        """What is answered to a request that asks for no reply."""
        raise NotImplementedError

    def longest(self, body: dict[str, Any]) -> int:
        raise NotImplementedError

    def begin(self, turn: Say) -> Sequence[bytes]:
        raise NotImplementedError

    def piece(self, token: str) -> bytes:
        raise NotImplementedError

    def end(self, finish: str, prompt_tokens: int, made: int) -> Sequence[bytes]:
        raise NotImplementedError


class FakeOllama(ModelServer):
    """`/api/tags`, `/api/show`, `/api/chat`; lines of JSON."""

    stream_type = "application/x-ndjson"

    def __init__(self) -> None:
        super().__init__()
        self.context_length = 40_960
        self.names = [MODEL]
        self.refused_to_show: set[str] = set()
        self.remote_host = ""
        self.digest = "0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f"

    def will_pull(self, *lines: dict[str, object]) -> None:
        """Answer a pull with these lines."""
        self.answers["/api/pull"] = Refuse(200, "\n".join(map(json.dumps, lines)))

    def describe(self, asked: Asked) -> object:
        if asked.path == "/api/tags":
            details = {"parameter_size": "1.2B", "family": "llama"}
            sizes: dict[str, object] = {"size": 1_300_000_000, "details": details}
            if self.remote_host:
                sizes["remote_host"] = self.remote_host
            return {"models": [{"model": name, "digest": self.digest, **sizes} for name in self.names]}
        if asked.body["model"] in self.refused_to_show:
            return Refuse(500, {"error": "the manifest is damaged"})
        capabilities = ["embedding"] if "embed" in asked.body["model"] else ["completion"]
        return {"model_info": {"llama.context_length": self.context_length}, "capabilities": capabilities}

    def longest(self, body: dict[str, Any]) -> int:
        return body["options"]["num_predict"]

    def begin(self, turn: Say) -> Sequence[bytes]:
        return [_line({"message": {"role": "assistant", "content": "", "thinking": turn.apart}, "done": False})]

    def piece(self, token: str) -> bytes:
        return _line({"message": {"role": "assistant", "content": token}, "done": False})

    def end(self, finish: str, prompt_tokens: int, made: int) -> Sequence[bytes]:
        last = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": finish}
        counts = {"prompt_eval_count": prompt_tokens, "eval_count": made} if prompt_tokens >= 0 else {}
        return [_line(last | counts)]


class FakeOpenAi(ModelServer):
    """`/v1/models` and `/v1/chat/completions`; server-sent events."""

    path = "/v1"
    stream_type = "text/event-stream"

    def __init__(self) -> None:
        super().__init__()
        self.names = [MODEL]

    def describe(self, asked: Asked) -> object:
        return {"object": "list", "data": [{"id": name, "object": "model", "created": 0} for name in self.names]}

    def longest(self, body: dict[str, Any]) -> int:
        return body.get("max_tokens") or body["max_completion_tokens"]

    def begin(self, turn: Say) -> Sequence[bytes]:
        delta: dict[str, object] = {"role": "assistant", "content": None}
        return [_event(delta | ({"reasoning_content": turn.apart} if turn.apart else {}))]

    def piece(self, token: str) -> bytes:
        return _event({"content": token})

    def end(self, finish: str, prompt_tokens: int, made: int) -> Sequence[bytes]:
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": made, "total_tokens": prompt_tokens + made}
        counted = [_data({"choices": [], "usage": usage})] if prompt_tokens >= 0 else []
        return [_event({}, finish), *counted, b"data: [DONE]\n\n"]


@asynccontextmanager
async def serving(server: ModelServer) -> AsyncIterator[None]:
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield
    finally:
        listener.close()


async def settled(read: Callable[[], int], pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> int:
    """A count once it stands still."""
    count = -1
    while count != read():
        count = read()
        await pause(0.3)
    return count


async def _wait_until_gone(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        await reader.read()


async def _read_request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, target.partition("?")[0], headers, json.loads(body) if body else {})


async def _send_whole(writer: asyncio.StreamWriter, answer: Refuse) -> None:
    is_text = isinstance(answer.body, str)
    body = str(answer.body).encode() if is_text else json.dumps(answer.body).encode()
    headers = {"Content-Type": "application/json"} | answer.headers
    lines = [f"HTTP/1.1 {answer.status} Whatever", "Connection: close", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
    await writer.drain()


async def _send_chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _data(value: dict[str, object]) -> bytes:
    frame = {"id": "1", "object": "chat.completion.chunk", "model": MODEL} | value
    return b"data: " + json.dumps(frame).encode() + b"\n\n"


def _event(delta: dict[str, object], finish: str | None = None) -> bytes:
    return _data({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
