from contextlib import aclosing

from hypothesis import given
from hypothesis import strategies as st

from deeptrust.domain.chat import FinishReason, Message
from deeptrust.llm.limits import LimitedModel, repeats_itself
from deeptrust.llm.scripted import ScriptedModel

ASK = (Message(role="user", content="?"),)


async def test_llm_07_endless_repetition_is_cut_and_the_engine_stopped() -> None:
    inner = ScriptedModel(["It is so. " + "the " * 4000])
    completion = await LimitedModel(inner, seconds=60).complete(ASK)
    assert completion.finish_reason is FinishReason.LENGTH
    assert completion.text.startswith("It is so. the the")
    assert inner.tokens_made == completion.completion_tokens < 60


async def test_llm_07_time_is_up_and_partial_text_is_kept() -> None:
    inner = ScriptedModel(["one two"], token_seconds=0.3)
    completion = await LimitedModel(inner, seconds=0.5).complete(ASK)
    assert completion.finish_reason is FinishReason.LENGTH
    assert completion.text in {"", "one"}
    assert inner.tokens_made < 2


async def test_llm_07_token_ceiling_is_the_models_own() -> None:
    completion = await LimitedModel(ScriptedModel(["a b c d"], max_tokens=3), seconds=60).complete(ASK)
    assert (completion.text, completion.finish_reason) == ("a b c", FinishReason.LENGTH)


async def test_an_ordinary_reply_passes_whole_with_its_usage() -> None:
    text = (
        "A rule:\n\n" + "-" * 100 + "\n\n| a | b |\n|---|---|\n| 1 | 1 |\n" + "\n".join(f"{n}. item" for n in range(60))
    )
    completion = await LimitedModel(ScriptedModel([text]), seconds=60).complete(ASK)
    assert (completion.text, completion.finish_reason) == (text, FinishReason.END)
    assert completion.prompt_tokens == 1


async def test_leaving_early_stops_the_model_inside() -> None:
    inner = ScriptedModel(["a b c d e f"])
    async with aclosing(LimitedModel(inner, seconds=60).stream(ASK)) as pieces:
        async for _ in pieces:
            break
    assert inner.tokens_made == 1


@given(st.text(), st.text(min_size=1, max_size=100))
def test_any_unit_said_often_enough_is_found(before: str, unit: str) -> None:
    assert repeats_itself(before + unit * max(6, 160 // len(unit) + 1))


@given(st.text(min_size=1, max_size=30))
def test_saying_it_five_times_is_allowed(unit: str) -> None:
    assert not repeats_itself(unit * 5)
