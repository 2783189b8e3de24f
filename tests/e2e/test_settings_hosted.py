"""On a server for many, its operator chooses: the page shows what is in use, and changes nothing."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.raw_events import STATES, send
from tests.e2e.settings import offer
from tests.live import LiveServer, live_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    settings = {"mode": "hosted", "embedder": "hashing", "chat_model": "scripted"}
    with live_server(tmp_path_factory.mktemp("home"), settings) as running:
        yield running


def test_a_hosted_page_shows_the_model_and_changes_nothing(page: Page):
    page.goto("/settings")
    expect(page.get_by_text("The operator of this server has chosen the model.")).to_be_visible()
    expect(offer(page, "Scripted")).to_contain_text("in use")
    expect(page.locator(".offer button")).to_have_count(0)
    expect(page.get_by_role("heading", name="Servers")).to_have_count(0)
    expect(page.get_by_role("radio")).to_have_count(0)
    expect(page.get_by_text("The operator of this server has chosen how answers are made.").first).to_be_visible()
    expect_accessible(page)
    model = f"{STATES}model____model_state"
    send(page, "choose", {"answers": "quoted"}, state=model)
    send(page, "use", {"model_id": "none"}, state=f"{STATES}offers____offers_state")
    send(page, "keep_key", {"form": {"key": "sk-odd"}}, state=f"{STATES}servers____servers_state")
    page.reload()
    expect(offer(page, "Scripted")).to_contain_text("in use")
