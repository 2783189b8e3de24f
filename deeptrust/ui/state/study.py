"""The list of jobs, and adding one."""

import asyncio
import logging
from collections.abc import Sequence

import reflex as rx

from deeptrust.domain.study import Job
from deeptrust.errors import DeepTrustError
from deeptrust.services import Services, current_services
from deeptrust.study.gaps import find_gaps
from deeptrust.ui.addresses import job_address
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.study_files import fill_box
from deeptrust.ui.views.study import JobLine, job_line

logger = logging.getLogger(__name__)

PAGE_SIZE = 30
POSTING = "posting"
RESUME = "resume"
_FAULT = "Something went wrong inside DeepTrust while the posting was read. The log says what; nothing was added."


class StudyState(rx.State):
    """What the Study page holds; the jobs themselves are the service's."""

    jobs: list[JobLine] = []
    total: int = 0
    is_loaded: bool = False
    problem: str = ""
    form_problem: str = ""
    reading: str = ""
    is_adding: bool = False
    doomed: str = ""
    announcement: str = ""
    _shown: int = PAGE_SIZE

    @rx.event
    async def refresh(self):
        self.form_problem, self.reading, self.is_adding = "", "", False
        await self._refresh()

    @rx.event
    async def show_more(self):
        self._shown += PAGE_SIZE
        await self._refresh()

    @rx.event(background=True)
    async def fill_posting(self, chunks: rx.UploadChunkIterator):
        """Put the text of a dropped file into the box, where it can be looked at before it is added."""
        return await fill_box(self, chunks, POSTING)

    @rx.event(background=True)
    async def fill_resume(self, chunks: rx.UploadChunkIterator):
        return await fill_box(self, chunks, RESUME)

    @rx.event
    def add(self, posting: str, resume: str):
        """Add what stands in the boxes; `carry_out` does it, so that the page can say so meanwhile."""
        if self.is_adding:
            return None
        self.is_adding, self.form_problem = True, ""
        self.announcement = "Reading the posting"
        return StudyState.carry_out(str(posting), str(resume))

    @rx.event(background=True)
    async def carry_out(self, posting: str, resume: str):
        """Add the job and go to its page."""
        return await _add(self, str(posting), str(resume))

    @rx.event
    def ask_to_remove(self, job_id: str):
        self.doomed = "" if self.doomed == job_id else str(job_id)

    @rx.event
    async def remove(self):
        """Delete the job whose deletion was just confirmed, and what the harnesses keep of it."""
        try:
            await _remove(current_services(), owner_of(self), self.doomed)
            self.announcement = "Job deleted."
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)
            return
        self.doomed = ""
        await self._refresh()

    async def _refresh(self):
        services = current_services()
        try:
            jobs = await services.study.jobs(owner_of(self))
            self.jobs = await asyncio.to_thread(_lines, jobs[: self._shown])
        except DeepTrustError as error:
            self.problem, self.is_loaded = str(error), True
            return
        self.problem, self.is_loaded, self.total = "", True, len(jobs)


def _lines(jobs: Sequence[Job]) -> list[JobLine]:
    return [job_line(job, find_gaps(job.facts, job.resume)) for job in jobs]


async def _remove(services: Services, owner: str, job_id: str) -> None:
    await services.study.find(owner, job_id)
    await services.harnesses.forget(owner, job_id)  # first: a job that is gone could not be told to forget again
    await services.study.delete(owner, job_id)


async def _add(state: StudyState, posting: str, resume: str):
    services, job, problem = current_services(), None, ""
    try:
        job = await services.study.add(owner_of(state), posting, resume or None)
    except DeepTrustError as error:
        problem = str(error)
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("a job could not be added")
        problem = _FAULT
    async with state:
        state.is_adding, state.form_problem, state.announcement = False, problem, problem or "Job added."
    if job is None:
        return None
    return [rx.set_value(POSTING, ""), rx.set_value(RESUME, ""), rx.redirect(job_address(job.id))]
