from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.domain.chat import FinishReason
from deeptrust.llm.reply import Reply, Usage
from deeptrust.llm.thinking import ThinkingFilter, without_thinking


def said(pieces: Sequence[str]) -> str:
    thinking = ThinkingFilter()
    return "".join([*map(thinking.take, pieces), thinking.finish()])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<think>maybe {"a":1}</think>{"objective":"x"}', '{"objective":"x"}'),
        ("<THINKING depth='2'>hm</Thinking >yes", "yes"),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("one<reasoning>two</reasoning>three<think>four</think>five", "onethreefive"),
        ("<think>I never come to", ""),
        ("answer<think>afterthought", "answer"),
        ("thought first</think>answer", "thought first</think>answer"),
        ("1 < 2 and <thing> and <thinker>", "1 < 2 and <thing> and <thinker>"),
        ("ends in <thin", "ends in <thin"),
        ("", ""),
    ],
)
def test_llm_01_what_is_thought_is_not_said_however_it_is_split(text: str, expected: str) -> None:
    assert said([text]) == expected
    assert said(list(text)) == expected
    assert said([text[at : at + 3] for at in range(0, len(text), 3)]) == expected


@given(st.text(alphabet="<>/think a", max_size=60), st.lists(st.integers(0, 60)))
def test_how_a_text_is_split_makes_no_difference(text: str, cuts: list[int]) -> None:
    ends = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    assert said([text[a:b] for a, b in pairwise(ends)]) == said([text])


@given(st.text())
def test_a_text_without_marks_passes_whole(text: str) -> None:
    if "<" not in text:
        assert said(list(text)) == text


async def test_blank_lines_between_thinking_and_answer_go_too() -> None:
    async def reply() -> Reply:
        for piece in ("<think>", "hm", "</think>", "\n\n", "  Yes", " <thi", "s>"):
            yield piece
        yield Usage(FinishReason.END, 1, 7)

    items = [item async for item in without_thinking(reply())]
    assert "".join(item for item in items if isinstance(item, str)) == "Yes <this>"
    assert items[-1] == Usage(FinishReason.END, 1, 7)
