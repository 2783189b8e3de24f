import asyncio

import pytest

from deeptrust.domain.chat import Message
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.scripted import ScriptedModel


def ask(text: str) -> tuple[Message, ...]:
    return (Message(role="user", content=text),)


async def test_default_quotes_the_first_source() -> None:
    prompt = "Sources:\n[1] Deadlines\nA claim is due within 30 days. It is free.\n[2] Other\nNothing here at all."
    completion = await ScriptedModel().complete(ask(prompt))
    assert completion.text.endswith("A claim is due within 30 days. [1]")
    assert "[2]" not in completion.text


async def test_default_without_sources_says_so() -> None:
    assert (await ScriptedModel().complete(ask("Hello?"))).text == "The sources do not say."


async def test_replies_come_in_order_and_the_last_one_stays() -> None:
    model = ScriptedModel(["one", "two"])
    assert [(await model.complete(ask("?"))).text for _ in range(3)] == ["one", "two", "two"]
    assert model.prompts == [ask("?")] * 3


async def test_failure_on_purpose() -> None:
    model = ScriptedModel([ModelUnavailable("The engine failed."), "back"])
    with pytest.raises(ModelUnavailable, match="The engine failed"):
        await model.complete(ask("?"))
    assert (await model.complete(ask("?"))).text == "back"


async def test_text_arrives_unchanged() -> None:
    text = "  A  table:\n\n| a | b |\n"
    assert (await ScriptedModel([text]).complete(ask("?"))).text == text


async def test_stop_while_the_prompt_is_read_makes_no_token() -> None:
    model = ScriptedModel(["never said"], prompt_seconds=60)
    task = asyncio.create_task(model.complete(ask("?")))
    while not model.prompts:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.tokens_made == 0
