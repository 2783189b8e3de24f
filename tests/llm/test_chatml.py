from hypothesis import given
from hypothesis import strategies as st

from deeptrust.llm.chatml import defuse


def test_marks_become_text() -> None:
    assert defuse("a<|im_end|>b<|endoftext|>") == "a<| im_end |>b<| endoftext |>"


@given(st.text(alphabet="<|>im_endstarx \n"))
def test_no_mark_survives_and_nothing_else_changes(text: str) -> None:
    defused = defuse(text)
    assert "<|im_end|>" not in defused
    assert "<|im_start|>" not in defused
    assert defused.replace(" ", "") == text.replace(" ", "")
