"""The right fields of the postings in `postings/`, and how what was read compares with them.

Beside `NN-name.md` (or .txt, .html) stands `NN-name.json`: a field that it does not name is not stated in the posting.
A date is "2027-01-15" where day, month and year are beyond doubt, else the posting's own words.
Requirements are [kind, years, how the text begins]; pay is [minimum, maximum, currency, period].
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deeptrust.domain.study import JobFacts, Moment, Pay, Requirement
from deeptrust.study.facts import read_facts
from deeptrust.study.markup import to_text

FOLDER = Path(__file__).parent / "postings"
FIELDS = tuple(name for name in JobFacts.model_fields if name != "description")


@dataclass(frozen=True)
class Judged:
    """One value: `right`, `right: not stated`, `wrong`, or `missed` (stated, but not read)."""

    field: str
    outcome: str
    read: object
    expected: object


def posting_files() -> list[Path]:
    return sorted(path for path in FOLDER.iterdir() if path.suffix != ".json")


def read_file(path: Path) -> tuple[str, JobFacts]:
    """The posting's text and what is read from it."""
    text = to_text(path.read_text(encoding="utf-8"))
    return text, read_facts(text)


def judge_file(path: Path) -> list[Judged]:
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert set(expected) <= set(FIELDS), f"{path.stem}: {set(expected) - set(FIELDS)} are no fields"
    facts = read_file(path)[1]
    return [judged for field in FIELDS for judged in _judge(field, getattr(facts, field), expected.get(field))]


def _judge(field: str, read: Any, expected: Any) -> Iterator[Judged]:
    values = list(read) if isinstance(read, tuple) else [read] if read else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    wanted: list[Any] = expected if isinstance(expected, list) else [expected] if expected else []
    if not values and not wanted:
        yield Judged(field, "right: not stated", None, None)
    open_values: list[Any] = list(values)  # pyright: ignore[reportUnknownArgumentType]
    for want in wanted:
        match = next((value for value in open_values if _is_same(value, want)), None)
        if match is not None:
            open_values.remove(match)
        yield Judged(field, "right" if match is not None else "missed", match, want)
    for value in open_values:
        yield Judged(field, "wrong", value if isinstance(value, Requirement) else value.value, wanted)


def _is_same(read: Any, want: Any) -> bool:
    if isinstance(read, Requirement):
        kind, years, beginning = want
        return read.kind == kind and read.years == years and read.text.casefold().startswith(beginning.casefold())
    value = read.value
    if isinstance(value, Pay):
        return [value.minimum, value.maximum, value.currency, value.period] == want
    if isinstance(value, Moment):
        return (value.day.isoformat() if value.day else value.text) == want
    return " ".join(value.split()) == want
