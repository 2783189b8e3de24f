"""The tables: users and how they are known, runs, their events, approvals and evidence, links to notebooks outside.

Rows never leave this room; other rooms see `domain` schemas.
"""

from datetime import UTC, datetime

from sqlalchemy import JSON, DateTime, Dialect, TypeDecorator
from sqlmodel import Field, SQLModel


class UtcDateTime(TypeDecorator[datetime]):
    """Stores an aware time as UTC and gives it back aware, whatever the zone of the machine (STO-17)."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive times: their zone would be a guess."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs its zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Stored times are UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


class UserRow(SQLModel, table=True):
    """A person; `id` is random and names their folder (AUT-15)."""

    __tablename__ = "users"  # pyright: ignore[reportAssignmentType] - declared attribute of SQLAlchemy

    id: str = Field(primary_key=True)
    is_local: bool = Field(default=False, index=True)
    created_at: datetime = Field(sa_type=UtcDateTime)


class SessionRow(SQLModel, table=True):
    """A browser of a user, known by the secret in its cookie, of which only the SHA-256 is kept (AUT-13).

    `admitted_by` names the version of the password that let it in; empty: none did.
    """

    __tablename__ = "sessions"  # pyright: ignore[reportAssignmentType]

    digest: str = Field(primary_key=True)
    owner: str = Field(foreign_key="users.id", index=True)
    created_at: datetime = Field(sa_type=UtcDateTime)
    seen_at: datetime = Field(sa_type=UtcDateTime)
    admitted_by: str = ""
    is_revoked: bool = False


class TokenRow(SQLModel, table=True):
    """What a user's own programs call with; at most one a user, of which only the SHA-256 is kept (AUT-13)."""

    __tablename__ = "tokens"  # pyright: ignore[reportAssignmentType]

    owner: str = Field(primary_key=True, foreign_key="users.id")
    digest: str = Field(index=True, unique=True)
    created_at: datetime = Field(sa_type=UtcDateTime)


class RunRow(SQLModel, table=True):
    """A run with its latest status; everything else about it stands in its events."""

    __tablename__ = "runs"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    owner: str = Field(foreign_key="users.id", index=True)
    thread_id: str = Field(index=True)
    kind: str
    question: str
    collection: str
    sources: str
    session_name: str
    retrieved_context: str = ""
    context_urls: list[str] = Field(default_factory=list, sa_type=JSON)
    status: str = Field(index=True)
    evidence: str | None = None
    created_at: datetime = Field(sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)


class EventRow(SQLModel, table=True):
    """One numbered line of a run's log; `body` is the event's JSON."""

    __tablename__ = "run_events"  # pyright: ignore[reportAssignmentType]

    run_id: str = Field(primary_key=True, foreign_key="runs.id")
    sequence: int = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)
    body: str


class ApprovalRow(SQLModel, table=True):
    """A single-use approval; `state` moves once, by an atomic update. `outcome` is the decision's JSON."""

    __tablename__ = "approvals"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    run_id: str = Field(foreign_key="runs.id", index=True)
    owner: str = Field(foreign_key="users.id")
    plan_hash: str
    policy_hash: str
    expires_at: datetime = Field(sa_type=UtcDateTime)
    state: str = Field(index=True)
    outcome: str | None = None
    asked_at: datetime = Field(sa_type=UtcDateTime)


class StepResultRow(SQLModel, table=True):
    """What a tool brought, written before the checkpoint, so that a crash between the two runs no tool twice."""

    __tablename__ = "step_results"  # pyright: ignore[reportAssignmentType]

    run_id: str = Field(primary_key=True, foreign_key="runs.id")
    step_id: str = Field(primary_key=True)
    body: str


class EvidenceRow(SQLModel, table=True):
    """A passage that came from outside the knowledge store (web, caller), stored once for its run."""

    __tablename__ = "evidence"  # pyright: ignore[reportAssignmentType]

    run_id: str = Field(primary_key=True, foreign_key="runs.id")
    passage_id: str = Field(primary_key=True)
    body: str


class NotebookLinkRow(SQLModel, table=True):
    """The address of the notebook or project that holds a job's prep pack outside (H08-H10)."""

    __tablename__ = "notebook_links"  # pyright: ignore[reportAssignmentType]

    owner: str = Field(primary_key=True, foreign_key="users.id")
    collection: str = Field(primary_key=True)
    harness_id: str = Field(primary_key=True)
    url: str


class JobRow(SQLModel, table=True):
    """A job to prepare for; `facts` and `own_documents` are JSON, and all but the posting may be null (H06)."""

    __tablename__ = "jobs"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    owner: str = Field(foreign_key="users.id", index=True)
    posting: str
    resume: str | None = None
    facts: str | None = None
    own_documents: str | None = None
    created_at: datetime = Field(sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)
