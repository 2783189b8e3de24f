"""An answer while it grows: slowly here, so that a test can step in."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.phases import seen_phases, watch_phases
from tests.e2e.servers import slow_words
from tests.e2e.workspace import ask, document, last_turn, open_workspace, text_file, upload, wait_for_end

SERVER = slow_words
FACT = "The tram to the harbour leaves at nine in the morning and costs four crowns."
QUESTION = "When does the tram to the harbour leave?"


@pytest.fixture
def ready(page: Page) -> Page:
    """The workspace with one document that answers `QUESTION`."""
    open_workspace(page)
    if not document(page, "tram.txt").count():
        upload(page, text_file("tram.txt", FACT))
        expect(document(page, "tram.txt")).to_be_visible()
    return page


def test_ui_16_a_reload_in_the_middle_and_after_brings_the_answer_back_whole(ready: Page):
    ask(ready, QUESTION)
    expect(last_turn(ready).locator(".prose")).to_contain_text("The tram")
    ready.reload()
    expect(wait_for_end(ready).locator(".prose")).to_contain_text(FACT)
    ready.reload()
    expect(wait_for_end(ready).locator(".prose")).to_contain_text(FACT)
    expect(ready.locator(".turn")).to_have_count(1)


def test_stop_while_the_answer_grows_shows_the_rest_at_once(ready: Page):
    watch_phases(ready)
    ask(ready, QUESTION)
    expect(last_turn(ready)).to_have_attribute("data-phase", "revealing")
    ready.keyboard.press("Escape")
    expect(wait_for_end(ready).locator(".prose")).to_contain_text(FACT)
    grown = max(words for phase, words in seen_phases(ready) if phase == "revealing")
    assert grown < len(FACT.split()) - 1, "the words came one by one to the last"


def test_reduced_motion_gets_the_answer_at_once(ready: Page):
    ready.emulate_media(reduced_motion="reduce")
    watch_phases(ready)
    ask(ready, QUESTION)
    expect(wait_for_end(ready).locator(".prose")).to_contain_text(FACT)
    assert {words for _, words in seen_phases(ready)} <= {
        0,
        len(last_turn(ready).locator(".prose").inner_text().split()),
    }


def test_another_conversation_is_not_disturbed_by_an_answer_that_grows(ready: Page):
    ask(ready, QUESTION)
    expect(last_turn(ready)).to_have_attribute("data-phase", "revealing")
    ready.get_by_role("button", name="New question").click()
    expect(ready.locator(".starter").first).to_be_visible()
    expect(ready.locator(".run").first).to_contain_text("answered")
    expect(ready.locator(".turn")).to_have_count(0)
    ready.locator(".run").first.click()
    expect(wait_for_end(ready).locator(".prose")).to_contain_text(FACT)
