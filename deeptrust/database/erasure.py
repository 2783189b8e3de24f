"""Deleting all rows of one person, whatever tables there are: each leads to a user or a run by a foreign key."""

from sqlalchemy import Column, ColumnElement, Table, delete, select
from sqlmodel import Session

from deeptrust.database import tables

_TABLES = tables.SQLModel.metadata
_USERS, _RUNS = _TABLES.tables["users"], _TABLES.tables["runs"]


def erase_person(session: Session, owner: str) -> None:
    """Delete every row of `owner`. The one user of local mode keeps its row, an id and a date: it may go on."""
    for table in reversed(_TABLES.sorted_tables):  # what refers to a row goes before the row
        for condition in _conditions(table, owner):
            session.connection().execute(delete(table).where(condition))


def _conditions(table: Table, owner: str) -> list[ColumnElement[bool]]:
    if table is _USERS:
        return [(_USERS.c.id == owner) & _USERS.c.is_local.is_(False)]
    return [condition for column in table.columns if (condition := _condition(column, owner)) is not None]


def _condition(column: Column[str], owner: str) -> ColumnElement[bool] | None:
    if column.references(_USERS.c.id):
        return column == owner
    if column.references(_RUNS.c.id):
        return column.in_(select(_RUNS.c.id).where(_RUNS.c.owner == owner))
    return None
