"""docs/reliability.md is complete and names no test that does not exist."""

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]

# The rows of the bug log in the areas storage, auth, deploy and UI; the log itself may be absent.
ROWS = {
    "STO": (2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24),
    "AUT": (1, 3, 4, 6, 7, 9, 10, 12, 13, 15),
    "DEP": (1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17),
    "UI": (1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20),
}


def read_page() -> str:
    return (PROJECT / "docs" / "reliability.md").read_text(encoding="utf-8")


def test_every_row_of_the_four_areas_stands_in_the_table_once():
    wanted = [f"{area}-{number:02d}" for area, numbers in ROWS.items() for number in numbers]
    assert sorted(re.findall(r"^\| ([A-Z]+-\d\d) \|", read_page(), re.MULTILINE)) == sorted(wanted)


def test_every_test_that_is_named_exists():
    code = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "tests").rglob("test_*.py"))
    defined = set(re.findall(r"def (test_\w+)\(", code))
    named = set(re.findall(r"`(test_\w+)`", read_page()))
    assert named
    assert named - defined == set()
