"""`/api/study`: grounded research over a job's prep pack, with any harness (H20-H22)."""

from typing import Annotated, Protocol

from fastapi import APIRouter, Depends, HTTPException, Request

from deeptrust.api.caller import Caller, holds_token
from deeptrust.domain.answer import GroundedAnswer
from deeptrust.domain.record import Record
from deeptrust.domain.study import PrepPack
from deeptrust.errors import NotFound
from deeptrust.harness.ingest import IngestReport
from deeptrust.harness.notebooklm_mcp import NotebookLmMcp
from deeptrust.harness.research import Research, failed_answer, failed_report
from deeptrust.harness.selector import HarnessChoice
from deeptrust.services import current_services

router = APIRouter(prefix="/api/study", tags=["study"])


class PackSource(Protocol):
    """Where a job's pack comes from."""

    async def pack(self, owner: str, job_id: str) -> PrepPack:
        """Return the pack.

        Raises:
            NotFound: the person has no such job.
        """
        ...


class StudyParts(Protocol):
    """What these routes need of the services."""

    @property
    def study(self) -> PackSource:
        """The jobs of everybody."""
        ...

    @property
    def harnesses(self) -> Research:
        """The harnesses."""
        ...


Parts = Annotated[StudyParts, Depends(current_services)]


class IngestBody(Record):
    """Which harness takes the pack (the default one without an id), and the yes that it may have asked for."""

    harness_id: str | None = None
    confirmation: str | None = None


class AskBody(Record):
    """A question, and which harness answers (the default one without an id)."""

    question: str
    harness_id: str | None = None


@router.get("/research/harnesses")
async def list_harnesses(caller: Caller, parts: Parts) -> list[HarnessChoice]:
    """List the harnesses, whether each can be used now, and which one is the default."""
    return await parts.harnesses.choices()


@router.post("/{job_id}/research/ingest")
async def ingest(caller: Caller, parts: Parts, request: Request, job_id: str, body: IngestBody) -> IngestReport:
    """Build the job's pack and give it to a harness. What cannot be done is a report with the status `failed`."""
    harness_id = body.harness_id or await parts.harnesses.default_id()
    if harness_id == NotebookLmMcp.id:
        _require_token(request)
    try:
        pack = await parts.study.pack(caller, job_id)
    except NotFound as error:
        return failed_report(harness_id, error)
    return await parts.harnesses.ingest(caller, pack, harness_id, body.confirmation)


@router.post("/{job_id}/research/ask")
async def ask(caller: Caller, parts: Parts, job_id: str, body: AskBody) -> GroundedAnswer:
    """Answer from the job's pack. Where there is no answer, `grounded` is false and `guidance` says what to do."""
    try:
        await parts.study.pack(caller, job_id)
    except NotFound as error:
        return failed_answer(error).answer
    return (await parts.harnesses.ask(caller, job_id, body.question, body.harness_id)).answer


def _require_token(request: Request) -> None:
    """Let only a program of this person publish under their Google login; being a page of ours is not enough (H21).

    Our own page publishes over its websocket, where the server asks the same confirmation.
    """
    if not holds_token(request):
        raise HTTPException(
            401, f"{NotebookLmMcp.id} publishes under your Google login. Send the token in server.token of your home."
        )
