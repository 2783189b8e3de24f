"""The search: exact cosine and BM25 over one collection, fused by rank; both rankings are made in SQL.

Reciprocal rank fusion: Cormack, Clarke & Buettcher, SIGIR 2009. BM25: Robertson & Zaragoza, 2009, with the
idf that cannot turn negative (as in Lucene). The figures behind the constants are in docs/retrieval.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from duckdb import DuckDBPyConnection

from deeptrust.domain.document import Retrieval, ScoredPassage
from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.knowledge.catalogue import PASSAGE_COLUMNS, PASSAGE_TABLES, to_passage
from deeptrust.language.words import index_terms

RANK_CONSTANT = 10
LIST_LENGTH = 100
BM25_K1 = 1.5
BM25_B = 0.75
LATIN_SCRIPT_WEIGHT = 0.5
FOREIGN_SCRIPT_WEIGHT = 0.05
"""Weight of the cosine list (the lexical one has 1) for a question in Latin letters, and for one in another script,
on which MiniLM was hardly trained."""

# Three short statements instead of one long one: planning the long one took longer than running it.
_SCOPE = "document_id IN (SELECT id FROM documents WHERE collection = $collection)"
_COSINES = f"""
SELECT key, array_inner_product(vector, $vector::FLOAT[{DIMENSIONS}]) AS cosine
FROM passages WHERE fingerprint = $fingerprint AND {_SCOPE} AND isfinite(cosine)
ORDER BY cosine DESC, key LIMIT {LIST_LENGTH}
"""  # noqa: S608 - constants of this file
_BM25 = f"""
WITH scope AS (
    SELECT key, term_count FROM passages WHERE {_SCOPE}
), size AS (
    SELECT count(*) AS passages, avg(term_count) AS mean_terms FROM scope
), hits AS (
    SELECT term, occurrences, key, term_count FROM postings JOIN scope ON key = passage_key
    WHERE term IN (SELECT unnest($terms::VARCHAR[]))
), rarity AS (
    SELECT term, ln(1 + (any_value(passages) - count(*) + 0.5) / (count(*) + 0.5)) AS idf FROM hits, size GROUP BY term
)
SELECT key, sum(idf * occurrences * ({BM25_K1} + 1)
    / (occurrences + {BM25_K1} * (1 - {BM25_B} + {BM25_B} * term_count / mean_terms))) AS lexical
FROM hits JOIN rarity USING (term), size GROUP BY key ORDER BY lexical DESC, key
"""  # noqa: S608 - constants of this file
_FETCH = f"""
SELECT p.key, CASE WHEN p.fingerprint = $fingerprint THEN array_inner_product(p.vector, $vector::FLOAT[{DIMENSIONS}])
    ELSE 0 END, {PASSAGE_COLUMNS}
FROM {PASSAGE_TABLES} WHERE p.key IN (SELECT unnest($keys::BIGINT[]))
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
    cursor.begin()  # all statements see one state of the store
    try:
        lexical = rank_by_words(cursor, query)
        scores = fuse(rank_by_cosine(cursor, query), list(lexical)[:LIST_LENGTH], cosine_weight(query.question))
        passages = _fetch(cursor, query, scores, lexical)
        scope = {"collection": query.collection, "fingerprint": query.fingerprint}
        document_count, passage_count, stale_count = cursor.execute(_SIZES, scope).fetchall()[0]
    finally:
        cursor.rollback()
    return Retrieval(
        passages=passages,
        document_count=document_count,
        passage_count=passage_count,
        stale_count=stale_count,
        embedder=query.embedder,
    )


def cosine_weight(question: str) -> float:
    """How much the cosine list counts beside the lexical one, by the script of the question's letters."""
    letters = [letter for letter in question if letter.isalpha()]
    is_latin = sum(letter < "\u0250" for letter in letters) * 2 >= len(letters)
    return LATIN_SCRIPT_WEIGHT if is_latin else FOREIGN_SCRIPT_WEIGHT


def rank_by_cosine(cursor: DuckDBPyConnection, query: Query) -> list[int]:
    """Keys of the passages nearest to the question, best first; only vectors of the same embedder count."""
    parameters = {
        "collection": query.collection, "fingerprint": query.fingerprint, "vector": query.vector.tolist()
    }  # fmt: skip
    return [key for key, _ in cursor.execute(_COSINES, parameters).fetchall()]


def rank_by_words(cursor: DuckDBPyConnection, query: Query) -> dict[int, float]:
    """BM25 by key, best first, of every passage that shares a term with the question."""
    parameters = {"collection": query.collection, "terms": sorted(set(index_terms(query.question)))}
    return dict(cursor.execute(_BM25, parameters).fetchall())


def fuse(by_cosine: Sequence[int], by_words: Sequence[int], weight: float) -> dict[int, float]:
    """Reciprocal rank score by key, in the order of the cosine list and then of the lexical one."""
    scores: dict[int, float] = {}
    for ranking, share in ((by_cosine, weight), (by_words, 1.0)):
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + share / (RANK_CONSTANT + rank)
    return scores


def _fetch(
    cursor: DuckDBPyConnection, query: Query, scores: Mapping[int, float], lexical: Mapping[int, float]
) -> tuple[ScoredPassage, ...]:
    best = sorted(scores, key=lambda key: (-scores[key], -lexical.get(key, 0.0), key))[: query.limit]
    parameters = {"keys": best, "fingerprint": query.fingerprint, "vector": query.vector.tolist()}
    found = {
        key: ScoredPassage(passage=to_passage(row), cosine=cosine, lexical=lexical.get(key, 0.0), score=scores[key])
        for key, cosine, *row in cursor.execute(_FETCH, parameters).fetchall()
    }
    return tuple(found[key] for key in best)
