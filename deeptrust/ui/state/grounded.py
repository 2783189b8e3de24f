"""The grounded research panel: choosing a harness, giving it the pack, asking it."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import reflex as rx

from deeptrust.domain.question import check_question
from deeptrust.errors import DeepTrustError
from deeptrust.harness.pack_files import write_zip
from deeptrust.services import current_services
from deeptrust.ui.addresses import job_of
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.grounded_data import GroundedData
from deeptrust.ui.state.grounded_work import answer_question, give, ingest_pack, remember
from deeptrust.ui.views import grounded as views
from deeptrust.ui.views.grounded import Reply

_MOST_REPLIES = 30
_SETTLE_SECONDS = 3.0
"""By then a harness that could not be looked at in time has been looked at (`selector.PATIENCE_SECONDS`)."""


class GroundedState(GroundedData, rx.State):
    """What a person can do in the panel of one job."""

    @rx.event
    async def open_page(self):
        """Show the panel of the job that the address names; another job begins anew."""
        job_id = job_of(self.router.url.path)
        if job_id != self._job:
            self._job, self.harness = job_id, None
            self._reset()
        await self._look()
        return None if all(chip.is_available for chip in self.choices) else GroundedState.look_later

    @rx.event
    async def look_again(self):
        await self._look()

    @rx.event(background=True)
    async def look_later(self):
        """Look once more: a server of the person's own may take longer to start than the page waits."""
        await asyncio.sleep(_SETTLE_SECONDS)
        async with self:
            await self._look()

    @rx.event
    async def choose(self, harness_id: str):
        """Switch to another harness: the panel begins anew."""
        if self.harness and self.harness.id == harness_id:
            return None
        had_field = self.pointer is not None
        self.harness = next((chip for chip in self.choices if chip.id == harness_id), self.harness)
        self._reset()
        await self._point()
        return rx.set_value("link", "") if had_field and self.pointer else None

    @rx.event
    def ingest(self):
        return self._begin_ingest("")

    @rx.event
    def confirm(self):
        """Say yes to exactly what the dialog names; the server checks that it is still the same."""
        token, self._token, self.confirmation = self._token, "", None
        return self._begin_ingest(token) if token else None

    @rx.event
    def decline(self):
        self._token, self.confirmation, self.ingested = "", None, None
        self.announcement = "Nothing was sent."
        return rx.set_focus("ingest")

    @rx.event(background=True)
    async def carry_ingest(self):
        """Give the pack to the chosen harness, with the yes that was just said if there was one."""
        await ingest_pack(self)

    @rx.event
    async def download_files(self):
        """Make the files that the chosen harness takes, and hand them to the browser."""
        try:
            report = await give(owner_of(self), self._job, self.harness.id if self.harness else "")
        except DeepTrustError as error:
            self.problem = self.announcement = str(error)
            return None
        return rx.download(data=write_zip(report.files), filename=f"{report.harness_id}-{self._job[:8]}.zip")

    @rx.event
    async def keep_link(self, form: dict):
        """Keep the address of the notebook or project that the person made."""
        try:
            await remember(
                owner_of(self), self._job, self.harness.id if self.harness else "", str(form.get("link", ""))[:600]
            )
        except DeepTrustError as error:
            self.link_problem = self.announcement = str(error)
            return None
        self.link_problem, self.announcement = "", "Address kept."
        await self._point()
        return rx.set_value("link", "")

    @rx.event
    def ask(self, question: str):
        """Ask what stands in the box; its bubble is there at once."""
        if self.is_busy or self.is_ingesting or not (self.harness and self.harness.answers_here):
            return None
        try:
            question = check_question(str(question), current_services().settings.max_question_characters)
        except DeepTrustError as error:
            self.question_problem = self.announcement = str(error)
            return None
        self.question_problem, self.is_busy, self.announcement = "", True, ""
        self.replies = [*self.replies[1 - _MOST_REPLIES :], Reply(key=uuid4().hex[:12], question=question)]
        return [rx.set_value("question", ""), GroundedState.carry_out]

    @rx.event
    def forget_problem(self):
        self.question_problem = ""

    @rx.event(background=True)
    async def carry_out(self):
        """Answer the question whose bubble is already there; the pack is taken in first where it is not yet."""
        await answer_question(self)

    @rx.event
    def stop(self):
        """Let go of the question; what asks it notices and ends."""
        if self.is_busy and self.replies:
            self._ticket += 1
            self.is_busy = False
            self.replies[-1] = replace(
                self.replies[-1], phase=views.STOPPED, message="Stopped before there was an answer."
            )
            self.announcement = "Stopped."

    async def _look(self):
        """Ask which harnesses there are; the first time, take the default one."""
        try:
            self.choices = [views.chip(choice) for choice in await current_services().harnesses.choices()]
            self.problem, self.is_loaded = "", True
        except DeepTrustError as error:
            self.problem, self.is_loaded = str(error), True
            return
        wanted = self.harness.id if self.harness else ""
        by_default = next((chip for chip in self.choices if chip.is_default), None)
        self.harness = next((chip for chip in self.choices if chip.id == wanted), by_default)
        await self._point()

    def _begin_ingest(self, token: str):
        if self.is_ingesting or self.is_busy or not self.harness:
            return None
        self._token, self.is_ingesting, self.ingested, self.confirmation = token, True, None, None
        self.announcement = "Handing over the pack"
        return GroundedState.carry_ingest
