"""Asynchronous fakes for browser tests, which are not: each runs on a loop of its own, in a thread."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

Part = TypeVar("Part")


@contextmanager
def in_background(part: AbstractAsyncContextManager[Part]) -> Generator[Part]:
    """Enter `part` in a thread, and leave it there when the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def enter() -> Part:
        return await part.__aenter__()

    async def leave() -> None:
        await part.__aexit__(None, None, None)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    try:
        yield asyncio.run_coroutine_threadsafe(enter(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(leave(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
