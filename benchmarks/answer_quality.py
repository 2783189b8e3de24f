"""How good the answers are: python -m benchmarks.answer_quality clapnq|covidqa|claims [--embedder hashing] [--limit N]

clapnq   each question asked through the library with only its passage in it: answered when it should be, refused
         when it should be, and the share of answers that quote a sentence which the annotators chose.
covidqa  the library holds all 98 articles: share answered, share that quotes the gold span. Then each question
         against the library without its article: share refused.
claims   the support check on annotated claims: balanced accuracy, and refuted claims called supported.
"""

import argparse
import asyncio
import contextlib
import gzip
import json
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from deeptrust.answering.calibration import find_calibration
from deeptrust.answering.evidence import gather_sentences
from deeptrust.answering.questions import read_question
from deeptrust.answering.relevance import judge
from deeptrust.documents.reader import FileReader
from deeptrust.domain.answer import AnswerDetail, Citation
from deeptrust.domain.document import WORKSPACE, Document, Retrieval, ScoredPassage
from deeptrust.domain.study import PackDocument
from deeptrust.embedding.base import Embedder
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.harness.local_rag import LocalRag
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.language.clean import fold_space
from deeptrust.llm.selection import ModelSelection
from deeptrust.trust.entailment import find_support

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CLAIM_SETS = (
    "scifact",
    "wice",
    "factcheck-bench",
    "fever-symmetric",
    "attributionbench",
    "healthver",
    "mtrag-faithfulness",
)
LONGEST_FILE = 50_000_000


@contextlib.asynccontextmanager
async def open_library(embedder: Embedder) -> AsyncIterator[Library]:
    """An empty library in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        pool = StorePool(Path(folder))
        try:
            yield Library(pool, str(uuid4()), embedder, FileReader(LONGEST_FILE))
        finally:
            await pool.close()


async def measure_clapnq(embedder: Embedder, limit: int) -> None:
    """Print right, wrongly refused, wrongly answered, and gold sentences quoted."""
    rows = [json.loads(line) for line in (DATA / "qa/clapnq/questions.jsonl").read_text().splitlines()]
    rows = [row for truth in (True, False) for row in [r for r in rows if r["answerable"] is truth][:limit]]
    right, quoted, opened, quotes, seconds = {True: 0, False: 0}, 0, 0, 0, []
    async with open_library(embedder) as library:
        for row in rows:
            text = f"# {row['title']}\n\n" + " ".join(row["sentences"])
            outcome = await library.add_file(text.encode(), "passage.md")
            began = time.perf_counter()
            detail = await ask(library, embedder, row["question"])
            seconds.append(time.perf_counter() - began)
            right[row["answerable"]] += detail.answer.grounded is row["answerable"]
            if row["answerable"]:
                citations = detail.answer.citations
                quoted += quotes_gold(citations, row)
                opened += quotes_gold(citations[:1], row)
                quotes += len(citations)
            if outcome.document:
                await library.remove(outcome.document.id)
    count = len(rows) // 2
    print(f"clapnq ({embedder.name}): {sum(right.values())} of {2 * count} right")
    print(f"  answered {right[True]} of {count} answerable, refused {right[False]} of {count} unanswerable")
    print(f"  opens with a gold sentence {opened}, quotes one {quoted}, quotes an answer {quotes / right[True]:.2f}")
    print(f"  median seconds {sorted(seconds)[count]:.2f}")


async def ask(library: Library, embedder: Embedder, question: str) -> AnswerDetail:
    """Ask as the command line does, without a chat model."""
    return await LocalRag(lambda _: library, embedder, ModelSelection(None)).ask("owner", WORKSPACE, question)


def quotes_gold(citations: Sequence[Citation], row: Mapping[str, Any]) -> bool:
    """Whether any quote shares a whole sentence with the annotators' choice."""
    gold = {fold_space(sentence) for chosen in row["selected_sentences"] for sentence in chosen}
    quotes = [fold_space(citation.quote) for citation in citations]
    return any(quote in sentence or sentence in quote for quote in quotes for sentence in gold)


