import asyncio
from contextlib import aclosing
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.domain.chat import FinishReason, Message, ModelPhase
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.limits import LimitedModel, ReplyLimits, repeats_itself
from deeptrust.llm.reply import ChatRequest, Reply
from deeptrust.llm.scripted import ScriptedModel
from tests.waiting import until

ASK = (Message(role="user", content="?"),)
LIMITS = ReplyLimits(total_seconds=60)


class FallsSilent(ScriptedModel):
    async def reply(self, request: ChatRequest) -> Reply:
        yield "So far"
        await asyncio.sleep(600)


class Held(ScriptedModel):
    """Says nothing before it is let go."""

    def __init__(self) -> None:
        super().__init__(["late but whole"])
        self.may_say = asyncio.Event()

    async def reply(self, request: ChatRequest) -> Reply:
        await self.load()
        await self.may_say.wait()
        async for item in super().reply(request):
            yield item


class OnlyBlank(ScriptedModel):
    async def reply(self, request: ChatRequest) -> Reply:
        yield "\n"
        await asyncio.sleep(600)


class Flood(ScriptedModel):
    """Takes no notice of the longest reply."""

    async def reply(self, request: ChatRequest) -> Reply:
        for number in count():
            yield f"{number} "


async def test_llm_07_endless_repetition_is_cut_and_the_engine_stopped() -> None:
    inner = ScriptedModel(["It is so. " + "the " * 4000])
    completion = await LimitedModel(inner, LIMITS).complete(ASK)
    assert completion.finish_reason is FinishReason.LENGTH
    assert completion.text.startswith("It is so. the the")
    assert inner.tokens_made == completion.completion_tokens < 60


async def test_llm_07_time_is_up_and_partial_text_is_kept_with_the_reason() -> None:
    completion = await LimitedModel(FallsSilent(), ReplyLimits(total_seconds=1)).complete(ASK)
    assert (completion.text, completion.finish_reason) == ("So far", FinishReason.LENGTH)
    assert completion.note == "The reply was cut: it took longer than 1 seconds."


async def test_silence_inside_a_reply_cuts_it_with_the_reason() -> None:
    completion = await LimitedModel(FallsSilent(), ReplyLimits(idle_seconds=0.1)).complete(ASK)
    assert (completion.text, completion.finish_reason) == ("So far", FinishReason.LENGTH)
    assert completion.note == "The reply was cut: no word came for 0.1 seconds."


async def test_llm_13_a_model_that_says_nothing_is_told_and_not_asked_again() -> None:
    inner = ScriptedModel(["late"], prompt_seconds=600)
    with pytest.raises(ModelUnavailable, match=r"Model time-out: Scripted said nothing for 0.1 seconds"):
        await LimitedModel(inner, ReplyLimits(first_token_seconds=0.1)).complete(ASK)
    assert len(inner.prompts) == 1


async def test_llm_13_silence_after_a_blank_beginning_names_the_limit_that_it_reached() -> None:
    with pytest.raises(ModelUnavailable, match=r"said nothing for 0.1 seconds. .* DEEPTRUST_IDLE_SECONDS"):
        await LimitedModel(OnlyBlank(), ReplyLimits(idle_seconds=0.1)).complete(ASK)


async def test_llm_13_the_whole_reply_has_a_limit_as_well() -> None:
    inner = ScriptedModel(["late"], prompt_seconds=600)
    with pytest.raises(ModelUnavailable, match=r"Model time-out: Scripted gave no answer within 0.1 seconds"):
        await LimitedModel(inner, ReplyLimits(total_seconds=0.1)).complete(ASK)


async def test_llm_09_a_slow_first_token_outlasts_the_idle_limit_and_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deeptrust.llm.limits._SILENT_SECONDS", 0.05)
    inner = Held()
    model = LimitedModel(inner, ReplyLimits(idle_seconds=0.05))
    task = asyncio.create_task(model.complete(ASK))
    await until(lambda: model.state.phase is ModelPhase.LOADING)
    assert "loaded" in model.state.message
    await asyncio.sleep(0.1)  # longer than the idle limit
    inner.may_say.set()
    assert (await task).text == "late but whole"
    assert model.state.phase is ModelPhase.READY
    assert len(inner.prompts) == 1


@pytest.mark.parametrize("blank", ["", "   ", "\n\n"])
async def test_llm_06_an_empty_reply_is_asked_for_once_more(blank: str) -> None:
    completion = await LimitedModel(ScriptedModel([blank, "Now."]), LIMITS).complete(ASK)
    assert completion.text == "Now."
    assert completion.prompt_tokens == 2


async def test_llm_06_two_empty_replies_are_no_answer() -> None:
    inner = ScriptedModel([" ", "", "too late"])
    with pytest.raises(ModelUnavailable, match="Scripted gave no answer, twice"):
        await LimitedModel(inner, LIMITS).complete(ASK)
    assert len(inner.prompts) == 2


async def test_leading_blanks_of_a_real_reply_stay() -> None:
    assert (await LimitedModel(ScriptedModel(["\n  indented"]), LIMITS).complete(ASK)).text == "\n  indented"


async def test_llm_07_a_model_that_ignores_the_ceiling_is_cut_at_it() -> None:
    model = LimitedModel(Flood(), ReplyLimits(max_tokens=100))
    completion = await model.complete(ASK)
    assert (completion.finish_reason, completion.completion_tokens) == (FinishReason.LENGTH, 101)
    assert completion.note == "The reply was cut at 100 tokens."
    assert (await model.complete(ASK, max_tokens=10)).completion_tokens == 11


async def test_llm_07_token_ceiling_is_the_models_own() -> None:
    completion = await LimitedModel(ScriptedModel(["a b c d"], max_tokens=3), LIMITS).complete(ASK)
    assert (completion.text, completion.finish_reason) == ("a b c", FinishReason.LENGTH)
    assert completion.note.startswith("The reply was cut at")


async def test_an_ordinary_reply_passes_whole_with_its_usage() -> None:
    text = (
        "A rule:\n\n" + "-" * 100 + "\n\n| a | b |\n|---|---|\n| 1 | 1 |\n" + "\n".join(f"{n}. item" for n in range(60))
    )
    completion = await LimitedModel(ScriptedModel([text]), LIMITS).complete(ASK)
    assert (completion.text, completion.finish_reason) == (text, FinishReason.END)
    assert completion.prompt_tokens == 1


async def test_leaving_early_stops_the_model_inside() -> None:
    inner = ScriptedModel(["a b c d e f"])
    async with aclosing(LimitedModel(inner, LIMITS).stream(ASK)) as pieces:
        async for _ in pieces:
            break
    assert inner.tokens_made == 1


@given(st.text(), st.text(min_size=1, max_size=100))
def test_any_unit_said_often_enough_is_found(before: str, unit: str) -> None:
    assert repeats_itself(before + unit * max(6, 160 // len(unit) + 1))


@given(st.text(min_size=1, max_size=30))
def test_saying_it_five_times_is_allowed(unit: str) -> None:
    assert not repeats_itself(unit * 5)
