"""The Study pages in each state, for `screenshots.py`."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.study import ATS_QUESTION, POSTING, RESUME, add_job, ask_job, choose_harness, open_study, wait_for_reply

Camera = Callable[[str], None]


def photograph_study(page: Page, snap: Camera) -> None:
    """Take the pictures of an empty list, a job in all its parts, and the panel with each harness."""
    _list(page, snap)
    _job(page, snap)
    _panel(page, snap)
    page.goto("/study/0123456789abcdef")
    expect(page.get_by_role("heading", name="There is no such job")).to_be_visible()
    snap("study-13-unknown")


def _list(page: Page, snap: Camera) -> None:
    open_study(page)
    page.get_by_role("button", name="Add job").click()
    expect(page.locator(".add-job .notice")).to_be_visible()
    snap("study-01-empty")
    add_job(page, POSTING, RESUME)
    open_study(page)
    expect(page.locator(".job")).to_have_count(1)
    snap("study-02-list")
    page.locator(".job .icon-button").click()
    page.locator(".job").scroll_into_view_if_needed()
    snap("study-03-deleting")
    page.get_by_role("button", name="Keep").click()
    page.locator(".job-link").click()


def _job(page: Page, snap: Camera) -> None:
    expect(page.locator(".fact-list")).to_be_visible()
    snap("study-04-facts")
    page.get_by_role("button", name="Edit Pay").click()
    page.get_by_role("textbox", name="Pay").fill("a lot")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".fact .notice")).to_be_visible()
    snap("study-05-editing")
    page.get_by_role("button", name="Cancel").click()
    page.locator(".gap-list").scroll_into_view_if_needed()
    page.get_by_role("button", name="Change the resume").click()
    snap("study-06-gaps")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("tab", name="ATS & assessment platform").click()
    page.get_by_role("tabpanel", name="Document").get_by_role("button", name="Edit").click()
    snap("study-07-writing")
    page.get_by_role("button", name="Cancel").click()


def _panel(page: Page, snap: Camera) -> None:
    opener = page.locator(".topbar").get_by_role("button", name="Ask")
    if opener.is_visible():
        opener.click()
    snap("study-08-panel")
    ask_job(page, ATS_QUESTION)
    wait_for_reply(page)
    snap("study-09-answer")
    ask_job(page, "Who won the world championship of chess in 1985?")
    wait_for_reply(page, "not_found")
    snap("study-10-not-grounded")
    page.locator("#replies").evaluate("element => element.scrollTop = 0")
    choose_harness(page, "NotebookLM (files)")
    page.get_by_role("button", name="Prepare the pack").click()
    expect(page.locator(".done")).to_be_visible()
    snap("study-11-elsewhere")
    choose_harness(page, "NotebookLM (MCP)")
    snap("study-12-not-available")
