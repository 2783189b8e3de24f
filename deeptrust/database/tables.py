"""The tables: users, runs and their events. Rows never leave this room; other rooms see `domain` schemas."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, TypeDecorator
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
