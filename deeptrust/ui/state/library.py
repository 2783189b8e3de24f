"""The Sources tab: adding documents, unlocking and stopping what is on its way in, removing."""

import contextlib
from collections.abc import Awaitable
from uuid import uuid4

import reflex as rx

from deeptrust.domain.document import IngestOutcome
from deeptrust.errors import DeepTrustError, NotFound
from deeptrust.services import current_services
from deeptrust.ui.forms import field_of
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.evidence import EvidenceState
from deeptrust.ui.state.intake import add_files, add_samples, held_files, unlock_file
from deeptrust.ui.state.library_data import PAGE_SIZE, LibraryData
from deeptrust.ui.views import document as views
from deeptrust.ui.views.document import IntakeLine

MAX_NOTE_CHARACTERS = 100_000
MAX_URL_CHARACTERS = 2_000
MAX_PASSWORD_CHARACTERS = 1_000


class LibraryState(LibraryData, rx.State):
    """What a person can do in the Sources tab."""

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
        await add_files(self, chunks)

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
        services, problem = current_services(), ""
        try:
            await services.library(owner_of(self)).remove(self.doomed)
        except DeepTrustError as error:
            problem = str(error)
        self.doomed = ""
        await self._refresh()
        await (await self.get_state(EvidenceState))._look_again()
        self.problem = self.problem or problem
        self.announcement = self.problem or "Document removed."

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
            await unlock_file(self, line, owner_of(self), password)

    @rx.event
    def dismiss(self, key: str):
        if held_files().find(str(key), owner_of(self)):
            held_files().drop(str(key))
        self._drop(key)

    async def _add(self, field: str, adding: Awaitable[IngestOutcome]):
        line = IntakeLine(key=str(uuid4()), name=field)
        try:
            rest = views.concluded(line, await adding)
        except DeepTrustError as error:
            rest = views.refused(line, str(error))
        self.form_problem = rest.stage if rest else ""
        await self._refresh()
        return None if rest else rx.set_value(field, "")
