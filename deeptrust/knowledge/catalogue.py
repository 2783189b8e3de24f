"""The rows of documents, pages and passages: all SQL but the search. Every value is a bound parameter."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from duckdb import DuckDBPyConnection

from deeptrust.domain.document import Document, DocumentKind, Page, Passage
from deeptrust.embedding.base import Vectors
from deeptrust.errors import NotFound
from deeptrust.knowledge.chunking import Chunk
from deeptrust.knowledge.ledger import LedgerEntry
from deeptrust.knowledge.rows import check_vectors, first_row, incoming, insert_rows, text_column, vector_column
from deeptrust.language.words import index_terms

_BEYOND_ANY_PAGE = 2**31
PASSAGE_COLUMNS = """
    p.id, p.document_id, d.label, d.kind, p.page, p.start_at, p.end_at, p.section, d.url,
    substr(g.text, p.start_at + 1, p.end_at - p.start_at)
"""
PASSAGE_TABLES = """
    passages p JOIN documents d ON d.id = p.document_id
    JOIN pages g ON g.document_id = p.document_id AND g.number = p.page
"""
_DOCUMENTS = """
    SELECT d.id, d.collection, d.kind, d.label, d.url, d.sha256, d.created_at,
        (SELECT count(*) FROM pages WHERE document_id = d.id),
        (SELECT coalesce(sum(length(text)), 0)::BIGINT FROM pages WHERE document_id = d.id),
        (SELECT count(*) FROM passages WHERE document_id = d.id)
    FROM documents d
