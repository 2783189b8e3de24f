"""The plan that waits: approved, edited, rejected, seen from two tabs, and never lost by a reload."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.servers import offline
from tests.e2e.workspace import (
    document,
    gate,
    last_turn,
    open_workspace,
    research,
    text_file,
    upload,
    wait_for_end,
)

SERVER = offline
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


def test_d40_nothing_runs_before_the_yes_and_the_whole_page_says_so(ready: Page):
    research(ready, QUESTION)
    card = gate(ready)
    expect(card).to_be_focused()
    expect(card).to_contain_text("nothing runs until you approve it")
    expect(card).to_contain_text("nothing leaves this machine")
    expect(card.locator(".step")).to_contain_text([QUESTION])
    expect(card).to_contain_text(re.compile(r"revision 1, waits until \d+ \w+, \d\d:\d\d"))
    card.get_by_text(re.compile(r"Policy: (\d+) of \1 rules hold")).click()
    expect(card.locator(".rule").first).to_contain_text("line 8: allowed_tools")
    expect(ready.locator(".run").first).to_contain_text("waiting for you")
    expect(ready.get_by_role("textbox", name="Your question")).to_be_hidden()
    expect(ready.locator("[role=status]")).to_contain_text("Nothing runs until you approve it.")
    expect(ready.get_by_role("tabpanel", name="Plan")).to_contain_text("this plan was built from your question")
    ready.keyboard.press("Escape")
    expect(card).to_be_visible()
    expect_accessible(ready)


def test_the_decision_stays_in_sight_below_a_long_plan(ready: Page):
    ready.set_viewport_size({"width": 1440, "height": 560})
    research(ready, QUESTION)
    card = gate(ready)
    card.locator("summary").click()
    expect(card.locator(".rule").last).not_to_be_in_viewport()
    expect(card.get_by_role("button", name="Approve plan")).to_be_in_viewport(ratio=1)
    card.get_by_role("button", name="Reject…").click()
    expect(card.get_by_role("button", name="Reject plan")).to_be_in_viewport(ratio=1)


def test_ui_16_a_reload_at_the_gate_brings_the_same_plan_and_its_yes_runs_it_once(ready: Page):
    research(ready, QUESTION)
    gate(ready)
    ready.reload()
    card = gate(ready)
    expect(card).to_be_focused()
    card.get_by_role("button", name="Approve plan").click()
    turn = wait_for_end(ready)
    expect(turn.locator(".prose")).to_contain_text(FACT)
    expect(ready.get_by_role("tabpanel", name="Plan").locator(".step")).to_contain_text(["found 1 passage"])
    expect(ready.locator(".run").first).to_contain_text("report today")
    turn.get_by_role("link", name="Source 1, show evidence").first.click()
    expect(ready.locator("#quote")).to_contain_text("nine in the morning")
    expect_accessible(ready)
    ready.reload()
    expect(wait_for_end(ready).locator(".prose")).to_contain_text(FACT)
    expect(ready.locator(".turn")).to_have_count(1)


def test_k23_a_plan_is_edited_audited_again_and_only_then_approved(ready: Page):
    research(ready, QUESTION)
    card = gate(ready)
    card.get_by_role("button", name="Edit").click()
    expect(card.get_by_role("textbox", name="Objective")).to_be_focused()
    card.get_by_role("textbox", name="Objective").fill("Fares and times")
    card.get_by_role("button", name="Add a step").click()
    added = card.get_by_role("group", name="Step 2")
    expect(added.get_by_role("textbox", name="Look for")).to_be_focused()
    ready.keyboard.type("tram costs crowns")
    added.get_by_role("textbox", name="Why").fill("no")
    card.get_by_role("button", name="Move up").last.click()
    first = card.get_by_role("group", name="Step 1")
    expect(first.get_by_role("textbox", name="Look for")).to_have_value("tram costs crowns")
    card.get_by_role("button", name="Save plan").click()
    expect(card.locator(".notice")).to_contain_text("min_rationale_words")
    expect(first.get_by_role("textbox", name="Look for")).to_have_value("tram costs crowns")
    expect(card.get_by_role("textbox", name="Objective")).to_have_value("Fares and times")
    expect_accessible(ready)
    first.get_by_role("textbox", name="Why").fill("The fare matters as well.")
    card.get_by_role("button", name="Save plan").click()
    expect(card.locator(".objective")).to_have_text("Fares and times")
    expect(card.locator(".step")).to_contain_text(["tram costs crowns", QUESTION])
    expect(ready.get_by_role("tabpanel", name="Plan")).to_contain_text("Edited by you.")
    card.get_by_role("button", name="Approve plan").click()
    turn = wait_for_end(ready)
    expect(turn.get_by_role("heading", name="Fares and times")).to_be_visible()
    expect(turn.locator(".prose")).to_contain_text("tram costs crowns")


def test_k10_a_reason_brings_a_new_plan_and_a_bare_no_ends_the_run(ready: Page):
    research(ready, QUESTION)
    card = gate(ready)
    card.get_by_role("button", name="Reject…").click()
    ready.get_by_role("textbox", name="Reason").fill("Look for the Sunday timetable too")
    card.get_by_role("button", name="Reject plan").click()
    expect(card.locator(".step").last).to_contain_text("Sunday timetable")
    card.get_by_role("button", name="Reject…").click()
    expect_accessible(ready)
    ready.keyboard.press("Escape")
    expect(card).to_be_focused()
    card.get_by_role("button", name="Reject…").click()
    card.get_by_role("button", name="Reject plan").click()
    turn = wait_for_end(ready, "rejected")
    expect(turn).to_contain_text("You rejected the plan, so nothing was run.")
    expect(ready.locator(".run").first).to_contain_text("rejected today")
    expect_accessible(ready)
    turn.get_by_role("button", name="Ask again").click()
    gate(ready)
    ready.locator(".waits").get_by_role("button", name="New question").click()
    expect(ready.locator(".starter").first).to_be_visible()
    expect(ready.locator(".run").first).to_contain_text("waiting for you")
    ready.locator(".run").first.click()
    gate(ready)


def test_a_second_tab_follows_and_a_late_yes_says_that_it_was_decided(ready: Page):
    research(ready, QUESTION)
    gate(ready)
    other = ready.context.new_page()
    other.goto("/")
    other.locator(".run").first.click()
    gate(other)
    other.evaluate("document.querySelector('.acts .go').click(); document.querySelector('.acts .go').click()")
    expect(wait_for_end(other).locator(".prose")).to_contain_text(FACT)
    expect(other.locator("#scroll > .column > .notice")).to_contain_text("decided already")
    expect(wait_for_end(ready).locator(".prose")).to_contain_text(FACT)
    assert last_turn(ready).get_by_text("Step 1. Your documents").count() == 1


def test_k13_no_findings_says_what_was_tried(ready: Page):
    research(ready, "What is the boiling point of tungsten?")
    gate(ready).get_by_role("button", name="Approve plan").click()
    turn = wait_for_end(ready, "nothing_found")
    expect(turn).to_contain_text("No findings.")
    expect(turn).to_contain_text("What was tried")
    expect(ready.get_by_role("tabpanel", name="Plan")).to_contain_text("nothing found")
    expect(ready.locator(".run").first).to_contain_text("no findings")
    expect_accessible(ready)


def test_k28_offline_there_is_no_switch_and_the_mode_is_remembered(ready: Page):
    ready.get_by_role("button", name="Research", exact=True).click()
    expect(ready.locator("#egress")).to_have_text("Your documents only: this server is offline")
    ready.reload()
    expect(ready.get_by_role("button", name="Research", exact=True)).to_have_attribute("aria-pressed", "true")
    ready.get_by_role("button", name="Approve before tools").click()
    expect(ready.get_by_role("textbox", name="Your question")).to_have_value(re.compile("unused leave"))
    expect_accessible(ready)


def test_the_gate_is_reachable_on_a_phone(ready: Page):
    ready.set_viewport_size({"width": 390, "height": 844})
    research(ready, QUESTION)
    card = gate(ready)
    expect(card.get_by_role("button", name="Approve plan")).to_be_in_viewport()
    expect_accessible(ready)
    card.get_by_role("button", name="Edit").click()
    expect(card.get_by_role("textbox", name="Objective")).to_be_focused()
    assert ready.evaluate("document.documentElement.scrollWidth") <= 390
    expect_accessible(ready)
