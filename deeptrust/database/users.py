"""Reading and writing users."""

from datetime import UTC, datetime
from uuid import uuid4

from sqlmodel import Session, select

from deeptrust.database.tables import UserRow


def local_user(session: Session) -> str:
    """Return the id of the one user of local mode; the first call makes it."""
    row = session.exec(select(UserRow).where(UserRow.is_local)).first()
    if row is None:
        row = UserRow(id=uuid4().hex, is_local=True, created_at=datetime.now(UTC))
        session.add(row)
    return row.id