"""


@dataclass(frozen=True, slots=True)
class NewDocument:
    """All that one transaction stores: `vectors` has a row for each chunk, made by `fingerprint`."""

    id: str
    collection: str
    kind: DocumentKind
    label: str
    url: str | None
    sha256: str
    pages: tuple[Page, ...]
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    fingerprint: str


def insert_document(cursor: DuckDBPyConnection, new: NewDocument) -> None:
    """Insert a document with its pages, passages and postings.

    Raises:
        StoreUnavailable: a vector is not finite or not of norm 1; such a row would sort above all others (RET-09).
    """
    check_vectors(new.vectors, len(new.chunks))
    now = datetime.now(UTC).replace(tzinfo=None)
    document = [new.id, new.collection, new.kind.value, new.label, new.url, new.sha256, now]
    cursor.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)", document)
    insert_rows(cursor, "pages", {
        "document_id": [new.id] * len(new.pages),
        "number": [page.number for page in new.pages],
        "text": [page.text for page in new.pages],
    })  # fmt: skip
    first_key = _count(cursor, "SELECT coalesce(max(key), 0) + 1 FROM passages")
    terms = [Counter(index_terms(chunk.text)) for chunk in new.chunks]
    insert_rows(cursor, "passages", {
        "key": list(range(first_key, first_key + len(new.chunks))),
        "id": [f"{new.id}-{ordinal}" for ordinal in range(1, len(new.chunks) + 1)],
        "document_id": [new.id] * len(new.chunks),
        "page": [chunk.page for chunk in new.chunks],
        "start_at": [chunk.start for chunk in new.chunks],
        "end_at": [chunk.end for chunk in new.chunks],
        "section": text_column(chunk.section for chunk in new.chunks),
        "term_count": [counts.total() for counts in terms],
        "fingerprint": [new.fingerprint] * len(new.chunks),
        "vector": vector_column(new.vectors),
    })  # fmt: skip
    rows = [(term, first_key + index, n) for index, counts in enumerate(terms) for term, n in counts.items()]
    insert_rows(cursor, "postings", {
        "term": text_column(row[0] for row in rows),
        "passage_key": [row[1] for row in rows],
        "occurrences": [row[2] for row in rows],
    })  # fmt: skip


def replace_vectors(cursor: DuckDBPyConnection, passage_ids: Sequence[str], vectors: Vectors, fingerprint: str) -> None:
    """Give passages that still exist new vectors; ids that are gone are left out.

    Raises:
        StoreUnavailable: a vector is not finite or not of norm 1.
    """
    check_vectors(vectors, len(passage_ids))
    with incoming(cursor, {"id": list(passage_ids), "vector": vector_column(vectors)}):
        cursor.execute(
            "UPDATE passages SET vector = incoming.vector, fingerprint = ? FROM incoming "
            "WHERE passages.id = incoming.id",
            [fingerprint],
        )


def delete_document(cursor: DuckDBPyConnection, document_id: str) -> None:
    """Delete a document with everything of it.

    Raises:
        NotFound: there is none of that id.
    """
    find_document(cursor, document_id)
    keys = "SELECT key FROM passages WHERE document_id = ?"
    cursor.execute(f"DELETE FROM postings WHERE passage_key IN ({keys})", [document_id])  # noqa: S608 - constant
    cursor.execute("DELETE FROM passages WHERE document_id = ?", [document_id])
    cursor.execute("DELETE FROM pages WHERE document_id = ?", [document_id])
    cursor.execute("DELETE FROM documents WHERE id = ?", [document_id])


def list_documents(cursor: DuckDBPyConnection, collection: str) -> list[Document]:
    """The documents of a collection, oldest first, with counts taken from their rows."""
    rows = cursor.execute(_DOCUMENTS + " WHERE collection = ? ORDER BY created_at, id", [collection]).fetchall()
    return [_document(row) for row in rows]


def find_document(cursor: DuckDBPyConnection, document_id: str) -> Document:
    """One document by id.

    Raises:
        NotFound: there is none of that id.
    """
    row = first_row(cursor, _DOCUMENTS + " WHERE d.id = ?", [document_id])
    if row is None:
        raise NotFound("There is no such document; it may have been removed.")
    return _document(row)


def find_same(cursor: DuckDBPyConnection, collection: str, sha256: str) -> Document | None:
    """The document of a collection that has these very bytes."""
    row = first_row(cursor, _DOCUMENTS + " WHERE collection = ? AND sha256 = ?", [collection, sha256])
    return None if row is None else _document(row)


def find_page(cursor: DuckDBPyConnection, document_id: str, number: int) -> Page:
    """One page of a document.

    Raises:
        NotFound: no such document or page.
    """
    query = "SELECT number, text FROM pages WHERE document_id = ? AND number = ?"
    row = first_row(cursor, query, [document_id, number]) if 0 < number < _BEYOND_ANY_PAGE else None
    if row is None:
        raise NotFound("There is no such page; its document may have been removed.")
    return Page(number=row[0], text=row[1])


def find_passage(cursor: DuckDBPyConnection, passage_id: str) -> Passage:
    """One passage by id.

    Raises:
        NotFound: there is none of that id.
    """
    query = f"SELECT {PASSAGE_COLUMNS} FROM {PASSAGE_TABLES} WHERE p.id = ?"  # noqa: S608 - constants
    row = first_row(cursor, query, [passage_id])
    if row is None:
        raise NotFound("There is no such passage; its document may have been removed.")
    return to_passage(row)


def list_stale(cursor: DuckDBPyConnection, collection: str, fingerprint: str) -> list[tuple[str, str]]:
    """(id, text) of the passages of a collection whose vectors come from another embedder."""
    query = f"""SELECT p.id, substr(g.text, p.start_at + 1, p.end_at - p.start_at) FROM {PASSAGE_TABLES}
        WHERE d.collection = ? AND p.fingerprint <> ? ORDER BY p.key"""  # noqa: S608 - constants
    return cursor.execute(query, [collection, fingerprint]).fetchall()


def count_rows(cursor: DuckDBPyConnection) -> dict[str, LedgerEntry]:
    """Label and number of passages of every document, by id."""
    query = """SELECT d.id, d.label, count(p.key) FROM documents d
        LEFT JOIN passages p ON p.document_id = d.id GROUP BY d.id, d.label"""
    return {id_: LedgerEntry(label, count) for id_, label, count in cursor.execute(query).fetchall()}


def to_passage(row: Sequence[Any]) -> Passage:
    """The passage in a row of `PASSAGE_COLUMNS`."""
    id_, document_id, title, kind, page, start, end, section, url, text = row
    return Passage(
        id=id_, document_id=document_id, title=title, kind=DocumentKind(kind), page=page, start=start, end=end,
        section=section, url=url, text=text,
    )  # fmt: skip


def _document(row: Sequence[Any]) -> Document:
    id_, collection, kind, label, url, sha256, created_at, pages, characters, passages = row
    return Document(
        id=id_, collection=collection, kind=DocumentKind(kind), label=label, url=url, sha256=sha256,
        created_at=created_at.replace(tzinfo=UTC), page_count=pages, character_count=characters,
        passage_count=passages,
    )  # fmt: skip


def _count(cursor: DuckDBPyConnection, query: str) -> int:
    row = first_row(cursor, query)
    return 0 if row is None else int(row[0])
