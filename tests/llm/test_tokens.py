"""The bounds of a count, against tokenizers that merge as much as any may."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from deeptrust.llm.tokens import estimate_tokens, fewest_tokens, most_tokens

TEXTS = st.one_of(
    st.text(max_size=300),
    st.text(alphabet="0123456789 ,.\n", max_size=300),
    st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x4E20), max_size=300),
    st.lists(st.sampled_from(["river", "telecommunications", "----------------", "0" * 300, "東京の人口は多い"])).map(
        " ".join
    ),
)


def count_merged(text: str) -> int:
    """Tokens of a byte-level tokenizer that was trained on this one text, until nothing was left to merge."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=100_000,
        min_frequency=0,
        show_progress=False,
        max_token_length=64,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator([text], trainer)
    return len(tokenizer.encode(text).ids)


@given(TEXTS)
@settings(max_examples=150, deadline=None)
def test_llm_10_no_tokenizer_is_outside_the_bounds(text: str) -> None:
    assert fewest_tokens(text) <= count_merged(text) <= most_tokens(text)


@given(TEXTS)
@settings(max_examples=150, deadline=None)
def test_the_estimate_is_above_the_lower_bound_and_grows_with_the_text(text: str) -> None:
    assert fewest_tokens(text) <= estimate_tokens(text)
    assert estimate_tokens(text) <= estimate_tokens(text + "7")


@pytest.mark.parametrize(
    ("text", "expected"), [("", 8), ("river", 9), ("1234567890", 18), ("3.14 and 2.71", 6 + 7 // 3 + 8)]
)
def test_digits_count_one_each(text: str, expected: int) -> None:
    assert estimate_tokens(text) == expected
