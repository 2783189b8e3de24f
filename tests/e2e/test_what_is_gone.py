"""What is shown of something that is gone: a conversation, a document, the server itself."""

from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.workspace import ask, document, open_workspace, text_file, upload, wait_for_end
from tests.live import LiveServer, live_server

FACT = "The tram to the harbour leaves at nine in the morning and costs four crowns."
QUESTION = "When does the tram to the harbour leave?"


def test_the_evidence_of_a_deleted_conversation_goes_with_it(page: Page):
    _open_evidence(page)
    row = page.locator(".run-row").filter(has=page.locator("[aria-current=true]"))
    row.hover()
    row.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("#quote")).to_have_count(0)
    expect(page.locator("[role=status]")).to_contain_text("Conversation deleted.")


def test_the_evidence_of_a_removed_document_goes_with_it_and_the_panel_says_so(page: Page):
    _open_evidence(page)
    page.get_by_role("tab", name="Sources").click()
    line = document(page, "tram.txt")
    line.get_by_role("button", name="Remove tram.txt").click()
    line.get_by_role("button", name="Remove", exact=True).click()
    expect(line).to_have_count(0)
    page.get_by_role("tab", name="Evidence").click()
    expect(page.locator("#quote")).to_have_count(0)
    expect(page.get_by_role("tabpanel", name="Evidence").locator(".notice")).to_be_visible()


def test_a_new_question_begins_without_the_evidence_of_the_last(page: Page):
    _open_evidence(page)
    expect(page.locator("[role=status]")).to_contain_text("Evidence 1, supported: “The tram to the harbour")
    page.get_by_role("button", name="New question").click()
    expect(page.get_by_role("tabpanel", name="Evidence")).to_contain_text("Click a number in an answer")


def test_the_focus_stays_in_a_row_that_asks_back(page: Page):
    _bring(page)
    line = document(page, "tram.txt")
    line.get_by_role("button", name="Remove tram.txt").click()
    expect(line.get_by_role("button", name="Remove", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(line.get_by_role("button", name="Remove tram.txt")).to_be_focused()


def test_the_list_of_questions_goes_on_beyond_its_first_part(page: Page, server: LiveServer):
    open_workspace(page)
    headers = {"Origin": server.url}
    for number in range(51):
        body = {"question": f"Where is lighthouse number {number}?"}
        assert page.request.post("/api/ask", data=body, headers=headers).ok
    page.reload()
    runs = page.locator(".run")
    expect(runs).to_have_count(50)
    page.get_by_role("navigation").get_by_role("button", name="Show more").click()
    expect(runs.filter(has_text="lighthouse number 0?")).to_be_visible()


def test_a_server_that_is_gone_is_told_in_plain_words_until_it_is_back(browser: Browser, tmp_path: Path):
    settings = {"embedder": "hashing", "chat_model": "none"}
    with live_server(tmp_path / "home", settings) as first:
        context = browser.new_context(base_url=first.url, locale="en-GB")
        page = context.new_page()
        open_workspace(page)
        first.stop()
        told = page.get_by_role("alert")
        expect(told).to_contain_text("DeepTrust does not answer. Check that it is running", timeout=30_000)
        expect(page.locator("body")).not_to_contain_text("websocket")
        expect_accessible(page)
    with live_server(tmp_path / "home", settings, port=first.port):
        expect(told).to_have_count(0, timeout=60_000)
        context.close()


def _bring(page: Page) -> None:
    open_workspace(page)
    if not document(page, "tram.txt").count():
        upload(page, text_file("tram.txt", FACT))
        expect(document(page, "tram.txt")).to_be_visible()


def _open_evidence(page: Page) -> Locator:
    _bring(page)
    ask(page, QUESTION)
    wait_for_end(page).get_by_role("link", name="Source 1, show evidence").first.click()
    expect(page.locator("#quote")).to_contain_text("nine in the morning")
    return page.locator("#quote")
