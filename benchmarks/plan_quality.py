"""How plans come about: python -m benchmarks.plan_quality [--limit 100] [--chat-model bundled|none]

Questions of qa/clapnq are planned as a research run plans them, up to the human gate. Counted: plans that reached it
(usable: they passed schema, sense and policy), where each came from, attempts refused, and seconds a question.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path

from deeptrust.composition import open_services
from deeptrust.domain.run import PlanProposed, RunKind, RunRequest, RunStatus
from deeptrust.settings import load_settings

QUESTIONS = Path(__file__).resolve().parents[2] / "shared" / "data" / "qa" / "clapnq" / "questions.jsonl"


async def main(limit: int, chat_model: str) -> None:
    """Plan `limit` questions spread over the set, and print the counts."""
    rows = [json.loads(line)["question"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    questions = rows[:: max(1, len(rows) // limit)][:limit]
    origins: Counter[str] = Counter()
    usable = 0
    seconds: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(home=Path(home), offline=True, chat_model=chat_model)
        async with open_services(settings) as services:
            owner = services.local_user
            services.set_answers("quoted" if chat_model == "none" else "written")  # a model that may write plans too
            await services.add_samples(owner)
            for question in questions:
                began = time.perf_counter()
                run_id = await services.runner.start(owner, RunRequest(kind=RunKind.RESEARCH, question=question))
                view = await services.history.wait(owner, run_id)
                seconds.append(time.perf_counter() - began)
                usable += view.status is RunStatus.AWAITING_APPROVAL
                bodies = [event.body for event in await services.history.events(owner, run_id)]
                plans = [body for body in bodies if isinstance(body, PlanProposed)]
                origins[plans[-1].origin if plans else "none"] += 1
                await services.runner.cancel(owner, run_id)
    print(f"chat model {chat_model}: {usable} of {len(questions)} plans usable")
    for origin, count in origins.most_common():
        print(f"  {origin:<10} {count}")
    print(f"  seconds a question: median {statistics.median(seconds):.1f}, longest {max(seconds):.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--chat-model", default="bundled")
    given = parser.parse_args()
    asyncio.run(main(given.limit, given.chat_model))
