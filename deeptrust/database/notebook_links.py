"""Where a job's prep pack lives outside. Each function is handed to `Database.run`."""

from sqlmodel import Session

from deeptrust.database.tables import NotebookLinkRow


def keep_link(session: Session, owner: str, collection: str, harness_id: str, url: str) -> None:
    """Insert or replace the link of one collection and harness."""
    session.merge(NotebookLinkRow(owner=owner, collection=collection, harness_id=harness_id, url=url))


def find_link(session: Session, owner: str, collection: str, harness_id: str) -> str | None:
    """The link, if one was kept."""
    row = session.get(NotebookLinkRow, (owner, collection, harness_id))
    return None if row is None else row.url


def drop_link(session: Session, owner: str, collection: str, harness_id: str) -> None:
    """Delete the link, if one was kept."""
    if row := session.get(NotebookLinkRow, (owner, collection, harness_id)):
        session.delete(row)
