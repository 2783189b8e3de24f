"""A plan that searches the web, with an engine on loopback that waits, so that a test can step in while a step runs."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.servers import ENGINE, leaving
from tests.e2e.slow_engine import ENTRY
from tests.e2e.workspace import gate, last_turn, open_workspace, research, wait_for_end

SERVER = leaving
QUESTION = "What does the tram to the harbour cost?"


@pytest.fixture
def waiting(page: Page) -> Page:
    """A plan with a web step waits, and the engine will not answer before it is told to."""
    ENGINE.may_answer.clear()
    open_workspace(page)
    page.get_by_role("button", name="Research", exact=True).click()
    page.get_by_role("button", name="Your documents only").click()
    expect(page.locator("#egress")).to_contain_text("Documents + web search (DuckDuckGo)")
    research(page, QUESTION)
    gate(page)
    return page


def test_ui_16_a_reload_while_a_step_runs_goes_on_to_a_report_with_a_web_source(waiting: Page):
    card = gate(waiting)
    expect(card).to_contain_text("leaves this machine: 2 texts")
    expect(card.locator(".leaves")).to_contain_text("go to DuckDuckGo")
    expect(card.locator(".leaves")).to_contain_text("go to LangSmith")
    card.get_by_role("button", name="Approve plan").click()
    expect(last_turn(waiting)).to_contain_text("Step 2 of 2")
    expect(last_turn(waiting).locator(".step")).to_contain_text(["nothing found", "running"])
    expect(waiting.locator(".run").first).to_contain_text("running the plan")
    waiting.reload()
    expect(last_turn(waiting)).to_contain_text("Step 2 of 2")
    expect_accessible(waiting)
    ENGINE.may_answer.set()
    turn = wait_for_end(waiting)
    expect(turn.locator(".prose")).to_contain_text("five crowns")
    source = turn.locator("a.source-line")
    expect(source).to_contain_text("fares.example, search result, page not opened")
    assert source.get_attribute("href") == ENTRY.url
    assert (source.get_attribute("target"), source.get_attribute("rel")) == ("_blank", "noopener noreferrer")
    turn.get_by_role("link", name="Source 1, show evidence").first.click()
    evidence = waiting.get_by_role("tabpanel", name="Evidence")
    expect(evidence).to_contain_text("search result, page not opened")
    expect(evidence.get_by_role("link", name="Open fares.example")).to_have_attribute("href", ENTRY.url)
    expect_accessible(waiting)


def test_stop_while_a_step_runs_ends_the_run_on_the_server(waiting: Page):
    gate(waiting).get_by_role("button", name="Approve plan").click()
    expect(last_turn(waiting)).to_contain_text("Step 2 of 2")
    waiting.keyboard.press("Escape")
    turn = wait_for_end(waiting, "stopped")
    expect(turn).to_contain_text("Stopped by you.")
    expect(waiting.get_by_role("tabpanel", name="Plan").locator(".step").last).to_contain_text("not finished")
    waiting.reload()
    wait_for_end(waiting, "stopped")
    expect(waiting.get_by_role("textbox", name="Your question")).to_be_visible()
