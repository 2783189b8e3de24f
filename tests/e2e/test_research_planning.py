"""While the plan is made: by a model that never says a word, so that a test can step in."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.settings import model_machine
from tests.e2e.workspace import last_turn, open_workspace, research, wait_for_end
from tests.live import LiveServer
from tests.llm.model_server import MODEL, FakeOpenAi, Silence

ENDPOINT = FakeOpenAi()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    """Where the model writes the answers, it plans as well."""
    ENDPOINT.will(Silence())
    folder = tmp_path_factory.mktemp("machine")
    with model_machine(folder, ENDPOINT, answers="written", chat_model=f"endpoint:{MODEL}") as running:
        yield running


def test_ui_16_a_reload_while_planning_goes_on_planning_and_stop_ends_it(page: Page):
    open_workspace(page)
    research(page, "How do the misfits and the rebels change the things around them, and who quotes them?")
    plan = page.get_by_role("tabpanel", name="Plan")
    expect(plan).to_contain_text("The plan is being made.")
    expect(last_turn(page)).to_contain_text("Making a plan")
    page.reload()
    expect(plan).to_contain_text("The plan is being made.")
    expect(page.locator(".run").first).to_contain_text("planning")
    page.get_by_role("button", name="Stop").click()
    expect(wait_for_end(page, "stopped")).to_contain_text("Stopped by you.")
    expect_accessible(page)
    page.reload()
    expect(wait_for_end(page, "stopped").get_by_role("button", name="Ask again")).to_be_visible()
