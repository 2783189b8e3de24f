"""Files dropped on a Study page: their text goes into a box, to be looked at before it counts."""

import asyncio
from typing import Any

import reflex as rx

from deeptrust.documents.reader import FileReader
from deeptrust.errors import BadDocument, DeepTrustError
from deeptrust.services import current_services
from deeptrust.ui.postings import read_posting
from deeptrust.ui.uploads import Upload, received
from deeptrust.ui.views.text import safe_name

_PUSH_SECONDS = 0.15


async def fill_box(state: Any, chunks: rx.UploadChunkIterator, box: str):
    """Read the last of the files into the text box with the id `box`. Call from a background event.

    `state` has `reading`, which tells the progress, `form_problem` and `announcement`.
    """
    settings, text = current_services().settings, None
    try:
        async for upload in received(chunks, settings):
            text = await _read(state, upload, settings.max_document_bytes)
    except BadDocument as refusal:
        async with state:
            state.form_problem = state.announcement = str(refusal)
    return None if text is None else [rx.set_value(box, text), rx.set_focus(box)]


async def _read(state: Any, upload: Upload, limit: int) -> str | None:
    name, text, problem = safe_name(upload.name), None, ""
    try:
        text = await _follow(state, name, upload, limit)
    except DeepTrustError as error:
        problem = f"{name}: {error}"
    async with state:
        state.reading, state.form_problem = "", problem
        state.announcement = problem or f"{name} was read."
    return text


async def _follow(state: Any, name: str, upload: Upload, limit: int) -> str:
    """Read one file, showing how far it is several times a second."""
    stage = f"Reading {name}"

    def note(done: int, total: int) -> None:
        nonlocal stage
        stage = f"Reading {name}, page {done:,} of {total:,}"

    if upload.data is None:
        raise BadDocument(f"This file is larger than {limit // 2**20} MB. Paste the posting instead.")
    reading = asyncio.ensure_future(read_posting(bytes(upload.data), upload.name, FileReader(limit), note))
    while not reading.done():
        async with state:
            state.reading = stage
        await asyncio.wait({reading}, timeout=_PUSH_SECONDS)
    return reading.result()
