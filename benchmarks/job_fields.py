"""How many fields of job postings are read right, wrong, or not at all.

    python -m benchmarks.job_fields [--show] [JSONL.GZ]

The first table counts the thirty postings of `tests/study/postings`, whose right fields are written beside them.
With a file of real postings (one JSON object a line, with "id" and "text") the second table counts how often each
field was found there; --show prints every value with its sentence, to be read by eye.
"""

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

from deeptrust.domain.study import JobFacts, Requirement, Stated
from deeptrust.study.facts import read_facts
from deeptrust.study.markup import to_text
from tests.study.right_fields import FIELDS, Judged, judge_file, posting_files

REAL = Path("../shared/data/jobs/job_postings.jsonl.gz")
OUTCOMES = ("right", "right: not stated", "missed", "wrong")


def _print_written(show: bool) -> None:
    judged = [(path.stem, one) for path in posting_files() for one in judge_file(path)]
    counts = Counter((one.field, one.outcome) for _, one in judged)
    print(f"{len(posting_files())} postings of our own\n{'':20}" + "".join(f"{outcome:>19}" for outcome in OUTCOMES))
    for field in FIELDS:
        print(f"{field:20}" + "".join(f"{counts[field, outcome]:19}" for outcome in OUTCOMES))
    print(f"{'all':20}" + "".join(f"{sum(one.outcome == out for _, one in judged):19}" for out in OUTCOMES))
    for name, one in judged:
        if one.outcome == "wrong" or (show and one.outcome == "missed"):
            print(f"  {one.outcome} {name}: {_describe(one)}")


def _describe(judged: Judged) -> str:
    return f"{judged.field}: read {judged.read!r}, right is {judged.expected!r}"


def _print_real(file: Path, show: bool) -> None:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    facts = {row["id"]: read_facts(to_text(row["text"])) for row in rows}
    print(f"\n{len(facts)} real postings{'':6}{'stated':>10}{'not stated':>12}{'values':>8}")
    for field in JobFacts.model_fields:
        found = [getattr(one, field) for one in facts.values()]
        values = sum(len(value) if isinstance(value, tuple) else bool(value) for value in found)
        print(f"{field:22}{sum(map(bool, found)):10}{sum(not value for value in found):12}{values:8}")
    for name, one in facts.items() if show else ():
        print(f"\n== {name}")
        _print_facts(one)


def _print_facts(facts: JobFacts) -> None:
    for field in JobFacts.model_fields:
        value = getattr(facts, field)
        values: tuple[Stated[object] | Requirement, ...] = (
            value if isinstance(value, tuple) else (value,) if value else ()
        )
        for one in values:
            read = f"{one.kind}, {one.years}, {one.terms}" if isinstance(one, Requirement) else one.value
            print(f"  {field}: {read}\n      {' '.join((one.quote or '').split())[:300]}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("real", nargs="?", type=Path, default=REAL)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    _print_written(options.show)
    if options.real.exists():
        _print_real(options.real, options.show)


if __name__ == "__main__":
    main()
