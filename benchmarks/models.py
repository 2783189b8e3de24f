"""What each chat model is worth here: python -m benchmarks.models [--limit 50] [--plans 20] [--models none,bundled]

The same questions of qa/clapnq go through the product itself, a library with one passage each: half of them it
answers, half it does not. The table in docs/models.md is written anew between its marks.

right       answerable questions whose answer cites a sentence that the annotators chose
abstained   unanswerable questions that got no answer
unsupported sentences shown without a quote that stands in their passage to the letter, or that the passage does not
            support (checked here, from the shown text and the stored passages alone); the goal is 0
plans       made by the model at the first attempt, after its faults were told, or built from the question
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.answer_quality import quotes_gold
from benchmarks.shown_sentences import find_unsupported
from deeptrust.composition import open_services
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.model import Backend
from deeptrust.domain.plan import PlanOrigin
from deeptrust.domain.run import AnswerReady, PlanProposed, ReasoningEntry, RunKind, RunRequest
from deeptrust.services import Services
from deeptrust.settings import load_settings

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT.parent / "shared" / "data" / "qa" / "clapnq" / "questions.jsonl"
PAGE = ROOT / "docs" / "models.md"
BEGIN, END = "<!-- bench-models -->", "<!-- /bench-models -->"
SERVED = {Backend.OLLAMA: "DEEPTRUST_OLLAMA_URL", Backend.ENDPOINT: "DEEPTRUST_ENDPOINT_URL"}
"""Models of a server are measured if its variable is set."""

Row = Mapping[str, Any]


@dataclass
class Score:
    """What was counted for one model. `tokens` are those of prompts and replies, a question."""

    name: str
    right: int = 0
    answered: int = 0
    abstained: int = 0
    written: int = 0
    sentences: int = 0
    unsupported: int = 0
    seconds: list[float] = field(default_factory=list[float])
    tokens: list[int] = field(default_factory=list[int])
    plans: Counter[str] = field(default_factory=Counter[str])
    plan_seconds: list[float] = field(default_factory=list[float])


async def list_models() -> list[str]:
    """Ids of what can be measured: quotes, the bundled model, downloaded ones, and those of named servers."""
    with tempfile.TemporaryDirectory() as home:
        async with open_services(load_settings(home=Path(home), models=_models_folder())) as services:
            await services.selector.refresh()
            offers = [offer for offer in services.selector.offers() if offer.is_ready]
    return [
        offer.id
        for offer in offers
        if offer.backend in (Backend.EXTRACTIVE, Backend.BUNDLED, Backend.DOWNLOADED)
        or os.environ.get(SERVED.get(offer.backend, ""))
    ]


async def measure(model_id: str, rows: Sequence[Row], plans: int) -> Score:
    """Ask every question of `rows` and plan the first `plans` of them, in a home of its own."""
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(home=Path(home), chat_model=model_id, answers="written", models=_models_folder())
        async with open_services(settings) as services:
            await services.selector.refresh()
            model = services.models.current
            score = Score("Quotes, no model" if model is None else model.name)
            if model is not None:
                await model.load()
            for number, row in enumerate(rows):
                await _measure_one(services, row, score, has_plan=number < plans)
    return score


async def _measure_one(services: Services, row: Row, score: Score, *, has_plan: bool) -> None:
    library = services.library(services.local_user)
    text = f"# {row['title']}\n\n" + " ".join(row["sentences"])
    document = (await library.add_file(text.encode(), "passage.md")).document
    await _ask(services, row, score)
    if has_plan:
        await _plan(services, row["question"], score)
    if document:
        await library.remove(document.id)


async def _ask(services: Services, row: Row, score: Score) -> None:
    runner, owner = services.runner, services.local_user
    began = time.perf_counter()
    run_id = await runner.start(owner, RunRequest(question=row["question"]))
    await runner.history.wait(owner, run_id)
    score.seconds.append(time.perf_counter() - began)
    bodies = [event.body for event in await runner.history.events(owner, run_id)]
    score.tokens.append(sum(call.prompt_tokens + call.completion_tokens for call in _calls(bodies)))
    detail = next(body.detail for body in bodies if isinstance(body, AnswerReady))
    answer = detail.answer
    score.abstained += not row["answerable"] and not answer.grounded
    score.answered += row["answerable"] and answer.grounded
    score.right += row["answerable"] and quotes_gold(answer.citations, row)
    if answer.grounded:
        library = services.library(owner)
        passages = {one.passage_id: await library.passage(one.passage_id) for one in answer.citations}
        shown, unsupported = find_unsupported(answer, passages)
        score.written += answer.model is not None
        score.sentences += shown
        score.unsupported += len(unsupported)
        for sentence in unsupported:
            print(f"  unsupported ({score.name}): {sentence}", flush=True)


async def _plan(services: Services, question: str, score: Score) -> None:
    runner, owner = services.runner, services.local_user
    began = time.perf_counter()
    run_id = await runner.start(owner, RunRequest(kind=RunKind.RESEARCH, question=question))
    await runner.history.wait(owner, run_id)
    score.plan_seconds.append(time.perf_counter() - began)
    bodies = [event.body for event in await runner.history.events(owner, run_id)]
    attempts = sum(call.purpose == "plan" for call in _calls(bodies))
    origin = next(body.origin for body in bodies if isinstance(body, PlanProposed))
    score.plans["fallback" if origin is PlanOrigin.QUESTION else "first" if attempts == 1 else "repaired"] += 1
    await runner.forget(owner, run_id)


def _calls(bodies: Sequence[object]) -> list[ModelCall]:
    return [call for body in bodies if isinstance(body, ReasoningEntry) for call in body.calls]


def _models_folder() -> Path:
    settings = load_settings()
    return settings.models or settings.home_folder / "models"


def read_rows(limit: int) -> list[Row]:
    """`limit` questions of each kind, spread over the set, kinds in turn; the same ones each time."""
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    kinds = [[row for row in rows if row["answerable"] is kind] for kind in (True, False)]
    spread = [kind[:: max(1, len(kind) // limit)][:limit] for kind in kinds]
    return [row for pair in zip(*spread, strict=True) for row in pair]


def write_table(scores: Sequence[Score], count: int, command: str) -> str:
    """The table with its date, machine and command, as Markdown."""
    lines = [
        f"Measured {date.today().isoformat()} on {_cpu()}: `{command}`.",
        "",
        f"| | right, of {count} | answered | abstained, of {count} | by the model | unsupported sentences | "
        "seconds, median / p95 | tokens a question | plans: first / repaired / fallback | seconds a plan |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for one in scores:
        plans = " / ".join(str(one.plans[kind]) for kind in ("first", "repaired", "fallback"))
        ordered = sorted(one.seconds)
        slow = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
        lines.append(
            f"| {one.name} | {one.right} | {one.answered} | {one.abstained} | {one.written} | "
            f"{one.unsupported} of {one.sentences} | {statistics.median(ordered):.1f} / {slow:.1f} | "
            f"{statistics.mean(one.tokens):,.0f} | {plans} | "
            f"{f'{statistics.median(one.plan_seconds):.1f}' if one.plan_seconds else '-'} |"
        )
    return "\n".join(lines)


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def put_table(page: str, table: str) -> str:
    """The page with the table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


async def main() -> None:
    """Measure, and write the table into the page after each model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=50, help="questions of each kind")
    parser.add_argument("--plans", type=int, default=20, help="questions that are planned too")
    parser.add_argument("--models", default="", help="ids, comma separated; by default all that are at hand")
    given = parser.parse_args()
    rows = read_rows(given.limit)
    names = given.models.split(",") if given.models else await list_models()
    chosen = f" --models {given.models}" if given.models else ""
    command = f"make bench-models ARGS='--limit {given.limit} --plans {given.plans}{chosen}'"
    scores, table = list[Score](), ""
    for name in names:
        print(f"{name} ...", flush=True)
        scores.append(await measure(name, rows, given.plans))
        table = write_table(scores, len(rows) // 2, command)
        PAGE.write_text(put_table(PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")
    print(table)


if __name__ == "__main__":
    asyncio.run(main())
