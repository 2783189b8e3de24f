"""Reading and writing sessions and API tokens. Each function is handed to `Database.run`."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlmodel import Session, select

from deeptrust.database.tables import SessionRow, TokenRow
from deeptrust.database.users import add_user


@dataclass(frozen=True)
class KnownSession:
    """A browser that was here before: whose it is, and what let it in."""

    digest: str
    owner: str
    admitted_by: str
    is_revoked: bool
    seen_at: datetime


def find_session(session: Session, digest: str) -> KnownSession | None:
    """The session of that digest, also a revoked one."""
    row = session.get(SessionRow, digest)
    return _known(row) if row else None


def add_session(session: Session, digest: str, owner: str, admitted_by: str) -> KnownSession:
    """Insert a session; its digest must be new."""
    now = datetime.now(UTC)
    row = SessionRow(digest=digest, owner=owner, created_at=now, seen_at=now, admitted_by=admitted_by)
    session.add(row)
    return _known(row)


def find_or_add_session(session: Session, digest: str, owner: str | None) -> KnownSession:
    """The session of that digest; a missing one is made, for `owner` or for a new user."""
    return find_session(session, digest) or add_session(session, digest, owner or add_user(session), "")


def replace_session(session: Session, old: str, new: str, owner: str | None, admitted_by: str) -> KnownSession:
    """Give the browser of session `old` a new one for the same user.

    Where there is no such session, or it was revoked, the new one is for `owner` or for a new user.
    """
    former = find_session(session, old)
    if former and not former.is_revoked:
        owner = former.owner
        revoke_session(session, old)
    return add_session(session, new, owner or add_user(session), admitted_by)


def touch_session(session: Session, digest: str) -> None:
    """Note that the session was seen now, if it is still there."""
    if row := session.get(SessionRow, digest):
        row.seen_at = datetime.now(UTC)
        session.add(row)


def revoke_session(session: Session, digest: str) -> None:
    """Make a session worthless for good, if there is one."""
    if row := session.get(SessionRow, digest):
        row.is_revoked = True
        session.add(row)


def revoke_sessions_of(session: Session, owner: str, but: str) -> None:
    """Make every session of a user worthless, except the one with the digest `but`."""
    for row in session.exec(select(SessionRow).where(SessionRow.owner == owner, SessionRow.digest != but)):
        row.is_revoked = True
        session.add(row)


def put_token(session: Session, owner: str, digest: str) -> str:
    """Give the user a token; return the digest of the one that is worthless from now on, or nothing."""
    former = delete_token(session, owner)
    session.flush()  # the old row goes before the new one comes
    session.add(TokenRow(owner=owner, digest=digest, created_at=datetime.now(UTC)))
    return former


def delete_token(session: Session, owner: str) -> str:
    """Make the user's token worthless; return its digest, or nothing where they had none."""
    row = session.get(TokenRow, owner)
    if row is None:
        return ""
    session.delete(row)
    return row.digest


def owner_of_token(session: Session, digest: str) -> str | None:
    """The user whose token has that digest."""
    return session.exec(select(TokenRow.owner).where(TokenRow.digest == digest)).first()


def _known(row: SessionRow) -> KnownSession:
    return KnownSession(row.digest, row.owner, row.admitted_by, row.is_revoked, row.seen_at)
