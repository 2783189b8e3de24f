"""One job: its facts, gaps and pack, each as it is and as it is being edited."""

import asyncio
from datetime import datetime

import reflex as rx

from deeptrust.domain.study import GapStatus, Job
from deeptrust.errors import DeepTrustError, NotFound
from deeptrust.services import current_services
from deeptrust.study.export import zip_pack
from deeptrust.study.gaps import find_gaps
from deeptrust.ui.addresses import job_of
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.study_files import fill_box
from deeptrust.ui.views import study as views
from deeptrust.ui.views.answer import to_markdown
from deeptrust.ui.views.study import GapLine, PackTab
from deeptrust.ui.views.study_edit import parse_edit
from deeptrust.ui.views.study_facts import FactLine, fact_lines
from deeptrust.ui.views.text import day

LOADING = "loading"
READY = "ready"
UNKNOWN = "unknown"
FAILED = "failed"
RESUME = "job-resume"
"""The text box for another resume."""


class JobState(rx.State):
    """The job of the open page. Of the pack only the document that is shown is sent to the browser."""

    phase: str = LOADING
    problem: str = ""
    title: str = ""
    company: str = ""
    added: str = ""
    facts: list[FactLine] = []
    stated: int = 0
    editing: str = ""
    edit_problem: str = ""
    has_resume: bool = False
    is_changing_resume: bool = False
    resume: str = ""
    gaps: list[GapLine] = []
    missing: int = 0
    partly: int = 0
    met: int = 0
    tabs: list[PackTab] = []
    tab: str = ""
    document: str = ""
    is_own: bool = False
    source: str = ""
    is_writing: bool = False
    pack_problem: str = ""
    reading: str = ""
    form_problem: str = ""
    announcement: str = ""
    _job: str = ""
    _seen: datetime | None = None

    @rx.event
    async def open_page(self):
        """Show the job that the address names."""
        job_id = job_of(self.router.url.path)
        if job_id != self._job:
            self.phase, self.tab = LOADING, ""
        self._job = job_id
        self._leave_editors()
        yield
        await self._load()

    @rx.event
    def edit(self, name: str):
        """Open the editor of one field; no name closes it."""
        self.editing, self.edit_problem = str(name), ""
        return rx.set_focus("fact-text") if name else None

    @rx.event
    async def save_fact(self, text: str):
        """Save the field that is being edited."""
        services = current_services()
        try:
            job = await services.study.find(owner_of(self), self._job)
            edit = parse_edit(self.editing, str(text), job.facts)
            await self._show(await services.study.edit(owner_of(self), self._job, edit, self._seen))
        except DeepTrustError as error:
            self.edit_problem = self.announcement = str(error)
            return
        self.editing, self.edit_problem, self.announcement = "", "", "Saved."

    @rx.event
    async def change_resume(self):
        """Open the box with the resume as it is, or close it; only an open box holds it in the browser."""
        services, self.form_problem, self.resume = current_services(), "", ""
        try:
            if not self.is_changing_resume:
                job = await services.study.find(owner_of(self), self._job)
                await self._show(job)
                self.resume = job.resume or ""
        except DeepTrustError as error:
            self.form_problem = self.announcement = str(error)
        self.is_changing_resume = not self.is_changing_resume

    @rx.event(background=True)
    async def fill_resume(self, chunks: rx.UploadChunkIterator):
        return await fill_box(self, chunks, RESUME)

    @rx.event
    async def save_resume(self, text: str):
        """Compare with this resume from now on; an empty one removes it."""
        services = current_services()
        try:
            await self._show(await services.study.set_resume(owner_of(self), self._job, str(text) or None, self._seen))
        except DeepTrustError as error:
            self.form_problem = self.announcement = str(error)
            return
        self.is_changing_resume, self.form_problem, self.resume = False, "", ""
        self.announcement = "Resume compared." if self.has_resume else "Resume removed."

    @rx.event
    async def open_tab(self, name: str):
        self.tab, self.is_writing, self.pack_problem = str(name), False, ""
        await self._load()

    @rx.event
    def write(self):
        """Open or close the editor of the document."""
        self.is_writing, self.pack_problem = not self.is_writing, ""

    @rx.event
    async def save_document(self, text: str):
        await self._write_document(str(text), "Saved.")

    @rx.event
    async def reset_document(self):
        await self._write_document(None, "Built anew from the posting.")

    @rx.event
    async def download_pack(self):
        services = current_services()
        try:
            job = await services.study.find(owner_of(self), self._job)
            archive = zip_pack(await services.study.pack(owner_of(self), self._job))
        except DeepTrustError as error:
            self.pack_problem = self.announcement = str(error)
            return None
        return rx.download(data=archive, filename=views.zip_name(job))

    async def _write_document(self, text: str | None, word: str):
        services = current_services()
        try:
            await self._show(await services.study.write_document(owner_of(self), self._job, self.tab, text, self._seen))
        except DeepTrustError as error:
            self.pack_problem = self.announcement = str(error)
            return
        self.is_writing, self.pack_problem, self.announcement = False, "", word

    async def _load(self):
        services = current_services()
        try:
            await self._show(await services.study.find(owner_of(self), self._job))
            self.phase, self.problem = READY, ""
        except NotFound:
            self.phase = UNKNOWN
        except DeepTrustError as error:
            self.phase, self.problem = FAILED, str(error)

    async def _show(self, job: Job):
        gaps = await asyncio.to_thread(find_gaps, job.facts, job.resume)
        counts = views.count_gaps(gaps)
        self._seen = job.updated_at
        self.title, self.company = views.job_title(job), views.job_company(job)
        self.added = f"added {day(job.created_at)}"
        self.facts = fact_lines(job.facts)
        self.stated = sum(bool(line.stated) for line in self.facts)
        self.has_resume, self.gaps = bool(job.resume), views.gap_lines(gaps)
        self.missing, self.partly = counts[GapStatus.MISSING], counts[GapStatus.PARTLY]
        self.met = counts[GapStatus.MET]
        await self._show_pack(job)

    async def _show_pack(self, job: Job):
        services = current_services()
        pack = await services.study.pack(owner_of(self), job.id)
        shown = next((one for one in pack.documents if one.name == self.tab), pack.documents[0])
        self.tabs, self.tab, self.is_own = views.pack_tabs(pack), shown.name, shown.is_own
        self.source, self.document = shown.markdown, to_markdown("", shown.markdown, ())

    def _leave_editors(self):
        self.editing, self.edit_problem, self.is_changing_resume, self.form_problem = "", "", False, ""
        self.resume = ""
        self.is_writing, self.pack_problem, self.reading = False, "", ""
