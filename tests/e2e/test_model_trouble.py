"""A model that is slow, or fails after the yes: the page says so, and the run goes on with what is chosen now."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.servers import ENDPOINT, many_models
from tests.e2e.settings import use_model
from tests.e2e.workspace import document, gate, last_turn, open_workspace, research, text_file, upload, wait_for_end
from tests.llm.model_server import MODEL, Refuse, Say

SERVER = many_models
FACT = "The tram to the harbour leaves at nine in the morning and costs four crowns."
QUESTION = "When does the tram to the harbour leave?"
_DOWN = Refuse(500, {"error": {"message": "out of memory"}})


@pytest.fixture
def ready(page: Page) -> Page:
    """The workspace with one document, and the endpoint's model in use."""
    use_model(page, MODEL)
    open_workspace(page)
    if not document(page, "tram.txt").count():
        upload(page, text_file("tram.txt", FACT))
        expect(document(page, "tram.txt")).to_be_visible()
    return page


def test_hit_07_a_silent_model_is_told_with_a_way_out(ready: Page):
    ENDPOINT.will(Say("Never said.", prompt_seconds=600))
    research(ready, QUESTION)
    quiet = last_turn(ready).locator(".still-working")
    expect(quiet).to_contain_text("Still working: waiting for the model (1")
    expect(ready.locator("[role=status]")).to_contain_text("Still working")
    expect_accessible(ready)
    quiet.get_by_role("button", name="Stop").click()
    expect(wait_for_end(ready, "stopped")).to_contain_text("Stopped by you.")


def test_hit_20_a_report_that_the_model_failed_at_is_written_anew_by_the_model_of_now(ready: Page):
    ENDPOINT.will(_DOWN)
    research(ready, QUESTION)
    gate(ready).get_by_role("button", name="Approve plan").click()
    turn = wait_for_end(ready)
    expect(turn.locator(".rewrite")).to_contain_text("could not write the report")
    expect(turn.get_by_role("link", name="Choose another model")).to_have_attribute("href", "/settings")
    expect_accessible(ready)
    ready.reload()
    ENDPOINT.will(Say(f"{FACT} [1]"))
    wait_for_end(ready).get_by_role("button", name="Try again").click()
    expect(turn.locator(".rewrite")).to_have_count(0)
    wait_for_end(ready)
    expect(turn.locator(".rewrite")).to_have_count(0)
    expect(turn.locator(".usage")).to_contain_text(MODEL)
    expect(turn.locator(".prose")).to_contain_text("nine in the morning")
    turn.get_by_role("link", name="Source 1, show evidence").first.click()
    expect(ready.locator("#quote")).to_contain_text("nine in the morning")
    ready.get_by_role("tab", name="Trace").click()
    trace = ready.get_by_role("tabpanel", name="Trace")
    expect(trace.locator(".call").last).to_contain_text(f"{MODEL} · report · ")
    expect_accessible(ready)
    expect(ready.locator(".turn")).to_have_count(1)
