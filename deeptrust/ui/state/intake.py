"""Files on their way in: what background events of the Sources tab do, one file after the other."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import uuid4

import reflex as rx

from deeptrust.domain.document import IngestOutcome, IngestProgress
from deeptrust.errors import BadDocument, DeepTrustError, NotAdmitted, Stopped
from deeptrust.knowledge.locked import LockedFile, LockedFiles
from deeptrust.samples import sample_files
from deeptrust.services import current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.library_data import LibraryData
from deeptrust.ui.uploads import received
from deeptrust.ui.views import document as views
from deeptrust.ui.views.document import IntakeLine
from deeptrust.ui.views.text import safe_name

logger = logging.getLogger(__name__)

_LOST = "This file is no longer at hand. Add it again, then give its password."
_PUSH_SECONDS = 0.15
_intakes: set[asyncio.Task[IngestOutcome]] = set()

Take = Callable[[Callable[[IngestProgress], None]], Awaitable[IngestOutcome]]


def held_files() -> LockedFiles:
    """Files that wait for their password. No State holds them: it would be sent, or stored, with its page."""
    return current_services().shelf.pool.locked


async def add_files(state: LibraryData, chunks: rx.UploadChunkIterator) -> None:
    """Take in each file as soon as it has arrived, one after the other. Call from a background event."""
    settings = current_services().settings
    too_large = f"This file is larger than {settings.max_document_bytes // 2**20} MB. Split it, then add the parts."
    try:
        async for upload in received(chunks, settings):
            owner = owner_of(state)  # for each file: a sign-out in between ends the upload
            if upload.data is None:
                await _refuse(state, upload.name, too_large)
            else:
                await take_file(state, LockedFile(owner, upload.name, bytes(upload.data)))
    except NotAdmitted:
        return  # nothing is shown to who was signed out
    except BadDocument as refusal:
        await _refuse(state, "The rest of the upload", str(refusal))


async def _refuse(state: LibraryData, name: str, reason: str) -> None:
    async with state:
        state._put(views.refused(IntakeLine(key=str(uuid4()), name=safe_name(name)), reason))
        state.announcement = f"{safe_name(name)}: {reason}"


async def add_samples(state: LibraryData) -> None:
    """Take in the sample documents, one after the other. Call from a background event."""
    services = current_services()
    library = services.library(owner_of(state))
    for file in sample_files():
        data = file.read_bytes()
        await _take_in(state, file.name, lambda note, d=data, n=file.name: library.add_file(d, n, on_progress=note))


async def take_file(
    state: LibraryData, file: LockedFile, line: IntakeLine | None = None, password: str | None = None
) -> None:
    """Take in a file; one that turns out to be locked is held until its password is given."""
    library = current_services().library(file.owner)
    rest = await _take_in(
        state,
        file.name,
        lambda note: library.add_file(file.data, file.name, password=password, on_progress=note),
        line,
    )
    if rest and rest.is_locked:
        held_files().keep(rest.key, file)


async def unlock_file(state: LibraryData, line: IntakeLine, owner: str, password: str) -> None:
    file = held_files().find(line.key, owner)
    if file is None:
        async with state:
            state._put(replace(views.refused(line, _LOST), is_locked=False))
        return
    held_files().drop(line.key)
    await take_file(state, file, views.reopened(line), password)


async def _take_in(state: LibraryData, name: str, take: Take, line: IntakeLine | None = None) -> IntakeLine | None:
    """Run one intake, showing its progress several times a second. Call from a background event.

    The intake is a task of its own: a page that goes away does not end it. Returns what stays to be said.
    """
    line = line or IntakeLine(key=str(uuid4()), name=safe_name(name))

    def note(progress: IngestProgress) -> None:
        nonlocal line
        line = views.progressed(line, progress)

    task = asyncio.ensure_future(take(note))
    _intakes.add(task)
    task.add_done_callback(_intakes.discard)
    while not task.done():
        async with state:
            state._put(line)
        await asyncio.wait({task}, timeout=_PUSH_SECONDS)
    return await _conclude(state, line, task)


async def _conclude(state: LibraryData, line: IntakeLine, task: "asyncio.Task[IngestOutcome]") -> IntakeLine | None:
    try:
        rest = views.concluded(line, task.result())
    except Stopped:
        rest = None
    except DeepTrustError as error:
        rest = views.refused(line, str(error))
    except Exception:  # an intake ends here; the next file must still have its turn
        logger.exception("intake failed")
        rest = views.refused(line, "Something went wrong inside DeepTrust while this file was read. The log says what.")
    async with state:
        if rest:
            state._put(rest)
        else:
            state._drop(line.key)
        state.announcement = f"{line.name}: {rest.stage}" if rest else f"{line.name}: done."
        await state._refresh()
    return rest
