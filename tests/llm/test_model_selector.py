"""Which model is used: by setting, by choice, by rule; and what is refused."""

import asyncio
import json
import socket
from contextlib import aclosing
from pathlib import Path

import pytest
from pydantic import SecretStr

from deeptrust.domain.chat import Message
from deeptrust.errors import BadInput, BadSetting, Conflict, ModelUnavailable
from deeptrust.llm.choice import AUTO, ChoiceFile
from deeptrust.llm.sources.base import parameters_in
from tests.llm.model_server import FakeOllama, FakeOpenAi, Refuse, Say, serving
from tests.llm.shops import make_settings, open_shop
from tests.waiting import PATIENCE_SECONDS, until

HELLO = (Message(role="user", content="Hello"),)


async def test_k07_without_ollama_the_bundled_model_is_taken(tmp_path: Path) -> None:
    async with open_shop(make_settings(tmp_path)) as (selector, selection):
        await selector.refresh()
        assert (selector.choice, selector.current_id) == (AUTO, "bundled")
        assert selection.current is not None
        assert selection.writer is None, "a model of 135M does not write unless it is told to"
        assert selection.reviewer is None
        selection.answers = "written"
        assert selection.writer is selection.current


async def test_k07_ollama_comes_first_and_qwen3_8b_first_of_all(tmp_path: Path) -> None:
    ollama = FakeOllama()
    async with serving(ollama), open_shop(make_settings(tmp_path, ollama_url=ollama.url)) as (selector, selection):
        ollama.names = ["nomic-embed-text", "llama3:8b"]
        await selector.refresh()
        assert selector.current_id == "ollama:llama3:8b"
        ollama.names = ["llama3:8b", "qwen3:8b"]
        await selector.refresh()
        assert selector.current_id == "ollama:qwen3:8b"
        assert selection.writer is selection.current is not None
        assert selection.reviewer is selection.current
        ids = [offer.id for offer in selector.offers()]
        assert "ollama:nomic-embed-text" not in ids


async def test_a_model_that_ollama_passes_on_to_its_cloud_is_never_taken_by_itself(tmp_path: Path) -> None:
    ollama = FakeOllama()
    ollama.names = ["qwen3-coder:480b-cloud"]
    async with serving(ollama), open_shop(make_settings(tmp_path, ollama_url=ollama.url)) as (selector, _):
        await selector.refresh()
        assert selector.current_id == "bundled"
        assert selector.find("ollama:qwen3-coder:480b-cloud").reaches_network


async def test_k26_a_model_that_is_passed_on_under_another_name_is_told_and_never_taken_by_itself(
    tmp_path: Path,
) -> None:
    ollama = FakeOllama()
    ollama.names, ollama.remote_host = ["mine:latest"], "https://ollama.example"
    async with serving(ollama), open_shop(make_settings(tmp_path, ollama_url=ollama.url)) as (selector, _):
        await selector.refresh()
        assert selector.current_id == "bundled"
        assert selector.find("ollama:mine:latest").reaches_network
        await selector.choose("ollama:mine:latest")
        assert selector.current is not None
        assert selector.current.reaches_network
        assert (await selector.test()).text == "Hello there."


async def test_k26_nothing_is_sent_to_a_model_before_it_is_known_to_be_passed_on(tmp_path: Path) -> None:
    ollama = FakeOllama()
    ollama.names, ollama.remote_host = ["mine:latest"], "https://ollama.example"
    async with serving(ollama):
        settings = make_settings(tmp_path, ollama_url=ollama.url, chat_model="ollama:mine:latest")
        async with open_shop(settings) as (selector, selection):
            assert selection.current is not None
            assert not selection.current.reaches_network
            with pytest.raises(
                ModelUnavailable, match=r"passes what mine:latest is asked on to https://ollama\.example"
            ):
                await selection.current.complete(HELLO)
            assert not ollama.prompts()
            await selector.refresh()
            assert selection.current.reaches_network
            assert (await selection.current.complete(HELLO)).text == "Hello there."
        async with open_shop(settings.model_copy(update={"offline": True})) as (selector, _):
            await selector.refresh()
            assert selector.current_id == "bundled"


