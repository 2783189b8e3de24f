"""Addresses of model servers that a person keeps in their home: which are taken, which are refused, where keys go."""

import json
from pathlib import Path
from typing import get_args

import pytest
from pydantic import SecretStr

from deeptrust.errors import BadInput, BadSetting, Conflict, ModelUnavailable
from deeptrust.llm.server_settings import ServerSetting
from deeptrust.settings import Settings
from tests.live import free_port
from tests.llm.model_server import FakeOllama, FakeOpenAi, Refuse, serving
from tests.llm.shops import make_settings, open_shop

CANARY = "sk-canary-2c41"
NO_LIST = Refuse(404, {"detail": "Not Found"})


def bare_settings(home: Path, **values: object) -> Settings:
    """Settings in which the environment names no server."""
    return Settings.model_validate({"home": home, "claude_command": "no-such-program", **values})


async def test_an_address_that_is_kept_is_used_at_once_and_after_a_restart(tmp_path: Path) -> None:
    endpoint = FakeOpenAi()
    async with serving(endpoint):
        async with open_shop(bare_settings(tmp_path)) as (selector, _):
            assert "Give its base address" in selector.find("endpoint:").message
            await selector.set_server("endpoint_url", f" {endpoint.url}/ ")
            await selector.choose("endpoint:fake:1b")
        async with open_shop(bare_settings(tmp_path)) as (selector, _):
            assert selector.servers.value("endpoint_url") == endpoint.url
            assert (await selector.test()).text == "Hello there."
            await selector.set_server("endpoint_url", "")
            assert selector.current_id != "endpoint:fake:1b"
            assert "Give its base address" in selector.find("endpoint:").message
        async with open_shop(bare_settings(tmp_path)) as (selector, _):
            assert selector.choice == "auto", "a choice whose server has no address is no obstacle"


async def test_an_ollama_elsewhere_is_found_once_its_address_is_kept(tmp_path: Path) -> None:
    ollama = FakeOllama()
    async with serving(ollama), open_shop(bare_settings(tmp_path)) as (selector, selection):
        await selector.set_server("ollama_url", ollama.url)
        assert selector.current_id == "ollama:fake:1b"
        other = FakeOllama()
        async with serving(other):
            await selector.set_server("ollama_url", other.url)
            assert selection.current is not None
            await selector.test()
            assert other.prompts()
            assert not ollama.prompts()


async def test_the_environment_wins_and_says_so(tmp_path: Path) -> None:
    ollama = FakeOllama()
    async with serving(ollama), open_shop(make_settings(tmp_path, ollama_url=ollama.url)) as (selector, _):
        with pytest.raises(Conflict, match="DEEPTRUST_OLLAMA_URL is set and wins"):
            await selector.set_server("ollama_url", "http://127.0.0.1:9")
        assert selector.servers.value("ollama_url") == ollama.url
        assert selector.servers.is_fixed("ollama_url")
        assert not selector.servers.is_fixed("endpoint_url")


@pytest.mark.parametrize("name", get_args(ServerSetting))
async def test_a_visitor_of_a_hosted_server_cannot_send_it_anywhere(tmp_path: Path, name: ServerSetting) -> None:
    inside = FakeOpenAi()
    async with serving(inside), open_shop(bare_settings(tmp_path, mode="hosted")) as (selector, _):
        with pytest.raises(Conflict, match="operator"):
            await selector.set_server(name, inside.url)
        with pytest.raises(Conflict, match="operator"):
            selector.servers.keep(name, inside.url)
        await selector.refresh()
        assert inside.asked == []
        assert not (tmp_path / "model.json").exists()


async def test_offline_no_address_beyond_this_machine_is_kept_or_used(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(json.dumps({"endpoint_url": "http://192.0.2.1/v1"}))
    async with open_shop(bare_settings(tmp_path, offline=True)) as (selector, _):
        with pytest.raises(Conflict, match="--offline forbids"):
            await selector.set_server("ollama_url", "http://192.0.2.1:11434")
        await selector.set_server("ollama_url", f"http://127.0.0.1:{free_port()}")
        assert "Not used offline" in selector.find("endpoint:").message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ollama_url", "localhost:11434"),
        ("endpoint_url", "file:///etc/passwd"),
        ("endpoint_url", "http://name:secret@127.0.0.1/v1"),
        ("endpoint_url", "http://" + "a" * 600),
        ("endpoint_model", "two\nlines"),
        ("endpoint_model", "m" * 600),
    ],
    ids=["no scheme", "a file", "a password", "long", "lines", "long name"],
)
async def test_what_is_no_address_and_no_name_is_refused(tmp_path: Path, name: ServerSetting, value: str) -> None:
    async with open_shop(bare_settings(tmp_path)) as (selector, _):
        before = selector.servers.value(name)
        with pytest.raises(BadInput):
            await selector.set_server(name, value)
        assert selector.servers.value(name) == before


