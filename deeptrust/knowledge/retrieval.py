"""The search: exact cosine and BM25 over one collection, fused by rank, in one SQL statement.

Reciprocal rank fusion: Cormack, Clarke & Buettcher, SIGIR 2009. BM25: Robertson & Zaragoza, 2009, with the
idf that cannot turn negative (as in Lucene). The figures behind the constants are in docs/retrieval.md.
"""

from dataclasses import dataclass
from typing import Any

from duckdb import DuckDBPyConnection

from deeptrust.domain.document import Retrieval, ScoredPassage
from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.knowledge.catalogue import PASSAGE_COLUMNS, PASSAGE_TABLES, to_passage
from deeptrust.language.words import index_terms

RANK_CONSTANT = 10
LIST_LENGTH = 100
BM25_K1 = 1.5
BM25_B = 0.75
FOREIGN_SCRIPT_WEIGHT = 0.05
"""Weight of the cosine list for a question outside the Latin script, which MiniLM was hardly trained on."""

_SEARCH = f"""
WITH scope AS MATERIALIZED (
    SELECT p.key, p.term_count,
        CASE WHEN p.fingerprint = $fingerprint THEN array_inner_product(p.vector, $vector::FLOAT[{DIMENSIONS}]) END
            AS cosine
    FROM passages p JOIN documents d ON d.id = p.document_id WHERE d.collection = $collection
), size AS (
    SELECT count(*) AS passages, avg(term_count) AS mean_terms FROM scope
), hits AS MATERIALIZED (
    SELECT t.term, s.key, s.term_count, t.occurrences
    FROM postings t JOIN scope s ON s.key = t.passage_key WHERE t.term IN (SELECT unnest($terms::VARCHAR[]))
), rarity AS (
    SELECT term, ln(1 + (any_value(passages) - count(*) + 0.5) / (count(*) + 0.5)) AS idf FROM hits, size GROUP BY term
), bm25 AS MATERIALIZED (
    SELECT key, sum(idf * occurrences * ({BM25_K1} + 1)
        / (occurrences + {BM25_K1} * (1 - {BM25_B} + {BM25_B} * term_count / mean_terms))) AS lexical
    FROM hits JOIN rarity USING (term), size GROUP BY key
), ranks AS (
    (SELECT key, $cosine_weight / ({RANK_CONSTANT} + row_number() OVER (ORDER BY cosine DESC, key)) AS part
        FROM scope WHERE isfinite(cosine) ORDER BY cosine DESC, key LIMIT {LIST_LENGTH})
    UNION ALL
    (SELECT key, 1 / ({RANK_CONSTANT} + row_number() OVER (ORDER BY lexical DESC, key)) AS part
        FROM bm25 ORDER BY lexical DESC, key LIMIT {LIST_LENGTH})
), best AS (
    SELECT key, sum(part) AS score FROM ranks GROUP BY key ORDER BY score DESC, key LIMIT $limit
)
SELECT {PASSAGE_COLUMNS}, coalesce(s.cosine, 0), coalesce(m.lexical, 0), b.score
FROM best b JOIN {PASSAGE_TABLES} ON p.key = b.key JOIN scope s ON s.key = b.key LEFT JOIN bm25 m ON m.key = b.key
ORDER BY b.score DESC, b.key
"""  # noqa: S608 - constants of this package
_SIZES = """
SELECT count(DISTINCT d.id), count(p.key), count(p.key) FILTER (p.fingerprint <> $fingerprint)
FROM documents d LEFT JOIN passages p ON p.document_id = d.id WHERE d.collection = $collection
"""


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its vector, and which embedder (`name`, `fingerprint`) made that."""

    question: str
    vector: Vectors
    fingerprint: str
    embedder: str
    collection: str
    limit: int


def search(cursor: DuckDBPyConnection, query: Query) -> Retrieval:
    """The best passages of a collection, best first.

    Vectors of another embedder are never compared; their passages are found by words only and counted in
    `stale_count`.
    """
    scope: dict[str, Any] = {"collection": query.collection, "fingerprint": query.fingerprint}
    parameters = scope | {
        "vector": query.vector.tolist(),
        "terms": sorted(set(index_terms(query.question))),
        "cosine_weight": cosine_weight(query.question),
        "limit": query.limit,
    }
    cursor.begin()  # both statements see one state of the store
    try:
        rows = cursor.execute(_SEARCH, parameters).fetchall()
        documents, passages, stale = cursor.execute(_SIZES, scope).fetchall()[0]
    finally:
        cursor.rollback()
    return Retrieval(
        passages=tuple(_scored(row) for row in rows),
        document_count=documents,
        passage_count=passages,
        stale_count=stale,
        embedder=query.embedder,
    )


def cosine_weight(question: str) -> float:
    """How much the cosine list counts beside the lexical one: 1 for Latin letters, little for other scripts."""
    letters = [letter for letter in question if letter.isalpha()]
    is_latin = sum(letter < "\u0250" for letter in letters) * 2 >= len(letters)
    return 1.0 if is_latin else FOREIGN_SCRIPT_WEIGHT


def _scored(row: tuple[Any, ...]) -> ScoredPassage:
    *passage, cosine, lexical, score = row
    return ScoredPassage(passage=to_passage(passage), cosine=cosine, lexical=lexical, score=score)
