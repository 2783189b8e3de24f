"""Files as they arrive from the browser: put together piece by piece, counted, and never written to a folder."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import PurePosixPath

import reflex as rx


@dataclass
class Upload:
    """One received file. `data` is None when it was larger than allowed; its bytes were then let go."""

    name: str
    data: bytearray | None


async def received(chunks: rx.UploadChunkIterator, max_bytes: int) -> AsyncIterator[Upload]:
    """Yield each file once it is complete, so that one file at most is held in memory.

    The browser's own limit is only a courtesy; the bytes are counted here. A name may carry folders: only
    its last part is kept.
    """
    upload: Upload | None = None
    async for chunk in chunks:
        if chunk.offset == 0:
            if upload:
                yield upload
            upload = Upload(name=PurePosixPath(chunk.filename).name, data=bytearray())
        if upload and upload.data is not None:
            upload.data += chunk.data
            if len(upload.data) > max_bytes:
                upload.data = None
    if upload:
        yield upload