async def test_a_damaged_address_in_the_home_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(json.dumps({"model": "none", "ollama_url": "nonsense", "endpoint_url": "@"}))
    async with open_shop(bare_settings(tmp_path)) as (selector, _):
        assert selector.choice == "none"
        assert selector.servers.value("ollama_url") == "http://127.0.0.1:11434"
        assert selector.servers.value("endpoint_url") == ""


async def test_an_address_of_the_environment_that_is_none_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="DEEPTRUST_ENDPOINT_URL is not an address"):
        async with open_shop(make_settings(tmp_path, endpoint_url="nonsense")):
            pass


async def test_aut_13_a_key_that_is_kept_never_reaches_another_server(tmp_path: Path) -> None:
    first, second = FakeOpenAi(), FakeOpenAi()
    async with serving(first), serving(second), open_shop(bare_settings(tmp_path)) as (selector, _):
        await selector.set_server("endpoint_url", first.url)
        await selector.set_key("endpoint", SecretStr(CANARY))
        await selector.set_server("endpoint_url", first.url + "/deeper")
        assert selector.servers.key_place() == "home", "it is the same server"
        await selector.set_server("endpoint_url", second.url)
        assert selector.servers.key_place() == ""
        assert first.asked
        assert second.asked
        assert all(CANARY not in str(asked.headers) for asked in second.asked)


async def test_aut_13_a_key_of_the_environment_is_for_an_address_of_the_environment(tmp_path: Path) -> None:
    endpoint = FakeOpenAi()
    settings = bare_settings(tmp_path, endpoint_key=CANARY)
    async with serving(endpoint), open_shop(settings) as (selector, _):
        with pytest.raises(Conflict, match="must be set beside it: DEEPTRUST_ENDPOINT_URL"):
            await selector.set_server("endpoint_url", endpoint.url)
        assert endpoint.asked == []


@pytest.mark.parametrize("answer", [NO_LIST, Refuse(405, "no", {"Content-Type": "text/plain"})], ids=["404", "405"])
async def test_a_server_without_a_list_is_used_by_the_name_of_its_model(tmp_path: Path, answer: Refuse) -> None:
    endpoint = FakeOpenAi()
    endpoint.answers["/v1/models"] = answer
    async with serving(endpoint), open_shop(bare_settings(tmp_path)) as (selector, _):
        await selector.set_server("endpoint_url", endpoint.url)
        line = selector.find("endpoint:")
        assert not line.is_ready
        assert "keeps no list of its models. Name the one to use on the settings page" in line.message
        await selector.set_server("endpoint_model", "quiet-7b")
        assert (await selector.test("endpoint:quiet-7b")).text == "Hello there."
        await selector.choose("endpoint:quiet-7b")
        assert selector.find("endpoint:quiet-7b").is_chosen
        endpoint.will(Refuse(404, {"error": {"message": "no such model"}}))
        with pytest.raises(ModelUnavailable, match=r"has no model quiet-7b\. Choose another one, or check"):
            await selector.test("endpoint:quiet-7b")


async def test_a_model_can_be_named_by_a_setting_beside_those_that_are_listed(tmp_path: Path) -> None:
    endpoint = FakeOpenAi()
    endpoint.names = ["big-70b"]
    async with serving(endpoint):
        settings = make_settings(tmp_path, endpoint_url=endpoint.url, endpoint_model="hidden-1b")
        async with open_shop(settings) as (selector, _):
            await selector.refresh()
            offered = [offer.id for offer in selector.offers() if offer.id.startswith("endpoint:")]
            assert offered == ["endpoint:big-70b", "endpoint:hidden-1b"]
            endpoint.answers["/v1/models"] = {"object": "list", "data": []}
            await selector.refresh()
            assert selector.find("endpoint:hidden-1b").is_ready
