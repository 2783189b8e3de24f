"""Grounded research over one job: list, ingest, ask. What a person can mend comes back as a sentence."""

from deeptrust.domain.answer import AnswerDetail, GroundedAnswer
from deeptrust.domain.study import PrepPack
from deeptrust.errors import BadInput, Conflict, DeepTrustError, NotFound, Unavailable
from deeptrust.harness.base import ResearchHarness, Trace
from deeptrust.harness.ingest import IngestReport, PackStatus, job_collection
from deeptrust.harness.place import OutsideHarness
from deeptrust.harness.selector import HarnessChoice, HarnessSelector

SOFT = (BadInput, Conflict, NotFound, Unavailable)
"""What ends as a sentence in an answer or report; anything else is a fault of ours."""


class Research:
    """The use cases over all harnesses; pages, HTTP and command line call these."""

    def __init__(self, selector: HarnessSelector) -> None:
        """Take over `selector`; `close` closes it."""
        self._selector = selector

    async def choices(self) -> list[HarnessChoice]:
        """Return the harnesses with their availability, within two seconds."""
        return await self._selector.choices()

    async def ingest(
        self, owner: str, pack: PrepPack, harness_id: str | None = None, confirmation: str | None = None
    ) -> IngestReport:
        """Give a job's pack to a harness (the default one without an id); a failure is told in the report."""
        try:
            harness = await self._choose(harness_id)
        except NotFound as error:
            return failed_report(harness_id or "", error)
        try:
            return await harness.ingest(owner, pack, confirmation)
        except SOFT as error:
            if isinstance(error, Unavailable):
                self._selector.note_failure(harness, str(error))
            return failed_report(harness.id, error)

    async def ask(
        self, owner: str, job_id: str, question: str, harness_id: str | None = None, trace: Trace | None = None
    ) -> AnswerDetail:
        """Ask a harness about a job (the default one without an id); a failure is told in the guidance."""
        try:
            harness = await self._choose(harness_id)
        except NotFound as error:
            return failed_answer(error)
        try:
            detail = await harness.ask(owner, job_collection(job_id), question, trace)
        except Unavailable as error:
            self._selector.note_failure(harness, str(error))
            return failed_answer(error, "Asking is unavailable now.")
        except SOFT as error:
            return failed_answer(error)
        return detail if harness.answers_here else await self._warn(harness, detail)

    async def forget(self, owner: str, job_id: str) -> None:
        """Drop what the harnesses keep of a job that is being deleted; what was published elsewhere stays there.

        Raises:
            StoreUnavailable: not everything was dropped; it may be repeated.
        """
        for harness in self._selector.harnesses:
            await harness.forget(owner, job_collection(job_id))

    async def remember(self, owner: str, job_id: str, harness_id: str, link: str) -> str:
        """Keep the address of the notebook or project that the person made of this job's pack, and return it.

        Raises:
            BadInput: it is not an address of that tool, or the harness needs none.
            NotFound: there is no such harness.
        """
        harness = self._selector.find(harness_id)
        if not isinstance(harness, OutsideHarness):
            raise BadInput(f"{harness.display_name} needs no address.")
        return await harness.remember(owner, job_id, link)

    async def default_id(self) -> str:
        """Return the id of the harness that is taken when nobody chooses."""
        return (await self._selector.default()).id

    async def close(self) -> None:
        """Stop what goes on in the background."""
        await self._selector.close()

    async def _choose(self, harness_id: str | None) -> ResearchHarness:
        return self._selector.find(harness_id) if harness_id else await self._selector.default()

    async def _warn(self, harness: ResearchHarness, detail: AnswerDetail) -> AnswerDetail:
        """Say in the guidance if the way to the other tool is closed just now."""
        availability = await self._selector.check(harness)
        if availability.is_available:
            return detail
        guidance = f"{detail.answer.guidance or ''} {harness.display_name} is not available now: {availability.reason}"
        return detail.model_copy(update={"answer": detail.answer.model_copy(update={"guidance": guidance.strip()})})


def failed_report(harness_id: str, error: DeepTrustError) -> IngestReport:
    """Return a report of nothing, with the error's sentence."""
    return IngestReport(harness_id=harness_id, status=PackStatus.FAILED, message=str(error))


def failed_answer(error: DeepTrustError, text: str = "There is no answer to this.") -> AnswerDetail:
    """Return an answer that states nothing, with the error's sentence as guidance."""
    return AnswerDetail(answer=GroundedAnswer(text=text, grounded=False, guidance=str(error)))
