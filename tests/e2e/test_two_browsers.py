"""A hosted server and two browsers: each has a workspace of its own, and neither ever sees the other's."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.servers import hosted
from tests.e2e.workspace import ask, document, open_workspace, text_file, upload, wait_for_end
from tests.live import LiveServer

SERVER = hosted
POSTING = "Acme seeks a senior engineer. You know Python and SQL. Five years of experience are required."


def fill(page: Page) -> None:
    """Give this browser a document, a question with its answer, and a job."""
    open_workspace(page)
    upload(page, text_file("lease.txt", "The deposit is 1,850 euros. It is paid back within 30 days."))
    expect(document(page, "lease.txt")).to_be_visible()
    ask(page, "What is the deposit?")
    wait_for_end(page)


def add_job(page: Page) -> None:
    page.goto("/study")
    page.locator("#posting").fill(POSTING)
    page.get_by_role("button", name="Add job").click()
    page.wait_for_url(re.compile(r"/study/[0-9a-f]{8,}"))


def test_two_browsers_never_see_each_others_documents_runs_and_jobs(page: Page, other: Page):
    fill(page)
    add_job(page)
    job = page.url
    open_workspace(other)
    expect(other.locator(".document")).to_have_count(0)
    expect(other.locator(".run")).to_have_count(0)
    other.goto("/study")
    expect(other.locator(".shimmer")).to_have_count(0)
    assert "Acme" not in other.inner_text("main")
    other.goto(job)
    expect(other.get_by_text("no such job", exact=False).first).to_be_visible()
    open_workspace(other)
    ask(other, "What is the deposit?")
    assert "1,850" not in wait_for_end(other, "nothing_found").inner_text()
    open_workspace(page)
    expect(document(page, "lease.txt")).to_be_visible()


def test_a_tab_of_another_browser_cannot_be_taken_over(page: Page, other: Page):
    """Reflex keeps a tab under a name from the browser's session storage, which is part of the websocket's address."""
    fill(page)
    name = page.evaluate("sessionStorage.getItem('token')")
    assert name
    open_workspace(other)
    other.evaluate("(name) => sessionStorage.setItem('token', name)", name)
    other.reload()
    expect(other.get_by_role("textbox", name="Your question")).to_be_visible()
    expect(other.locator(".shimmer")).to_have_count(0)
    expect(other.locator(".document")).to_have_count(0)
    expect(other.locator(".turn")).to_have_count(0)


def test_delete_all_my_data_says_what_went_and_begins_anew(page: Page):
    fill(page)
    before = page.context.cookies()[0].get("value")
    page.get_by_role("button", name="Your data").click()
    expect(page.get_by_text("belong to this browser", exact=False)).to_be_visible()
    page.get_by_role("button", name="Delete all my data").click()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("1 document, 1 question, 0 jobs", exact=False)).to_be_visible()
    page.get_by_role("link", name="Begin anew").click()
    expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
    expect(page.locator(".shimmer")).to_have_count(0)
    expect(page.locator(".document")).to_have_count(0)
    expect(page.locator(".turn")).to_have_count(0)
    assert page.context.cookies()[0].get("value") != before


def test_a_token_is_shown_once_and_works(page: Page, server: LiveServer):
    fill(page)
    page.get_by_role("button", name="Your data").click()
    page.get_by_role("button", name="Make a token").click()
    token = page.locator("code").inner_text()
    answer = page.request.get("/api/documents", headers={"Authorization": f"Bearer {token}"})
    assert [line["label"] for line in answer.json()] == ["lease.txt"]
    page.get_by_role("link", name="Back").click()
    assert token not in page.content()
    assert token not in "".join(server.output)
