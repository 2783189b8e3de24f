"""Whoever turns tracing on is told on the page that prompts leave the machine (K21)."""

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.servers import leaving
from tests.e2e.workspace import open_workspace

SERVER = leaving


def test_k21_tracing_is_said_on_the_page(page: Page):
    open_workspace(page)
    note = page.get_by_role("navigation", name="Main").locator(".tracing")
    expect(note).to_have_text("Prompts of research runs leave this machine: LangSmith, project deeptrust")
    expect(page.get_by_text("tracing sends the prompts")).to_be_visible()
    expect(page.get_by_text("Nothing leaves this machine.")).to_have_count(0)
    expect_accessible(page)
