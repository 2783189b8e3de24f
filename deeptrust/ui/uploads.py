"""Files as they arrive from the browser: put together piece by piece, counted, and never written to a folder."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import PurePosixPath

import reflex as rx

from deeptrust.errors import BadDocument
from deeptrust.settings import Settings


@dataclass
class Upload:
    """One received file. `data` is None when it was larger than allowed; its bytes were then let go."""

    name: str
    data: bytearray | None


async def received(chunks: rx.UploadChunkIterator, settings: Settings) -> AsyncIterator[Upload]:
    """Yield each file once it is complete, so that one file at most is held in memory.

    The browser's own limit is only a courtesy; files and bytes are counted here, while they come. A name may carry
    folders: only its last part is kept.

    Raises:
        BadDocument: there is more than one upload may have; the files that were yielded are whole.
    """
    upload: Upload | None = None
    files = total = 0
    async for chunk in chunks:
        if chunk.offset == 0:
            if upload:
                yield upload
            files += 1
            upload = Upload(name=PurePosixPath(chunk.filename).name, data=bytearray())
        total += len(chunk.data)
        if files > settings.max_files_per_upload or total > settings.max_bytes_per_upload:
            raise BadDocument(settings.upload_limit)
        if upload and upload.data is not None:
            upload.data += chunk.data
            if len(upload.data) > settings.max_document_bytes:
                upload.data = None
    if upload:
        yield upload
