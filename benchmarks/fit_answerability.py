"""Fit the answerability judge of an embedder: the numbers in deeptrust/answering/calibration.py.

    python -m benchmarks.fit_answerability minilm|hashing|words

Data: CLAPNQ (arXiv 2404.02103, Apache-2.0), 150 questions whose passage answers them and 150 whose passage
does not; for `words` XQuAD in Arabic and Chinese, each question with its own paragraph and with another one.
Printed: five-fold cross-validated accuracy and AUROC over ten shuffles, the curve of the floor, and the weights.
"""

import asyncio
import gzip
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deeptrust.answering.evidence import gather_sentences
from deeptrust.answering.questions import read_question
from deeptrust.answering.relevance import measure_closest
from deeptrust.domain.document import DocumentKind, Page, Passage, Retrieval, ScoredPassage
from deeptrust.embedding.base import Embedder
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.knowledge.chunking import KNOWLEDGE, split_pages

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
LIMIT = 4
RIDGE = 3.0
Numbers = NDArray[np.float64]


async def retrieve_from(embedder: Embedder, title: str, text: str, question: str) -> Retrieval:
    """What the library returns where `text` is the only document: its closest passages."""
    page = Page(number=1, text=f"# {title}\n\n{text}" if title else text)
    chunks = list(
        split_pages(
            [page],
            DocumentKind.MARKDOWN,
            profile=KNOWLEDGE,
            max_tokens=embedder.max_tokens,
            count_tokens=embedder.count_tokens,
        )
    )
    cosines = await embedder.embed([chunk.text for chunk in chunks]) @ await embedder.embed_question(question)
    best = np.argsort(-cosines)[:LIMIT]
    passages = tuple(
        ScoredPassage(
            passage=Passage(
                id=str(at),
                document_id="1",
                title=title,
                kind=DocumentKind.MARKDOWN,
                page=1,
                start=chunks[at].start,
                end=chunks[at].end,
                section=chunks[at].section,
                text=chunks[at].text,
            ),
            cosine=float(cosines[at]),
            lexical=0.0,
            score=float(cosines[at]),
        )
        for at in best
    )
    return Retrieval(passages=passages, document_count=1, passage_count=len(chunks), embedder=embedder.name)


async def measure_best(embedder: Embedder, title: str, text: str, question: str) -> tuple[float, ...]:
    """Features of the passage with the closest sentence, which is the one that is judged."""
    read = read_question(question)
    retrieval = await retrieve_from(embedder, title, text, question)
    sentences = await gather_sentences(retrieval, read.terms, embedder)
    _, features = measure_closest(read, await embedder.embed_question(question), sentences)
    return astuple(features)


async def read_clapnq(embedder: Embedder) -> AsyncIterator[tuple[tuple[float, ...], bool]]:
    """Features and truth of the 300 questions."""
    for line in (DATA / "qa/clapnq/questions.jsonl").read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        text = " ".join(row["sentences"])
        yield await measure_best(embedder, row["title"], text, row["question"]), bool(row["answerable"])


async def read_xquad(language: str, embedder: Embedder) -> AsyncIterator[tuple[tuple[float, ...], bool]]:
    """Features of every third question with its own paragraph, and with the one that follows in the corpus."""
    folder = DATA / "retrieval" / f"xquad-{language}"
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        corpus = {row["_id"]: row["text"] for row in map(json.loads, lines)}
    ids = list(corpus)
    gold = dict(line.split("\t")[:2] for line in (folder / "qrels.tsv").read_text().splitlines()[1:])
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    for query in queries[::3]:
        own = gold[query["_id"]]
        other = ids[(ids.index(own) + 1) % len(ids)]  # mostly of the same article: the hard case
        for passage, is_answerable in ((own, True), (other, False)):
            yield await measure_best(embedder, "", corpus[passage], query["text"]), is_answerable


def fit(x: Numbers, y: Numbers) -> tuple[Numbers, float]:
    """Ridge logistic regression by Newton steps on standardised columns; weights for the raw columns."""
    mean, deviation = x.mean(0), x.std(0) + 1e-9
    z = np.column_stack([(x - mean) / deviation, np.ones(len(x))])
    ridge = np.diag([RIDGE] * x.shape[1] + [0.0])
    weights = np.zeros(z.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-z @ weights))
        hessian = (z * (p * (1 - p))[:, None]).T @ z + ridge
        weights -= np.linalg.solve(hessian, z.T @ (p - y) + ridge @ weights)
    raw = weights[:-1] / deviation
    return raw, float(weights[-1] - raw @ mean)


def predict(model: tuple[Numbers, float], x: Numbers) -> Numbers:
    """Probabilities."""
    return 1 / (1 + np.exp(-(x @ model[0] + model[1])))


def find_auroc(scores: Numbers, y: Numbers) -> float:
    """Chance that a positive outscores a negative, ties counted half."""
    difference = scores[y == 1][:, None] - scores[y == 0][None, :]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)


def cross_validate(x: Numbers, y: Numbers, shuffles: int = 10) -> Numbers:
    """Held-out probabilities, shape (shuffles, rows)."""
    held_out = np.zeros((shuffles, len(y)))
    for shuffle in range(shuffles):
        order = np.random.default_rng(shuffle).permutation(len(y))
        for fold in range(5):
            test = order[fold::5]
            train = np.setdiff1d(order, test)
            held_out[shuffle, test] = predict(fit(x[train], y[train]), x[test])
    return held_out


def report(x: Numbers, y: Numbers) -> None:
    """Print everything that docs/answerability.md holds of one embedder."""
    held_out = cross_validate(x, y)
    accuracies = ((held_out >= 0.5) == y).mean(1)
    aurocs = [find_auroc(row, y) for row in held_out]
    print(f"rows {len(y)}  accuracy {accuracies.mean():.3f}  AUROC {np.mean(aurocs):.3f}")
    print(f"closest sentence beyond the subject, alone: AUROC {find_auroc(x[:, 0], y):.3f}")
    print("| floor | answered of answerable | answered of unanswerable | accuracy |\n|---|---|---|---|")
    for floor in np.arange(0.2, 0.85, 0.05):
        answered = held_out >= floor
        right = (answered == y).mean()
        print(f"| {floor:.2f} | {answered[:, y == 1].mean():.3f} | {answered[:, y == 0].mean():.3f} | {right:.3f} |")
    weights, bias = fit(x, y)
    print(f"weights=({', '.join(f'{weight:.3f}' for weight in weights)}), bias={bias:.3f}")


async def main(name: str) -> None:
    """Measure, then report."""
    embedder: Embedder = MiniLmEmbedder() if name == "minilm" else HashingEmbedder()
    rows = [row async for row in read_clapnq(embedder)] if name != "words" else []
    for language in ("ar", "zh") if name == "words" else ():
        rows += [row async for row in read_xquad(language, embedder)]
    x, y = np.array([row[0] for row in rows]), np.array([float(row[1]) for row in rows])
    if name == "words":
        x[:, [0, 1, 2, 4]] = 0.0
    report(x, y)
    await embedder.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
