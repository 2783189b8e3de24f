"""Where model servers are, given on the Settings page: kept in the home, used at once, and forgotten again."""

import json
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.background import in_background
from tests.e2e.settings import offer, open_settings
from tests.live import LiveServer, live_server
from tests.llm.model_server import FakeOpenAi, Refuse, serving

ENDPOINT = FakeOpenAi()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    settings = {"embedder": "hashing", "claude_command": "no-such-program"}
    with in_background(serving(ENDPOINT)), live_server(tmp_path_factory.mktemp("home"), settings) as running:
        yield running


def keep(page: Page, label: str, value: str) -> None:
    """Fill one of the fields of the section on servers, and keep what it holds."""
    form = page.get_by_role("form", name=label)
    form.get_by_role("textbox").fill(value)
    form.get_by_role("button", name="Keep").click()


def test_an_endpoint_without_a_list_is_set_up_tested_and_forgotten_on_the_page(page: Page, server: LiveServer):
    ENDPOINT.answers["/v1/models"] = Refuse(404, {"detail": "Not Found"})
    open_settings(page)
    keep(page, "Base address", "nonsense")
    expect(page.locator(".server .notice.bad")).to_contain_text("This is not an address.")
    keep(page, "Base address", ENDPOINT.url)
    expect(offer(page, "OpenAI-compatible server")).to_contain_text("keeps no list of its models")
    keep(page, "Model, if the server keeps no list", "quiet-7b")
    line = offer(page, "quiet-7b")
    expect(line).to_contain_text("ready")
    expect_accessible(page)
    line.get_by_role("button", name="Say hello").click()
    expect(line.locator("[data-tested]")).to_contain_text("Hello there.")
    page.reload()
    expect(page.get_by_role("form", name="Base address").get_by_role("textbox")).to_have_value(ENDPOINT.url)
    kept = json.loads((server.home / "model.json").read_text())
    assert kept == {"endpoint_url": ENDPOINT.url, "endpoint_model": "quiet-7b"}
    keep(page, "Base address", "")
    expect(offer(page, "quiet-7b")).to_have_count(0)
    assert json.loads((server.home / "model.json").read_text()) == {"endpoint_model": "quiet-7b"}
