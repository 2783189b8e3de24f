"""Time of one retrieval at 10,000 passages, beside NumPy on the same vectors in the same run.

    python -m benchmarks.retrieval_speed [--passages 10000] [--questions 50]

The texts are drawn from a vocabulary with Zipf's law, 80 words a passage; the vectors are random unit vectors.
The times are of the search alone, without embedding the question.
"""

import argparse
import os
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import numpy as np

from deeptrust.domain.document import WORKSPACE, DocumentKind, Page
from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.knowledge.catalogue import NewDocument, insert_document
from deeptrust.knowledge.chunking import Chunk
from deeptrust.knowledge.connection import Connection
from deeptrust.knowledge.retrieval import Query, rank_by_cosine, rank_by_words, search

VOCABULARY = 20_000
WORDS = 80
QUESTION_WORDS = 10


class Corpus:
    """Random passages of natural word frequencies."""

    def __init__(self, seed: int = 1) -> None:
        self._dice = np.random.default_rng(seed)
        weights = 1 / np.arange(1, VOCABULARY + 1)
        self._weights = weights / weights.sum()

    def text(self, words: int) -> str:
        return " ".join(f"word{number}" for number in self._dice.choice(VOCABULARY, words, p=self._weights))

    def vectors(self, count: int) -> Vectors:
        vectors = self._dice.normal(size=(count, DIMENSIONS)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def document(self, vectors: Vectors) -> NewDocument:
        texts = [self.text(WORDS) for _ in vectors]
        return NewDocument(
            id=uuid.uuid4().hex, collection=WORKSPACE, kind=DocumentKind.TEXT, label="random", url=None,
            sha256=uuid.uuid4().hex, pages=tuple(Page(number=n, text=text) for n, text in enumerate(texts, 1)),
            chunks=tuple(Chunk(n, 0, len(text), None, text) for n, text in enumerate(texts, 1)),
            vectors=vectors, fingerprint="random",
        )  # fmt: skip


def top_ten(matrix: Vectors, vector: Vectors) -> list[int]:
    scores = matrix @ vector
    best = np.argpartition(-scores, 10)[:10]
    return best[np.argsort(-scores[best])].tolist()


def median_milliseconds(work: Callable[[Query], object], queries: list[Query]) -> float:
    seconds: list[float] = []
    for query in queries:
        started = time.perf_counter()
        work(query)
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds) * 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=50)
    options = parser.parse_args()
    corpus = Corpus()
    matrix = corpus.vectors(options.passages)
    queries = [
        Query(corpus.text(QUESTION_WORDS), vector, "random", "random", WORKSPACE, 8)
        for vector in corpus.vectors(options.questions)
    ]
    with tempfile.TemporaryDirectory() as folder:
        connection = Connection(Path(folder) / "knowledge.duckdb")
        for part in np.array_split(matrix, max(1, options.passages // 1000)):
            document = corpus.document(part)
            connection.transact(lambda cursor, new=document: insert_document(cursor, new), is_done=lambda _: False)
        rows = {
            "whole search (cosine, BM25, fusion, texts)": lambda query: connection.run(lambda c: search(c, query)),
            "cosine ranking in SQL, top 100": lambda query: connection.run(lambda c: rank_by_cosine(c, query)),
            "BM25 ranking in SQL, all hits": lambda query: connection.run(lambda c: rank_by_words(c, query)),
            "NumPy X @ q, top 10": lambda query: top_ten(matrix, query.vector),
        }
        print(f"{options.passages} passages, median of {options.questions}, load {os.getloadavg()[0]:.1f}")
        for name, work in rows.items():
            print(f"  {name:44}{median_milliseconds(work, queries):8.1f} ms")
        connection.close()


if __name__ == "__main__":
    main()
