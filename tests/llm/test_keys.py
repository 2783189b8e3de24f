"""Keys stay in their file: what a person or a log can see never has them."""

import json
import logging
import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from deeptrust.errors import BadInput, Conflict, ModelUnavailable, StoreUnavailable
from deeptrust.llm.keys import KeyFile
from tests.llm.model_server import FakeOpenAi, Refuse, serving
from tests.llm.shops import make_settings, open_shop

CANARY = "sk-canary-7f3a91"


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
    (tmp_path / "keys.json").write_text("[")
    with pytest.raises(StoreUnavailable, match=r"Delete it and set the keys again"):
        KeyFile(tmp_path).read("endpoint")


async def test_a_key_reaches_its_server_and_nothing_else(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint = FakeOpenAi()
    async with serving(endpoint), open_shop(make_settings(tmp_path, endpoint_url=endpoint.url)) as (selector, _):
        await selector.set_key("endpoint", SecretStr(CANARY))
        assert selector.key_place("endpoint") == "home"
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
    (tmp_path / "keys.json").write_text(json.dumps({"endpoint": "from-the-home"}))
    endpoint = FakeOpenAi()
    settings = make_settings(tmp_path, endpoint_url=endpoint.url, endpoint_key=CANARY)
    async with serving(endpoint):
        settings = make_settings(tmp_path, endpoint_url=endpoint.url, endpoint_key=CANARY)
        async with open_shop(settings) as (selector, _):
            await selector.refresh()
            assert endpoint.asked[-1].headers["authorization"] == f"Bearer {CANARY}"
            assert selector.key_place("endpoint") == "setting"
            with pytest.raises(Conflict, match="DEEPTRUST_ENDPOINT_KEY is set and wins"):
                await selector.set_key("endpoint", SecretStr("another"))


async def test_a_damaged_file_of_keys_does_not_stop_the_list(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("[")
    async with open_shop(make_settings(tmp_path, endpoint_url="http://127.0.0.1:9/v1")) as (selector, _):
        await selector.refresh()
        assert "Delete it and set the keys again" in selector.find("endpoint:").message
