"""What comes of giving a prep pack to a harness."""

from datetime import datetime
from enum import StrEnum

from deeptrust.domain.record import Record


class PackFile(Record):
    """A file for a person to take: `name` may have folders (with `/`), `text` is Markdown or plain text."""

    name: str
    text: str


class Leaving(Record):
    """One text that would leave this machine."""

    title: str
    characters: int


class Confirmation(Record):
    """What a person must say yes to before a pack leaves this machine; sending back `token` is the yes.

    The token is good once, until `expires_at`, for this person and exactly these texts.
    """

    token: str
    expires_at: datetime
    destination: str
    notebook: str
    leaving: tuple[Leaving, ...]


class PackStatus(StrEnum):
    """How an ingest ended; `confirm` means that nothing happened yet and `confirmation` says what would."""

    READY = "ready"
    CONFIRM = "confirm"
    FAILED = "failed"


class IngestReport(Record):
    """How an ingest ended. `message` is a sentence for a person, whatever the status.

    `passage_count` counts what was indexed here, `files` are to be taken elsewhere, `link` opens what answers.
    """

    harness_id: str
    status: PackStatus
    message: str
    document_count: int = 0
    passage_count: int = 0
    link: str | None = None
    files: tuple[PackFile, ...] = ()
    confirmation: Confirmation | None = None


def job_collection(job_id: str) -> str:
    """Return the collection that holds a job's prep pack (K03)."""
    return f"job-{job_id}"
