"""The thirty postings of `postings/`: nothing is read wrong, nearly all is read, and every value has its sentence."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from deeptrust.domain.study import JobFacts, Requirement, Stated
from deeptrust.study.facts import read_facts
from deeptrust.study.markup import to_text
from tests.study.right_fields import judge_file, posting_files, read_file

MOST_MISSED = 8
TRAPS = [path for path in posting_files() if "trap" in path.stem]


@pytest.mark.parametrize("path", posting_files(), ids=lambda path: path.stem)
def test_no_field_is_wrong(path: Path):
    assert [one for one in judge_file(path) if one.outcome == "wrong"] == []


@pytest.mark.parametrize("path", posting_files(), ids=lambda path: path.stem)
def test_every_value_stands_in_the_sentence_that_it_cites(path: Path):
    _check_places(*read_file(path))


def test_there_are_thirty_postings_ten_of_them_traps():
    assert (len(posting_files()), len(TRAPS)) == (30, 10)


def test_few_stated_fields_are_missed():
    missed = [one for path in posting_files() for one in judge_file(path) if one.outcome == "missed"]
    assert len(missed) <= MOST_MISSED, missed


def test_every_value_of_the_real_postings_stands_in_its_sentence(shared_data: Path):
    with gzip.open(shared_data / "jobs" / "job_postings.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            text = to_text(json.loads(line)["text"])
            _check_places(text, read_facts(text))


def _check_places(text: str, facts: JobFacts) -> None:
    for one in _values(facts):
        assert one.quote is not None
        assert text[one.start : one.end] == one.quote
        if isinstance(one, Stated) and isinstance(one.value, str):
            words = " ".join(one.quote.split()).casefold()
            assert one.value.casefold() in words or one.value.isascii()


def _values(facts: JobFacts) -> Iterator[Stated[object] | Requirement]:
    for name in JobFacts.model_fields:
        value = getattr(facts, name)
        yield from value if isinstance(value, tuple) else (value,) if value else ()
