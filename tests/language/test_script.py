"""Scripts."""

import pytest

from deeptrust.language.script import is_latin


@pytest.mark.parametrize(("text", "expected"), [("Où est-ce?", True), ("1998?", True), ("水的沸点", False)])
def test_latin(text: str, expected: bool):
    assert is_latin(text) is expected
