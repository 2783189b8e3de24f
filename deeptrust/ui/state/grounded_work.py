"""What the grounded research panel starts and waits for: giving a pack to a harness, and asking it."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable
from dataclasses import replace
from typing import TypeVar

from deeptrust.domain.answer import AnswerDetail
from deeptrust.domain.study import PrepPack
from deeptrust.errors import DeepTrustError, Stopped, Unavailable
from deeptrust.harness.ingest import IngestReport, PackStatus
from deeptrust.services import current_services
from deeptrust.ui.state.admission import owner_of
from deeptrust.ui.state.grounded_data import GroundedData
from deeptrust.ui.views import grounded as views

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

_PUSH_SECONDS = 0.15
_FAULT = "Something went wrong inside DeepTrust. The log says what; try again."


async def give(owner: str, job_id: str, harness_id: str, token: str | None = None) -> IngestReport:
    """Give the pack of a job to a harness.

    Raises:
        NotFound: there is no such job of this person.
        DeepTrustError: the harness takes no files, or failed.
    """
    services = current_services()
    pack = await services.study.pack(owner, job_id)
    return await services.harnesses.ingest(owner, pack, harness_id, token)


async def remember(owner: str, job_id: str, harness_id: str, link: str) -> None:
    services = current_services()
    await services.study.find(owner, job_id)
    await services.harnesses.remember(owner, job_id, harness_id, link)


async def ingest_pack(state: GroundedData) -> None:
    async with state:
        if not state.harness or not state.is_ingesting:
            return
        job_id, harness_id, ticket = state._job, state.harness.id, state._ticket
        token, state._token = state._token or None, ""
    services = current_services()
    try:
        pack = await services.study.pack(owner_of(state), job_id)
        # Not cancelled with the panel: a pack that is half published would be worse than one that is.
        report = await services.harnesses.ingest(owner_of(state), pack, harness_id, token)
    except DeepTrustError as error:
        report, pack = _failed(harness_id, str(error)), None
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("a pack could not be given to %s", harness_id)
        report, pack = _failed(harness_id, _FAULT), None
    async with state:
        if state._ticket == ticket:
            state.is_ingesting = False
            state._note(report, _fingerprint(pack) if pack else "")
            await state._point()


async def answer_question(state: GroundedData) -> None:
    async with state:
        if not state.harness or not state.is_busy or not state.replies:
            return
        reply, job_id, ticket, harness_id = state.replies[-1], state._job, state._ticket, state.harness.id
    try:
        await _ingest_first(state, ticket, job_id, harness_id)
        detail = await _ask(state, ticket, job_id, reply.question, harness_id)
        reply = views.reply_of(reply, detail)
    except Stopped:
        return  # the panel says so already, or shows something else by now
    except DeepTrustError as error:
        reply = replace(reply, phase=views.FAILED, message=str(error))
    except Exception:  # the page ends here: it must say so and never stay busy (UI-14)
        logger.exception("a question about a job could not be answered")
        reply = replace(reply, phase=views.FAILED, message=_FAULT)
    async with state:
        if state._ticket == ticket:
            state.replies[-1], state.is_busy, state.announcement = reply, False, views.said(reply)


async def _ingest_first(state: GroundedData, ticket: int, job_id: str, harness_id: str) -> None:
    """Take the pack in unless this very pack is there already.

    Raises:
        Unavailable: the harness did not take it.
    """
    services = current_services()
    pack = await services.study.pack(owner_of(state), job_id)
    if state._known_pack == _fingerprint(pack):
        return
    stage = [f"Indexing the {len(pack.documents)} documents of the pack"]
    report = await _follow(state, ticket, services.harnesses.ingest(owner_of(state), pack, harness_id), stage)
    async with state:
        if state._ticket == ticket:
            state._note(report, _fingerprint(pack))
    if report.status is not PackStatus.READY:
        raise Unavailable(report.message)


async def _ask(state: GroundedData, ticket: int, job_id: str, question: str, harness_id: str) -> AnswerDetail:
    services, stages = current_services(), ["Looking for the passages that answer"]
    asking = services.harnesses.ask(
        owner_of(state), job_id, question, harness_id, lambda entry: stages.append(entry.summary)
    )
    return await _follow(state, ticket, asking, stages)


async def _follow(state: GroundedData, ticket: int, work: Awaitable[Result], stages: list[str]) -> Result:
    """Wait for `work`, showing the latest of its `stages` several times a second.

    Raises:
        Stopped: the panel no longer wants it; the work is cancelled.
    """
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            async with state:
                if state._ticket != ticket:
                    raise Stopped("Stopped.")
                state.replies[-1] = replace(state.replies[-1], stage=stages[-1])
            await asyncio.wait({task}, timeout=_PUSH_SECONDS)
        return task.result()
    finally:
        task.cancel()


def _fingerprint(pack: PrepPack) -> str:
    return hashlib.sha256(pack.model_dump_json().encode()).hexdigest()


def _failed(harness_id: str, message: str) -> IngestReport:
    return IngestReport(harness_id=harness_id, status=PackStatus.FAILED, message=message)
