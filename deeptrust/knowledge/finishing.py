"""Work that must come to its end although whoever waits for it is cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


async def finish(work: Coroutine[Any, Any, Result]) -> Result:
    """Await `work` to its end and return what it returns; a cancellation, or several, waits until then.

    A file that is being opened, closed or deleted in a thread goes on when its task is cancelled: whoever touched the
    file next would meet it half-way.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled:
        task.exception()  # to be read, or asyncio prints it
        raise cancelled
    return task.result()