async def test_dep_05_ollama_that_starts_later_turns_green_by_itself(tmp_path: Path) -> None:
    ollama = FakeOllama()
    held = socket.socket()  # bound, so that nobody else can listen there, and deaf until the server starts
    held.bind(("127.0.0.1", 0))
    ollama.port = held.getsockname()[1]
    settings = make_settings(tmp_path, ollama_url=ollama.url)
    async with open_shop(settings) as (selector, selection):
        watching = asyncio.create_task(selector.watch())
        await until(lambda: "does not answer" in selector.find("ollama:qwen3:8b").message)
        assert selector.current_id == "bundled", "the app is up at once"
        late = await asyncio.start_server(ollama.serve, sock=held)
        await until(lambda: selector.current_id == "ollama:fake:1b")
        assert selection.current is not None
        assert (await selection.current.complete(HELLO)).text == "Hello there."
        watching.cancel()
        late.close()


async def test_a_choice_holds_after_a_restart(tmp_path: Path) -> None:
    ollama = FakeOllama()
    settings = make_settings(tmp_path, ollama_url=ollama.url)
    async with serving(ollama):
        settings = make_settings(tmp_path, ollama_url=ollama.url)
        async with open_shop(settings) as (selector, _):
            await selector.choose("none")
            await selector.refresh()
            assert (selector.choice, selector.current_id) == ("none", "none")
            await selector.choose("ollama:fake:1b")
        async with open_shop(settings) as (selector, selection):
            assert selector.current_id == "ollama:fake:1b"
            assert selection.current is not None
            await selector.choose(AUTO)
            assert ChoiceFile(tmp_path).read() == AUTO


async def test_a_damaged_choice_is_no_obstacle(tmp_path: Path) -> None:
    for text in ("{", "[]", json.dumps({"model": "gone:model"})):
        (tmp_path / "model.json").write_text(text)
        async with open_shop(make_settings(tmp_path)) as (selector, _):
            assert (selector.choice, selector.current_id) == (AUTO, "bundled")


async def test_a_setting_wins_and_says_so(tmp_path: Path) -> None:
    ChoiceFile(tmp_path).write("bundled")
    async with open_shop(make_settings(tmp_path, chat_model="none")) as (selector, selection):
        assert (selector.current_id, selection.current) == ("none", None)
        assert "DEEPTRUST_CHAT_MODEL=none decides" in selector.overview().fixed_by
        with pytest.raises(Conflict, match="DEEPTRUST_CHAT_MODEL=none decides"):
            await selector.choose("bundled")


async def test_a_setting_that_names_no_model_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"DEEPTRUST_CHAT_MODEL=bundeld is no model. The nearest is bundled."):
        async with open_shop(make_settings(tmp_path, chat_model="bundeld")):
            pass


async def test_k19_only_listed_models_can_be_chosen(tmp_path: Path) -> None:
    async with open_shop(make_settings(tmp_path)) as (selector, _):
        for model_id in ("../../etc/passwd", "hf.co/somebody/model", "ollama:", "qwen3-8b"):
            with pytest.raises(BadInput, match="There is no model"):
                await selector.choose(model_id)
        with pytest.raises(Conflict, match="Claude CLI not found"):
            await selector.choose("claude")
        assert selector.current_id == "bundled"


async def test_a_hosted_server_lets_nobody_choose_download_or_keep_keys(tmp_path: Path) -> None:
    async with open_shop(make_settings(tmp_path, mode="hosted")) as (selector, _):
        assert "operator" in selector.fixed_by
        with pytest.raises(Conflict, match="operator"):
            await selector.choose("none")
        with pytest.raises(Conflict, match="operator"):
            await selector.test()
        with pytest.raises(Conflict, match="operator"):
            selector.download("bundled")
        with pytest.raises(Conflict, match="operator"):
            await selector.set_key("endpoint", SecretStr("sk-1"))
        assert not (tmp_path / "keys.json").exists()


async def test_a_visitor_of_a_hosted_server_sees_the_model_in_use_and_no_address(tmp_path: Path) -> None:
    settings = make_settings(tmp_path, mode="hosted", endpoint_url="http://inside.example:8000/v1")
    async with open_shop(settings) as (selector, _):
        assert [offer.id for offer in selector.offers()] == ["bundled"]
        assert "inside.example" not in str(selector.overview())


