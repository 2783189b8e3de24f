"""Keys stay in their file: what a person or a log can see never has them."""

import logging
import os
import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from deeptrust.errors import BadInput, Conflict, ModelUnavailable, StoreUnavailable
from deeptrust.llm.keys import KeyFile
from tests.llm.model_server import FakeOpenAi, Refuse, serving
from tests.llm.shops import make_settings, open_shop

CANARY = "sk-canary-7f3a91"


def write_damaged(file: Path) -> None:
    file.touch(mode=0o600)
    file.write_text("[")


def test_a_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path)
    assert keys.read("endpoint") is None
    keys.write("endpoint", SecretStr(f" {CANARY}\n"))
    assert stat.S_IMODE((tmp_path / "keys.json").stat().st_mode) == 0o600
    found = keys.read("endpoint")
    assert found is not None
    assert found.get_secret_value() == CANARY
    assert CANARY not in f"{found} {found!r} {keys!r} {vars(keys)}"
    keys.write("endpoint", SecretStr(""))
    assert keys.read("endpoint") is None
    assert CANARY not in (tmp_path / "keys.json").read_text()


@pytest.mark.parametrize("secret", ["sk-\N{SNOWMAN}", "two\nlines"])
def test_what_no_header_can_carry_is_refused(tmp_path: Path, secret: str) -> None:
    with pytest.raises(BadInput, match="characters that no key has") as refused:
        KeyFile(tmp_path).write("endpoint", SecretStr(secret))
    assert secret not in str(refused.value)


def test_there_are_no_keys_for_what_we_do_not_know(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There is no key for bank"):
        KeyFile(tmp_path).write("bank", SecretStr(CANARY))


def test_a_damaged_file_of_keys_names_the_fix(tmp_path: Path) -> None:
    write_damaged(tmp_path / "keys.json")
    with pytest.raises(StoreUnavailable, match=r"Delete it and set the keys again"):
        KeyFile(tmp_path).read("endpoint")


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_a_file_that_is_open_to_others_is_refused_with_the_fix(tmp_path: Path, mode: int) -> None:
    keys = KeyFile(tmp_path)
    keys.write("endpoint", SecretStr(CANARY))
    (tmp_path / "keys.json").chmod(mode)
    for use in (lambda: keys.read("endpoint"), lambda: keys.write("endpoint", SecretStr("another"))):
        with pytest.raises(StoreUnavailable, match=rf"mode {mode:04o}.*chmod 600 .*keys\.json") as refused:
            use()
        assert CANARY not in str(refused.value)
    assert CANARY in (tmp_path / "keys.json").read_text()
    (tmp_path / "keys.json").chmod(0o600)
    assert keys.read("endpoint") is not None


def test_a_file_of_another_owner_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    KeyFile(tmp_path).write("endpoint", SecretStr(CANARY))
    monkeypatch.setattr(os, "geteuid", lambda: (tmp_path / "keys.json").stat().st_uid + 1)
    with pytest.raises(StoreUnavailable, match="belongs to another user"):
        KeyFile(tmp_path).read("endpoint")


async def test_a_file_that_is_open_to_others_is_told_where_the_models_are_and_stops_nothing(tmp_path: Path) -> None:
    endpoint = FakeOpenAi()
    async with serving(endpoint):
        settings = make_settings(tmp_path, endpoint_url=endpoint.url)
        async with open_shop(settings) as (selector, _):
            await selector.set_key("endpoint", SecretStr(CANARY))
            await selector.choose("endpoint:fake:1b")
        (tmp_path / "keys.json").chmod(0o644)
        endpoint.asked.clear()
        async with open_shop(settings) as (selector, _):
            await selector.refresh()
            assert selector.current_id == "bundled"
            assert "can be read by others" in selector.find("endpoint:").message
            assert not endpoint.asked


async def test_a_key_reaches_its_server_and_nothing_else(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint = FakeOpenAi()
    async with serving(endpoint), open_shop(make_settings(tmp_path, endpoint_url=endpoint.url)) as (selector, _):
        await selector.set_key("endpoint", SecretStr(CANARY))
        assert selector.servers.key_place() == "home"
        assert endpoint.asked[-1].headers["authorization"] == f"Bearer {CANARY}"
        await selector.choose("endpoint:fake:1b")
        endpoint.answers["/v1/models"] = Refuse(401, {"error": {"message": f"Incorrect key: {CANARY}"}})
        with pytest.raises(ModelUnavailable, match="does not take the key") as refused:
            await selector.test()
        await selector.refresh()
        shown = [selector.overview().to_wire(), selector.downloads(), str(refused.value), vars(selector)]
        assert CANARY not in f"{shown} {caplog.text}"
        assert CANARY not in (tmp_path / "model.json").read_text()


async def test_a_new_key_is_used_by_the_model_in_use(tmp_path: Path) -> None:
    endpoint = FakeOpenAi()
    async with serving(endpoint), open_shop(make_settings(tmp_path, endpoint_url=endpoint.url)) as (selector, _):
        await selector.choose("endpoint:fake:1b")
        await selector.set_key("endpoint", SecretStr(CANARY))
        await selector.test()
        assert endpoint.prompts()[-1].headers["authorization"] == f"Bearer {CANARY}"


async def test_the_environment_wins_over_the_home(tmp_path: Path) -> None:
    KeyFile(tmp_path).write("endpoint", SecretStr("from-the-home"))
    endpoint = FakeOpenAi()
    settings = make_settings(tmp_path, endpoint_url=endpoint.url, endpoint_key=CANARY)
    async with serving(endpoint):
        settings = make_settings(tmp_path, endpoint_url=endpoint.url, endpoint_key=CANARY)
        async with open_shop(settings) as (selector, _):
            await selector.refresh()
            assert endpoint.asked[-1].headers["authorization"] == f"Bearer {CANARY}"
            assert selector.servers.key_place() == "setting"
            with pytest.raises(Conflict, match="DEEPTRUST_ENDPOINT_KEY is set and wins"):
                await selector.set_key("endpoint", SecretStr("another"))


async def test_a_damaged_file_of_keys_does_not_stop_the_list(tmp_path: Path) -> None:
    write_damaged(tmp_path / "keys.json")
    async with open_shop(make_settings(tmp_path, endpoint_url="http://127.0.0.1:9/v1")) as (selector, _):
        await selector.refresh()
        assert "Delete it and set the keys again" in selector.find("endpoint:").message