async def measure_covidqa(embedder: Embedder, limit: int) -> None:
    """Print answered, right span quoted, refused without the article, and the curve of the floor."""
    folder = DATA / "qa/covidqa-articles"
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        articles = {row["_id"]: row["text"] for row in map(json.loads, lines)}
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    queries = queries[:: max(1, len(queries) // limit)]
    answered = gold = refused = 0
    found: list[float] = []
    foreign: list[float] = []
    async with open_library(embedder) as library:
        ids: dict[str, str] = {}
        for key, text in articles.items():
            outcome = await library.add_file(text.encode(), f"{key}.txt")
            ids[key] = outcome.document.id if outcome.document else ""
        for query in queries:
            detail = await ask(library, embedder, query["text"])
            answered += detail.answer.grounded
            gold += any(_overlaps(citation.quote, query["answer"]) for citation in detail.answer.citations)
            hidden = _Without(library, ids[query["doc_id"]])
            rag = LocalRag(lambda _, hidden=hidden: hidden, embedder, ModelSelection(None))
            refused += not (await rag.ask("owner", WORKSPACE, query["text"])).answer.grounded
            own = await library.retrieve(query["text"], collection=WORKSPACE, limit=4)
            if any(_overlaps(scored.passage.text, query["answer"]) for scored in own.passages):
                found.append(await find_probability(embedder, query["text"], own))
            others = await hidden.retrieve(query["text"], collection=WORKSPACE, limit=4)
            foreign.append(await find_probability(embedder, query["text"], others))
    count = len(queries)
    print(f"covidqa ({embedder.name}), {count} questions: answered {answered / count:.3f}")
    print(f"  gold span quoted {gold / count:.3f}; refused without the article {refused / count:.3f}")
    print(f"| floor | answered, passage found ({len(found)}) | answered without the article |\n|---|---|---|")
    for floor in (0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95):
        shares = [sum(value >= floor for value in values) / len(values) for values in (found, foreign)]
        print(f"| {floor:.2f} | {shares[0]:.3f} | {shares[1]:.3f} |")


async def find_probability(embedder: Embedder, text: str, retrieval: Retrieval) -> float:
    """The judge's probability for one question."""
    question = read_question(text)
    sentences = await gather_sentences(retrieval, question.terms, embedder)
    vector = await embedder.embed_question(text)
    return judge(question, vector, sentences, find_calibration(embedder.name), retrieval.passage_count).probability


class _Without:
    """A library as if one document were not in it: asks for more passages and leaves out those of that one."""

    def __init__(self, library: Library, document_id: str) -> None:
        self._library = library
        self._document_id = document_id

    async def retrieve(self, question: str, *, collection: str, limit: int) -> Retrieval:
        found = await self._library.retrieve(question, collection=collection, limit=60)
        others: list[ScoredPassage] = [p for p in found.passages if p.passage.document_id != self._document_id]
        return found.model_copy(update={"passages": tuple(others[:limit])})

    async def replace(self, collection: str, documents: Sequence[PackDocument]) -> list[Document]:
        """Not asked for here: packs are no part of this measurement."""
        return await self._library.replace(collection, documents)


def _overlaps(quote: str, answer: str) -> bool:
    quote, answer = fold_space(quote), fold_space(answer)
    return answer in quote or (len(quote) > 20 and quote in answer)


def measure_claims() -> None:
    """Print a table line for each set."""
    print("| set | claims | balanced accuracy | supported kept | not supported kept | refuted kept |")
    print("|---|---|---|---|---|---|")
    for name in CLAIM_SETS:
        rows = [row for row in read_claims(name) if row["label"] != "borderline"]
        kept = [
            find_support(row["claim"], " ".join(row["evidence"]), row.get("title") or "").is_supported for row in rows
        ]
        share: dict[str, float] = {}
        for group, labels in (("yes", {"supported"}), ("no", {"nei", "refuted", "partial", "not_supported"})):
            members = [one for one, row in zip(kept, rows, strict=True) if row["label"] in labels]
            share[group] = sum(members) / len(members)
        refuted = [one for one, row in zip(kept, rows, strict=True) if row["label"] == "refuted"]
        wrong = f"{sum(refuted) / len(refuted):.3f}" if refuted else "-"
        balanced = (share["yes"] + 1 - share["no"]) / 2
        print(f"| {name} | {len(rows)} | {balanced:.3f} | {share['yes']:.3f} | {share['no']:.3f} | {wrong} |")


def read_claims(name: str) -> list[dict[str, Any]]:
    """The claims of a set, packed or not."""
    path = DATA / "claims" / name / "claims.jsonl"
    text = path.read_text() if path.exists() else gzip.decompress(path.with_suffix(".jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


async def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["clapnq", "covidqa", "claims"])
    parser.add_argument("--embedder", choices=["minilm", "hashing"], default="minilm")
    parser.add_argument("--limit", type=int, default=150, help="questions (of each kind)")
    arguments = parser.parse_args()
    embedder: Embedder = MiniLmEmbedder() if arguments.embedder == "minilm" else HashingEmbedder()
    if arguments.what == "claims":
        measure_claims()
    elif arguments.what == "clapnq":
        await measure_clapnq(embedder, arguments.limit)
    else:
        await measure_covidqa(embedder, arguments.limit)
    await embedder.close()


if __name__ == "__main__":
    asyncio.run(main())
