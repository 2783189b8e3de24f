"""Rows on their way into DuckDB and out of it.

Many rows go in as a registered Arrow table: 0.02 ms a row, where `executemany` takes 0.8.
"""
# pyarrow ships no type stubs.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection

from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.errors import StoreUnavailable

_NORM_TOLERANCE = 1e-3


def first_row(cursor: DuckDBPyConnection, query: str, parameters: Sequence[object] = ()) -> tuple[Any, ...] | None:
    """The first row of a query that gives few. `fetchone` would leave the cursor busy until all are fetched."""
    return next(iter(cursor.execute(query, list(parameters)).fetchall()), None)


def count_tables(cursor: DuckDBPyConnection, database: str | None = None) -> dict[str, int]:
    """Number of rows by table, of the file or of another attached one."""
    query = (
        "SELECT database_name, table_name FROM duckdb_tables() WHERE database_name = coalesce(?, current_database())"
    )
    names = cursor.execute(query, [database]).fetchall()
    counts = {table: cursor.execute(f'SELECT count(*) FROM "{base}"."{table}"').fetchall() for base, table in names}  # noqa: S608 - names of our own
    return {table: int(rows[0][0]) for table, rows in counts.items()}


def insert_rows(cursor: DuckDBPyConnection, table: str, columns: dict[str, Any]) -> None:
    """Append columns, in the order of the table's own; `table` is never a text from outside."""
    with incoming(cursor, columns):
        cursor.execute(f"INSERT INTO {table} SELECT * FROM incoming")  # noqa: S608 - see above


@contextmanager
def incoming(cursor: DuckDBPyConnection, columns: dict[str, Any]) -> Generator[None, None, None]:
    """Let SQL see `columns` as the table `incoming`."""
    cursor.register("incoming", pa.table(columns))
    try:
        yield
    finally:
        cursor.unregister("incoming")


def text_column(values: Iterable[str | None]) -> Any:
    """A column of texts, also when all of them are missing."""
    return pa.array(list(values), pa.string())


def vector_column(vectors: Vectors) -> Any:
    """A column FLOAT[DIMENSIONS] of an array of shape (rows, DIMENSIONS)."""
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(vectors).ravel()), DIMENSIONS)


def check_vectors(vectors: Vectors, count: int) -> None:
    """Refuse vectors that would sort above all others or break every later search (RET-09, RET-10).

    Raises:
        StoreUnavailable: the shape is not (count, DIMENSIONS), or a vector is not finite or not of norm 1.
    """
    if vectors.shape != (count, DIMENSIONS):
        raise StoreUnavailable("The embedder gave vectors of a wrong shape, so nothing was stored. Restart DeepTrust.")
    norms = np.linalg.norm(vectors, axis=1)
    if not np.all(np.abs(norms - 1) < _NORM_TOLERANCE):  # also false for NaN and infinity
        raise StoreUnavailable("The embedder gave an unusable vector, so nothing was stored. Restart DeepTrust.")
