"""A conversation of the list is deleted after a question, and is gone for good."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.workspace import ask, document, last_turn, open_workspace, text_file, upload

_WORD = "quetzalcoatlus"
_ENDED = re.compile("done|nothing_found")


@pytest.fixture
def asked(page: Page) -> Page:
    """Two conversations, the second of which is open."""
    open_workspace(page)
    if not document(page, "tram.txt").count():
        upload(page, text_file("tram.txt", "The tram to the harbour leaves at nine in the morning."))
        expect(document(page, "tram.txt")).to_be_visible()
    for question in (f"When does the {_WORD} leave?", "When does the tram leave?"):
        if page.locator(".turn").count():
            page.get_by_role("button", name="New question").first.click()
            expect(page.locator(".turn")).to_have_count(0)  # only then is the box the new question's
        ask(page, question)
        expect(page.locator(".turn")).to_have_count(1)
        expect(last_turn(page)).to_have_attribute("data-phase", _ENDED)
    return page


def test_a_conversation_is_deleted_only_after_a_yes(asked: Page):
    row = asked.locator(".run-row").filter(has_text=_WORD).first
    delete = row.get_by_role("button", name="Delete")
    before = asked.locator(".run-row").count()
    delete.focus()
    asked.keyboard.press("Enter")
    dialog = asked.get_by_role("dialog", name="Delete this conversation?")
    expect(dialog).to_contain_text(_WORD)
    expect(dialog.get_by_role("button", name="Keep it")).to_be_focused()
    expect_accessible(asked)
    asked.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(delete).to_be_focused()
    asked.keyboard.press("Enter")
    dialog.get_by_role("button", name="Delete").click()
    expect(asked.locator(".run-row")).to_have_count(before - 1)
    expect(dialog).to_be_hidden()
    expect(asked.locator(".turn")).to_have_count(1)
    asked.reload()
    expect(asked.locator(".turn")).to_have_count(1)
    expect(asked.locator(".run-row")).to_have_count(before - 1)


def test_deleting_the_open_conversation_leaves_an_empty_page(asked: Page):
    row = asked.locator(".run-row").filter(has=asked.locator("[aria-current=true]"))
    row.hover()
    row.get_by_role("button", name="Delete").click()
    asked.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(asked.locator(".starter").first).to_be_visible()
    expect(asked.locator(".turn")).to_have_count(0)


def test_arrows_go_from_conversation_to_conversation(asked: Page):
    runs = asked.locator(".run")
    runs.first.focus()
    asked.keyboard.press("ArrowDown")
    expect(runs.nth(1)).to_be_focused()
    asked.keyboard.press("Tab")
    expect(asked.locator(".run-delete").nth(1)).to_be_focused()
    asked.keyboard.press("ArrowUp")
    expect(runs.first).to_be_focused()
