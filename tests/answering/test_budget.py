"""Tokens are counted before a call; what does not fit is left out whole and said."""

import pytest

from deeptrust.answering.budget import TokenBudget, tell_left_out
from deeptrust.answering.grounding import RULES, write_prompt
from deeptrust.answering.thinking import remove_thinking
from deeptrust.errors import BadInput
from deeptrust.llm.scripted import ScriptedModel
from tests.answering.builders import make_scored

MODEL = ScriptedModel(context_tokens=4096)


def test_llm_10_12000_tokens_into_4096_keep_the_rules_the_question_and_the_best_sources():
    passages = [make_scored(f"Source {number}. " + "word " * 600, number) for number in range(1, 13)]
    assert sum(MODEL.count_tokens(one.passage.text) for one in passages) >= 12_000
    prompt = write_prompt("What is the rule?", passages, MODEL, reply_tokens=400)
    system, user = prompt.messages
    assert system.content == RULES
    assert user.content.endswith("Question: What is the rule?")
    assert 0 < len(prompt.sources) < 12
    assert prompt.sources == tuple(passages[: len(prompt.sources)])
    assert sum(MODEL.count_tokens(message.content) for message in prompt.messages) + 400 <= 4096
    assert prompt.note == f"Left out of what Scripted reads (4,096 tokens): {prompt.dropped} of 12 sources."


def test_llm_10_a_question_that_alone_is_too_long_is_one_sentence():
    with pytest.raises(BadInput, match=r"The question does not fit into the 4,096 tokens that Scripted reads\."):
        write_prompt("why " * 4000, [make_scored("Because.")], MODEL, reply_tokens=400)


def test_a_source_is_never_cut_to_fit():
    with pytest.raises(BadInput, match="The question with its best source"):
        write_prompt("Why?", [make_scored("word " * 4000)], MODEL, reply_tokens=400)


def test_the_first_block_that_does_not_fit_ends_the_list():
    budget = TokenBudget(ScriptedModel(context_tokens=200), reply_tokens=50)
    assert budget.fit(["a" * 90, "b" * 900, "c"]) == ["a" * 90]


def test_nothing_left_out_says_nothing():
    assert tell_left_out(MODEL, (0, "sources")) == ""
    assert tell_left_out(MODEL, (2, "titles"), (0, "x"), (1, "passages")).endswith(": 2 titles, 1 passages.")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),
        ("a <THINKING>b", "a "),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("<reasoning x='1'>a\nb</reasoning>\nc", "\nc"),
        ("a thinker thinks <b>", "a thinker thinks <b>"),
        ("<seed:think>a</seed:think>b", "b"),
        ("[THINK]a[/THINK]b", "b"),
        ("◁think▷a◁/think▷b", "b"),
        ("<|begin_of_thought|>a<|end_of_thought|><|begin_of_solution|>b<|end_of_solution|>", "b"),
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>", "b"),
        ("<|channel|>analysis<|message|>a", ""),
        ("They [think] so [1].", "They [think] so [1]."),
    ],
)
def test_llm_01_thinking_is_no_answer(text: str, left: str):
    assert remove_thinking(text) == left
