"""A prompt that Ollama has cut in silence is told by the count that it gives back (LLM-10)."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.domain.chat import Message
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.ollama import OllamaModel
from deeptrust.llm.ollama_cut import was_cut
from deeptrust.llm.served import ServingOptions
from tests.llm.model_server import MODEL, FakeOllama, Say, serving

WINDOW = 4096
CUT_TO_HALF = 2051
"""What Ollama 0.33.3 was seen to say of a prompt of 9,200 tokens in a window of 4,096."""


def said(text: str) -> tuple[Message, ...]:
    return (Message(role="user", content=text),)


@pytest.fixture
async def server() -> AsyncIterator[FakeOllama]:
    made = FakeOllama()
    async with serving(made):
        yield made


@pytest.fixture
async def model(server: FakeOllama) -> AsyncIterator[OllamaModel]:
    made = OllamaModel(MODEL, ServingOptions(context_tokens=WINDOW, max_tokens=1000), url=server.url)
    yield made
    await made.close()


@pytest.mark.parametrize(
    ("text", "read_tokens"),
    [
        ("river " * 1900, 1800),
        ("ℵ" * 3900, CUT_TO_HALF),
        ("ℵ" * 3900, CUT_TO_HALF - 1),
        ("ℵ" * 3900, WINDOW - 1),
        ("7" * 3900, WINDOW - 1),
    ],
    ids=["fewer than words", "half, with a mark at the start", "half", "full", "a row of digits"],
)
async def test_the_reply_to_a_prompt_that_was_cut_is_dropped(
    server: FakeOllama, model: OllamaModel, text: str, read_tokens: int
) -> None:
    server.will(Say("The rule is gone.", prompt_tokens=read_tokens))
    with pytest.raises(ModelUnavailable, match=rf"Ollama read {read_tokens:,} tokens and seems to have cut the prompt"):
        await model.complete(said(text))


@pytest.mark.parametrize("read_tokens", [1800, 2500, 3000])
async def test_the_reply_to_a_prompt_that_was_read_whole_is_kept(
    server: FakeOllama, model: OllamaModel, read_tokens: int
) -> None:
    server.will(Say("The rule holds.", prompt_tokens=read_tokens))
    assert (await model.complete(said("river " * 1800))).prompt_tokens == read_tokens


@given(st.text(max_size=200), st.integers(min_value=0, max_value=5000))
def test_what_must_have_fitted_is_cut_only_below_the_lower_bound(text: str, read_tokens: int) -> None:
    is_cut = was_cut(said(text), read_tokens, context_tokens=WINDOW, reply_tokens=3000)
    assert is_cut == (read_tokens < len(text.split()) or (is_cut and len(text) > 64 and read_tokens <= len(text) // 64))


@given(st.integers(min_value=5000, max_value=40_000), st.sampled_from([4, 5]), st.sampled_from([2048, 4096, 8192]))
def test_the_cut_of_ollama_is_known_in_every_window(length: int, kept: int, window: int) -> None:
    left = window - (window - kept) // 2
    assert was_cut(said("ℵ" * length), left, context_tokens=window, reply_tokens=100)
    assert not was_cut(said("ℵ" * length), left + 100, context_tokens=window, reply_tokens=100)
