"""The jobs of a person: added from a posting, edited, deleted, and their packs."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

from deeptrust.database import jobs as rows
from deeptrust.database.engine import Database
from deeptrust.domain.study import Job, JobEdit, PrepPack
from deeptrust.errors import BadInput, Conflict
from deeptrust.identity.ownership import require_owner
from deeptrust.language.clean import clean_text
from deeptrust.study.edits import apply_edit
from deeptrust.study.facts import read_facts
from deeptrust.study.markup import to_text
from deeptrust.study.pack import DOCUMENT_NAMES, build_pack

MOST_CHARACTERS = 50_000
"""Longest posting, resume or pack document; a long posting has 12,000."""
_CHANGED = (
    "This job was changed in another tab or window after it was shown here, so nothing was saved. "
    "Copy your text, reload the page, and save it again."
)


class JobBook:
    """Jobs in the database of one home. Every call names the person; a stranger's job is `NotFound`."""

    def __init__(self, database: Database, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """`now` gives the present as an aware time."""
        self._database = database
        self._now = now

    async def add(self, owner: str, posting: str, resume: str | None = None) -> Job:
        """Read a posting (text, Markdown or HTML) and keep it with what it states.

        Raises:
            BadInput: the posting has no text, or one of the two is too long.
        """
        _check_length(posting, "posting")
        text = await asyncio.to_thread(to_text, posting)
        if not text:
            raise BadInput("The posting has no text. Paste it, or add a file that has some.")
        facts = await asyncio.to_thread(read_facts, text)
        now = self._now()
        job = Job(
            id=uuid4().hex, created_at=now, updated_at=now, posting=text, resume=_clean_resume(resume), facts=facts
        )
        await self._database.run(lambda session: rows.add_job(session, owner, job))
        return job

    async def jobs(self, owner: str) -> list[Job]:
        """The person's jobs, newest first."""
        return await self._database.run(lambda session: rows.jobs_of(session, owner))

    async def find(self, owner: str, job_id: str) -> Job:
        """One job.

        Raises:
            NotFound: there is no such job of this person.
        """
        require_owner(await self._database.run(lambda session: rows.owner_of_job(session, job_id)), owner, "job")
        return await self._database.run(lambda session: rows.find_job(session, job_id))

    async def edit(self, owner: str, job_id: str, edit: JobEdit, seen: datetime | None = None) -> Job:
        """Replace the fields that `edit` names.

        Args:
            owner: whose job it is.
            job_id: the job.
            edit: the fields, and what they shall be.
            seen: `updated_at` of the job that the person had before them; None: the one of now.

        Raises:
            NotFound: there is no such job of this person.
            Conflict: the job was changed since it was `seen`; nothing was changed.
        """
        job = await self._find_as(owner, job_id, seen)
        return await self._save(job.model_copy(update={"facts": apply_edit(job.facts, edit)}))

    async def set_resume(self, owner: str, job_id: str, resume: str | None, seen: datetime | None = None) -> Job:
        """Compare with this resume from now on; None removes it. `seen` is as for `edit`.

        Raises:
            NotFound: there is no such job of this person.
            Conflict: the job was changed since it was `seen`.
            BadInput: the resume is too long.
        """
        job = await self._find_as(owner, job_id, seen)
        return await self._save(job.model_copy(update={"resume": _clean_resume(resume)}))

    async def write_document(
        self, owner: str, job_id: str, name: str, markdown: str | None, seen: datetime | None = None
    ) -> Job:
        """Put the person's own text in place of a pack document; None takes the built one back. `seen`: as for `edit`.

        Raises:
            NotFound: there is no such job of this person.
            Conflict: the job was changed since it was `seen`.
            BadInput: a pack has no document of that name, or the text is too long.
        """
        if name not in DOCUMENT_NAMES:
            raise BadInput(f"A pack has no document {name[:60]!r}. It has {', '.join(DOCUMENT_NAMES)}.")
        job = await self._find_as(owner, job_id, seen)
        own = {known: text for known, text in job.own_documents.items() if known != name}
        if markdown is not None:
            _check_length(markdown, "document")
            own[name] = clean_text(markdown)
        return await self._save(job.model_copy(update={"own_documents": own}))

    async def pack(self, owner: str, job_id: str) -> PrepPack:
        """Build the prep pack of a job.

        Raises:
            NotFound: there is no such job of this person.
        """
        return await asyncio.to_thread(build_pack, await self.find(owner, job_id))

    async def delete(self, owner: str, job_id: str) -> None:
        """Delete a job. Its collection of passages is the knowledge room's to delete.

        Raises:
            NotFound: there is no such job of this person.
        """
        await self.find(owner, job_id)
        await self._database.run(lambda session: rows.delete_job(session, job_id))

    async def _find_as(self, owner: str, job_id: str, seen: datetime | None) -> Job:
        job = await self.find(owner, job_id)
        if seen not in (None, job.updated_at):
            raise Conflict(_CHANGED)
        return job

    async def _save(self, job: Job) -> Job:
        """Save what was made of a job that was read; never undo another edit, nor bring back what was deleted."""
        saved = job.model_copy(update={"updated_at": self._now()})
        if not await self._database.run(lambda session: rows.update_job(session, saved, job.updated_at)):
            raise Conflict(_CHANGED)
        return saved


def _clean_resume(resume: str | None) -> str | None:
    if resume is None or not resume.strip():
        return None
    _check_length(resume, "resume")
    return clean_text(resume).strip()


def _check_length(text: str, what: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise BadInput(f"The {what} has {len(text):,} characters; the limit is {MOST_CHARACTERS:,}. Shorten it.")
