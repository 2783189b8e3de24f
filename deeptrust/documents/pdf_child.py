"""Runs the parsing child and hands on its frames; whatever happens to the child, the parent lives."""

import asyncio
import contextlib
import json
import os
import signal
import struct
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("pdf_worker.py")
OUTPUT_BYTES = 128 * 1024 * 1024
"""Most that a child may send: three times the text of the largest accepted document."""

_PASSED_ON = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

Frame = dict[str, Any]
"""One JSON object as `pdf_worker` describes it."""


class ChildDied(Exception):
    """The child ended before its last frame: by a signal, a limit or an interpreter crash."""


class ChildTooSlow(Exception):
    """The child used up its CPU time."""


class ChildTooLoud(Exception):
    """The child sent more text than a document can hold."""


async def parse(data: bytes, password: str | None, cpu_seconds: int, memory_bytes: int) -> AsyncGenerator[Frame, None]:
    """Yield the child's frames as they come, the last one with `end`. The child is gone when this generator closes.

    Raises:
        ChildDied: no `end` frame came.
        ChildTooSlow: no `end` frame came within `cpu_seconds` of work.
        ChildTooLoud: more than `OUTPUT_BYTES` came.
    """
    # Isolated mode, by path: no module of ours shadows one of the child's, and no secret of the environment is passed.
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-I", str(WORKER), stdin=PIPE, stdout=PIPE, stderr=DEVNULL,
        env={key: os.environ[key] for key in _PASSED_ON if key in os.environ},
    )  # fmt: skip
    order = {"password": password, "cpu_seconds": cpu_seconds, "memory_bytes": memory_bytes}
    feeding = asyncio.create_task(_feed(child, json.dumps(order).encode("ascii") + b"\n", data))
    try:
        async for frame in _frames(child):
            yield frame
    finally:
        feeding.cancel()
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()


async def _feed(child: Process, order: bytes, data: bytes) -> None:
    assert child.stdin is not None  # noqa: S101 - narrows the type of a pipe that was asked for
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        child.stdin.write(order)
        child.stdin.write(data)
        await child.stdin.drain()
        child.stdin.close()


async def _frames(child: Process) -> AsyncGenerator[Frame, None]:
    assert child.stdout is not None  # noqa: S101 - narrows the type of a pipe that was asked for
    received = 0
    while True:
        try:
            (length,) = struct.unpack(">I", await child.stdout.readexactly(4))
            received += length
            if received > OUTPUT_BYTES:
                raise ChildTooLoud
            frame = json.loads(await child.stdout.readexactly(length))
        except asyncio.IncompleteReadError as error:
            raise await _death(child) from error
        yield frame
        if "end" in frame:
            return


async def _death(child: Process) -> ChildDied | ChildTooSlow:
    code = await child.wait()
    return ChildTooSlow() if code == -getattr(signal, "SIGXCPU", 0) else ChildDied()
