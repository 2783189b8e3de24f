import asyncio

import pytest

from deeptrust.domain.chat import Message, ModelPhase
from deeptrust.llm.bundled import BundledModel

pytestmark = pytest.mark.models
LONG_PROMPT = (Message(role="user", content=" ".join(f"river {number}" for number in range(1200))),)
SHORT_PROMPT = (Message(role="user", content="Hello"),)


async def test_stop_while_the_prompt_is_read_makes_no_token() -> None:
    model = BundledModel()
    await model.load()
    task = asyncio.create_task(model.complete(LONG_PROMPT))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await model.complete(SHORT_PROMPT, max_tokens=3)).completion_tokens == 3
    assert model.tokens_made == 3
    await model.close()


async def test_constructor_gives_the_longest_reply() -> None:
    model = BundledModel(max_tokens=2, temperature=0)
    assert (await model.complete(SHORT_PROMPT)).completion_tokens == 2
    await model.close()


async def test_progress_of_loading_rises_to_ready() -> None:
    model = BundledModel()
    seen = [model.state]
    loading = asyncio.create_task(model.load())
    while not loading.done():
        await asyncio.sleep(0.001)
        seen.append(model.state)
    await loading
    percents = [state.progress for state in seen]
    assert percents == sorted(percents)
    assert ModelPhase.LOADING in {state.phase for state in seen}
    await model.close()


async def test_close_while_loading_waits_and_frees() -> None:
    model = BundledModel()
    loading = asyncio.create_task(model.load())
    await asyncio.sleep(0)
    await model.close()
    await loading
    assert model.state.phase is ModelPhase.ABSENT
