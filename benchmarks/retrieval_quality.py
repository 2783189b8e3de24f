"""How well retrieval finds: nDCG@10 on the retrieval sets, right passage@5 and @10 on covidqa-articles.

    python -m benchmarks.retrieval_quality [--data ../shared/data] [--cache FOLDER] [--documents N] [SET...]

Each set goes through the product's chunker, store and search; a document is ranked by its best passage.
Columns: BM25 and cosine alone, and their fusion with the cosine list at several weights. The product's own
weight is chosen by the script of the question (`cosine_weight`); that is the column `product`. `--documents` keeps the
first N documents of a set and the questions that they answer: the figures are then higher than on the whole set.
"""

import argparse
import asyncio
import gzip
import json
import math
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.cached_embedder import CachedEmbedder
from deeptrust.domain.document import DocumentKind, Page, Reading, ReadStatus
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.knowledge.ingest import Ingest, Source
from deeptrust.knowledge.pool import StorePool
from deeptrust.knowledge.retrieval import LIST_LENGTH, Query, cosine_weight, fuse, rank_by_cosine, rank_by_words
from deeptrust.language.clean import clean_text

SETS = ("xquad-en", "xquad-de", "xquad-zh", "xquad-ar", "covidqa-articles", "nfcorpus", "scifact")
WEIGHTS = (0.25, 0.5, 1.0)
OWNER = uuid.UUID(int=1).hex


@dataclass(frozen=True)
class Place:
    """Where a passage lies: the index of its document and its stretch of characters there."""

    document: int
    start: int
    end: int


@dataclass(frozen=True)
class Rankings:
    """The two lists of one question, as passage keys."""

    cosine: list[int]
    words: list[int]
    weight: float

    def columns(self) -> dict[str, list[int]]:
        fused = {f"rrf {weight:g}": self._fused(weight) for weight in WEIGHTS}
        return {"bm25": self.words, "cosine": self.cosine, **fused, "product": self._fused(self.weight)}

    def _fused(self, weight: float) -> list[int]:
        scores = fuse(self.cosine, self.words, weight)
        return sorted(scores, key=scores.__getitem__, reverse=True)


async def measure(folder: Path, embedder: CachedEmbedder, documents: int | None) -> dict[str, float]:
    """Scores of one set by column name."""
    corpus = _read_lines(folder / "corpus.jsonl.gz")[:documents]
    kept = {row["_id"] for row in corpus}
    relevance = _read_relevance(folder / "qrels.tsv", kept)
    questions = [row for row in _read_lines(folder / "queries.jsonl") if relevance.get(row["_id"])]
    print(f"{folder.name}: {len(corpus)} documents, {len(questions)} questions", flush=True)
    is_span_set = "answer_start" in questions[0]
    texts = [row["text"] if is_span_set else f"{row['title']}\n{row['text']}" for row in corpus]
    with tempfile.TemporaryDirectory() as home:
        pool = StorePool(Path(home))
        await _ingest(pool, embedder, texts, clean=not is_span_set)
        places, rankings = await _search(pool, embedder, [row["text"] for row in questions])
        await pool.close()
    if is_span_set:
        index = {row["_id"]: number for number, row in enumerate(corpus)}
        gold = [
            Place(index[row["doc_id"]], row["answer_start"], row["answer_start"] + len(row["answer"]))
            for row in questions
        ]
        return {
            f"{column} @{depth}": _mean(
                any(_overlaps(places[key], place) for key in ranking.columns()[column][:depth])
                for ranking, place in zip(rankings, gold, strict=True)
            )
            for depth in (5, 10)
            for column in rankings[0].columns()
        }
    ids = [row["_id"] for row in corpus]
    return {
        column: _mean(
            _ndcg([ids[places[key].document] for key in ranking.columns()[column]], relevance[row["_id"]])
            for ranking, row in zip(rankings, questions, strict=True)
        )
        for column in rankings[0].columns()
    }


async def _ingest(pool: StorePool, embedder: CachedEmbedder, texts: Sequence[str], *, clean: bool) -> None:
    """Store the whole set as one document with a page for each text: page numbers are then document numbers."""
    pages = tuple(Page(number=number, text=clean_text(text) if clean else text) for number, text in enumerate(texts, 1))
    reading = Reading(status=ReadStatus.OK, kind=DocumentKind.TEXT, pages=pages)
    with pool.intakes.begin(OWNER, uuid.uuid4().hex) as intake:
        outcome = await Ingest(pool, embedder, intake, Source(OWNER, "set", "set", "0")).store_reading(reading)
    assert outcome.document is not None, outcome.reason


async def _search(
    pool: StorePool, embedder: CachedEmbedder, questions: Sequence[str]
) -> tuple[dict[int, Place], list[Rankings]]:
    rankings: list[Rankings] = []
    async with pool.lease(OWNER) as store:
        rows = await store.read(
            lambda cursor: cursor.execute("SELECT key, page, start_at, end_at FROM passages").fetchall()
        )
        for question in questions:
            vector = await embedder.embed_question(question)
            query = Query(question, vector, embedder.fingerprint, embedder.name, "set", LIST_LENGTH)
            rankings.append(await store.read(_rank(query)))
    return {key: Place(page - 1, start, end) for key, page, start, end in rows}, rankings


def _rank(query: Query) -> Callable[[Any], Rankings]:
    return lambda cursor: Rankings(
        rank_by_cosine(cursor, query),
        list(rank_by_words(cursor, query))[:LIST_LENGTH],
        cosine_weight(query.question),
    )


def _overlaps(found: Place, gold: Place) -> bool:
    return found.document == gold.document and found.start < gold.end and gold.start < found.end


def _ndcg(ranked_ids: Iterable[str], relevance: dict[str, int], depth: int = 10) -> float:
    """As trec_eval: linear gain, logarithmic discount."""
    ranked = list(dict.fromkeys(ranked_ids))[:depth]
    ideal = sorted(relevance.values(), reverse=True)[:depth]
    best = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(ideal, 1))
    return sum(relevance.get(id_, 0) / math.log2(rank + 1) for rank, id_ in enumerate(ranked, 1)) / best


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)


def _read_lines(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    lines = gzip.decompress(data) if path.suffix == ".gz" else data
    return [json.loads(line) for line in lines.splitlines()]


def _read_relevance(path: Path, kept: set[str]) -> dict[str, dict[str, int]]:
    relevance: dict[str, dict[str, int]] = defaultdict(dict)
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        question, document, score = line.split("\t")
        if document in kept and int(score) > 0:
            relevance[question][document] = int(score)
    return relevance


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "deeptrust-vectors")
    parser.add_argument("--documents", type=int)
    options = parser.parse_args()
    embedder = CachedEmbedder(MiniLmEmbedder(), options.cache)
    for name in options.sets:
        started = time.perf_counter()
        folder = options.data / ("qa" if name.startswith("covidqa") else "retrieval") / name
        scores = asyncio.run(measure(folder, embedder, options.documents))
        cells = "  ".join(f"{column} {score:.3f}" for column, score in scores.items())
        print(f"{name}: {cells}  ({time.perf_counter() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
