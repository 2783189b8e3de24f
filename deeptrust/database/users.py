"""Reading and writing users."""

from datetime import UTC, datetime
from uuid import uuid4

from sqlmodel import Session, select

from deeptrust.database.tables import UserRow


def local_user(session: Session) -> str:
    """Return the id of the one user of local mode; the first call makes it."""
    row = session.exec(select(UserRow).where(UserRow.is_local)).first()
    return row.id if row else add_user(session, is_local=True)


def add_user(session: Session, *, is_local: bool = False) -> str:
    """Insert a user under a new random id (32 hexadecimal digits) and return the id."""
    row = UserRow(id=uuid4().hex, is_local=is_local, created_at=datetime.now(UTC))
    session.add(row)
    session.flush()  # rows of the same transaction may point at it
    return row.id
