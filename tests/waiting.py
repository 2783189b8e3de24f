"""Waiting for what must come, however slow the machine is."""

import asyncio
import time
from collections.abc import Callable

PATIENCE_SECONDS = 120
"""A ceiling that only ends a test that hangs: no test waits for it where all is well, and none measures by it."""

LONG_SECONDS = 900
"""The same for a program that does much: builds the page, is killed again and again, or does a whole flow."""


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until it is so, and let the loop work meanwhile.

    Raises:
        TimeoutError: it is not so after `PATIENCE_SECONDS`.
    """
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not is_so():
            await asyncio.sleep(0.01)


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait in a test without a loop until it is so.

    Raises:
        TimeoutError: it is not so after `PATIENCE_SECONDS`.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)
