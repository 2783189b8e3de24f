"""While the plan is made: by a model that never says a word, so that a test can step in."""

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.servers import ENDPOINT, many_models
from tests.e2e.settings import use_model
from tests.e2e.workspace import last_turn, open_workspace, research, wait_for_end
from tests.llm.model_server import MODEL, Silence

SERVER = many_models


def test_ui_16_a_reload_while_planning_goes_on_planning_and_stop_ends_it(page: Page):
    """Where the model writes the answers, it plans as well."""
    use_model(page, MODEL)
    ENDPOINT.will(Silence())
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
