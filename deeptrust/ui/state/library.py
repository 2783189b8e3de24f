"""The Sources tab: documents, and files on their way in."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import uuid4

import reflex as rx

from deeptrust.domain.document import IngestOutcome, IngestProgress
from deeptrust.errors import BadDocument, DeepTrustError, NotAdmitted, NotFound, Stopped
from deeptrust.knowledge.locked import LockedFile, LockedFiles
from deeptrust.samples import sample_files
from deeptrust.services import current_services
from deeptrust.ui.forms import field_of
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.uploads import received
from deeptrust.ui.views import document as views
from deeptrust.ui.views.document import DocumentLine, IntakeLine
from deeptrust.ui.views.text import safe_name

logger = logging.getLogger(__name__)

PAGE_SIZE = 50
MAX_NOTE_CHARACTERS = 100_000
MAX_URL_CHARACTERS = 2_000
MAX_PASSWORD_CHARACTERS = 1_000
_LOST = "This file is no longer at hand. Add it again, then give its password."
_PUSH_SECONDS = 0.15
_intakes: set[asyncio.Task[IngestOutcome]] = set()

Take = Callable[[Callable[[IngestProgress], None]], Awaitable[IngestOutcome]]


class LibraryState(rx.State):
    """What the Sources tab holds; the library itself is the service's."""

    documents: list[DocumentLine] = []
    total: int = 0
    summary: str = ""
    is_loaded: bool = False
    problem: str = ""
    form_problem: str = ""
    intake: list[IntakeLine] = []
    doomed: str = ""
    announcement: str = ""
    _shown: int = PAGE_SIZE

    @rx.event
    async def refresh(self):
        await self._refresh()

    @rx.event
    async def show_more(self):
        self._shown += PAGE_SIZE
        await self._refresh()

    @rx.event(background=True)
    async def add_files(self, chunks: rx.UploadChunkIterator):
        """Take in each file as soon as it has arrived, one after the other."""
        await _add_files(self, chunks)

    @rx.event(background=True)
    async def add_samples(self):
        await add_samples(self)

    @rx.event
    async def add_note(self, form: dict):
        text = str(form.get("note", ""))
        if len(text) > MAX_NOTE_CHARACTERS:
            self.form_problem = (
                f"A note may have {MAX_NOTE_CHARACTERS:,} characters. Save it as a text file and add that."
            )
            return None
        services = current_services()
        return await self._add("note", services.library(owner_of(self)).add_note(text))

    @rx.event
    async def add_url(self, form: dict):
        services = current_services()
        url = str(form.get("url", ""))[: MAX_URL_CHARACTERS + 1]
        return await self._add("url", services.library(owner_of(self)).add_url(url))

    @rx.event
    def ask_to_remove(self, document_id: str):
        self.doomed = "" if self.doomed == document_id else str(document_id)

    @rx.event
    async def remove(self):
        """Remove the document whose removal was just confirmed."""
        services = current_services()
        try:
            await services.library(owner_of(self)).remove(self.doomed)
            self.announcement = "Document removed."
        except DeepTrustError as error:
            self.problem = str(error)
        self.doomed = ""
        await self._refresh()

    @rx.event
    async def stop_intake(self, document_id: str):
        """Stop a file on its way in; nothing of it is kept."""
        services = current_services()
        with contextlib.suppress(NotFound):  # it ended in the same moment
            await services.library(owner_of(self)).remove(str(document_id))

    @rx.event(background=True)
    async def unlock(self, form: dict):
        """Try a password on a locked file; it goes to the reader of the file and nowhere else."""
        key, password = field_of(form, "key", 100), field_of(form, "password", MAX_PASSWORD_CHARACTERS)
        async with self:
            line = next((line for line in self.intake if line.key == key and line.is_locked), None)
        if line and password:
            await _unlock(self, line, owner_of(self), password)

    @rx.event
    def dismiss(self, key: str):
        if _locked().find(str(key), owner_of(self)):
            _locked().drop(str(key))
        self._drop(key)

    async def _refresh(self):
        services = current_services()
        try:
            documents = await services.library(owner_of(self)).documents()
        except DeepTrustError as error:
            self.problem, self.is_loaded = str(error), True
            return
        self.problem, self.is_loaded, self.total = "", True, len(documents)
        self.summary = views.library_summary(documents)
        self.documents = [views.document_line(document) for document in documents[::-1][: self._shown]]

    async def _add(self, field: str, adding: Awaitable[IngestOutcome]):
        line = IntakeLine(key=str(uuid4()), name=field)
        try:
            rest = views.concluded(line, await adding)
        except DeepTrustError as error:
            rest = views.refused(line, str(error))
        self.form_problem = rest.stage if rest else ""
        await self._refresh()
        return None if rest else rx.set_value(field, "")

    def _drop(self, key: str):
        self.intake = [line for line in self.intake if line.key != key]

    def _put(self, line: IntakeLine):
        keys = [old.key for old in self.intake]
        if line.key in keys:
            self.intake[keys.index(line.key)] = line
        else:
            self.intake = [*self.intake, line][-PAGE_SIZE:]


def _locked() -> LockedFiles:
    """Files that wait for their password. No State holds them: it would be sent, or stored, with its page."""
    return current_services().shelf.pool.locked


async def add_samples(state: LibraryState) -> None:
    """Take in the sample documents, one after the other. Call from a background event."""
    services = current_services()
    library = services.library(owner_of(state))
    for file in sample_files():
        data = file.read_bytes()
        await take_in(state, file.name, lambda note, d=data, n=file.name: library.add_file(d, n, on_progress=note))


async def _add_files(state: LibraryState, chunks: rx.UploadChunkIterator) -> None:
    settings = current_services().settings
    too_large = f"This file is larger than {settings.max_document_bytes // 2**20} MB. Split it, then add the parts."
    try:
        async for upload in received(chunks, settings):
            owner = owner_of(state)  # for each file: a sign-out in between ends the upload
            if upload.data is None:
                await _refuse(state, upload.name, too_large)
            else:
                await _take_file(state, LockedFile(owner, upload.name, bytes(upload.data)))
    except NotAdmitted:
        return  # nothing is shown to who was signed out
    except BadDocument as refusal:
        await _refuse(state, "The rest of the upload", str(refusal))


async def _refuse(state: LibraryState, name: str, reason: str) -> None:
    async with state:
        state._put(views.refused(IntakeLine(key=str(uuid4()), name=safe_name(name)), reason))
        state.announcement = f"{safe_name(name)}: {reason}"


async def _take_file(
    state: LibraryState, file: LockedFile, line: IntakeLine | None = None, password: str | None = None
) -> None:
    """Take in a file; one that turns out to be locked is held until its password is given."""
    library = current_services().library(file.owner)
    rest = await take_in(
        state,
        file.name,
        lambda note: library.add_file(file.data, file.name, password=password, on_progress=note),
        line,
    )
    if rest and rest.is_locked:
        _locked().keep(rest.key, file)


async def _unlock(state: LibraryState, line: IntakeLine, owner: str, password: str) -> None:
    file = _locked().find(line.key, owner)
    if file is None:
        async with state:
            state._put(replace(views.refused(line, _LOST), is_locked=False))
        return
    _locked().drop(line.key)
    await _take_file(state, file, views.reopened(line), password)


async def take_in(state: LibraryState, name: str, take: Take, line: IntakeLine | None = None) -> IntakeLine | None:
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


async def _conclude(state: LibraryState, line: IntakeLine, task: "asyncio.Task[IngestOutcome]") -> IntakeLine | None:
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
