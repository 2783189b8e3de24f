"""The tables of one person's knowledge store."""

from duckdb import DuckDBPyConnection

from deeptrust.embedding.base import DIMENSIONS
from deeptrust.errors import StoreUnavailable
from deeptrust.knowledge.rows import first_row

VERSION = 1

# No vector index: DuckDB's HNSW on disk has lost files after a crash (STO-11); every search is an exact scan.
# `passages.key` is a small number so that the many rows of `postings` stay small; the text of a passage is
# cut out of its page, which is stored once.
_TABLES = f"""
CREATE TABLE store (version INTEGER NOT NULL);
CREATE TABLE documents (
    id VARCHAR PRIMARY KEY, collection VARCHAR NOT NULL, kind VARCHAR NOT NULL, label VARCHAR NOT NULL,
    url VARCHAR, sha256 VARCHAR NOT NULL, created_at TIMESTAMP NOT NULL, UNIQUE (collection, sha256)
);
CREATE TABLE pages (document_id VARCHAR NOT NULL, number INTEGER NOT NULL, text VARCHAR NOT NULL);
CREATE TABLE passages (
    key BIGINT NOT NULL, id VARCHAR NOT NULL, document_id VARCHAR NOT NULL, page INTEGER NOT NULL,
    start_at INTEGER NOT NULL, end_at INTEGER NOT NULL, section VARCHAR, term_count INTEGER NOT NULL,
    fingerprint VARCHAR NOT NULL, vector FLOAT[{DIMENSIONS}] NOT NULL
);
CREATE TABLE postings (term VARCHAR NOT NULL, passage_key BIGINT NOT NULL, occurrences INTEGER NOT NULL);
"""


def prepare(cursor: DuckDBPyConnection) -> None:
    """Create the tables in a new file, or check that this program knows those of an old one.

    The CHECKPOINT keeps table definitions out of the write-ahead log, whose replay is where DuckDB has
    failed after schema changes (STO-08).

    Raises:
        StoreUnavailable: a newer DeepTrust made the file.
    """
    if not first_row(cursor, "SELECT 1 FROM duckdb_tables() WHERE table_name = 'store'"):
        cursor.begin()
        cursor.execute(_TABLES)
        cursor.execute("INSERT INTO store VALUES (?)", [VERSION])
        cursor.commit()
        cursor.execute("CHECKPOINT")
    row = first_row(cursor, "SELECT max(version) FROM store")
    if row is None or row[0] != VERSION:
        raise StoreUnavailable("A newer DeepTrust made this knowledge store. Update DeepTrust to open it.")