async def test_whether_a_model_writes_is_known_once_its_server_was_seen(tmp_path: Path) -> None:
    ollama = FakeOllama()
    ollama.names = ["small:360m"]
    async with serving(ollama):
        settings = make_settings(tmp_path, ollama_url=ollama.url, chat_model="ollama:small:360m")
        ollama.answers["/api/tags"] = {"models": [{"model": "small:360m", "details": {"parameter_size": "361M"}}]}
        async with open_shop(settings) as (selector, selection):
            await selector.refresh()
            assert selection.current is not None
            assert selection.writer is None


async def test_a_reply_that_runs_may_end_when_its_model_is_replaced(tmp_path: Path) -> None:
    ollama = FakeOllama()
    ollama.will(Say("one two three four five six", token_seconds=0.05))
    async with serving(ollama), open_shop(make_settings(tmp_path, ollama_url=ollama.url)) as (selector, selection):
        await selector.refresh()
        old = selection.current
        assert old is not None
        async with aclosing(old.stream(HELLO)) as pieces:
            said = [await anext(pieces)]
            await selector.choose("none")
            said += [piece async for piece in pieces]
        assert "".join(said) == "one two three four five six"
        with pytest.raises(ModelUnavailable, match="was replaced"):
            await old.complete(HELLO)
        await until(lambda: ollama.open_connections == 0)


async def test_offline_what_leaves_the_machine_is_not_ready_and_not_asked(tmp_path: Path) -> None:
    settings = make_settings(
        tmp_path,
        offline=True,
        endpoint_url="http://192.0.2.1/v1",  # reserved for examples: nothing is ever there
        ollama_url="http://192.0.2.1:11434",
        chat_model="endpoint:big",
    )
    async with open_shop(settings) as (selector, selection):
        async with asyncio.timeout(PATIENCE_SECONDS):
            await selector.refresh()
        assert selector.current_id == "bundled"
        assert selection.current is not None
        assert not selection.current.reaches_network
        for offer in selector.offers():
            assert not (offer.reaches_network and offer.is_ready), offer
            if offer.reaches_network:
                assert "Not used offline" in offer.message


async def test_an_endpoint_is_offered_with_its_models(tmp_path: Path) -> None:
    endpoint = FakeOpenAi()
    endpoint.names = ["big-70b", "tiny-0.5b"]
    async with serving(endpoint), open_shop(make_settings(tmp_path, endpoint_url=endpoint.url)) as (selector, _):
        await selector.refresh()
        assert selector.current_id == "bundled", "hosted models only when the person chose them"
        assert [selector.find(f"endpoint:{name}").writes for name in endpoint.names] == [True, False]
        await selector.choose("endpoint:big-70b")
        assert selector.current_id == "endpoint:big-70b"


async def test_a_model_says_hello_and_how_fast(tmp_path: Path) -> None:
    ollama = FakeOllama()
    ollama.will(Say("Hello my friend.", token_seconds=0.01))
    async with serving(ollama), open_shop(make_settings(tmp_path, ollama_url=ollama.url)) as (selector, _):
        await selector.refresh()
        result = await selector.test()
        assert (result.text, result.completion_tokens) == ("Hello my friend.", 3)
        assert 0 < result.seconds_to_first < result.seconds
        assert result.tokens_per_second > 0
        await selector.choose("none")
        assert (await selector.test("ollama:fake:1b")).text == "Hello my friend."
        with pytest.raises(BadInput, match="nothing to test"):
            await selector.test()
        ollama.will(Refuse(500, {"error": "out of memory"}))
        with pytest.raises(ModelUnavailable, match="out of memory"):
            await selector.test("ollama:fake:1b")


def test_the_size_of_a_model_is_read_off_its_name() -> None:
    assert parameters_in("qwen3:8b") == 8e9
    assert parameters_in("SmolLM2-360M-Instruct") == 360e6
    assert parameters_in("Qwen2.5-0.5B") == 0.5e9
    assert parameters_in("8.2B") == pytest.approx(8.2e9)
    assert parameters_in("gpt-5-mini") is None
    assert parameters_in("bge-m3") is None
