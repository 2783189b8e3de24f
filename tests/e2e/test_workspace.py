"""Asking, with the keyboard, on a phone, in two tabs, and against hostile input."""

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.servers import forget_everything
from tests.e2e.workspace import ask, document, last_turn, open_workspace, text_file, upload, wait_for_end
from tests.live import LiveServer

FACT = "The tram to the harbour leaves at nine in the morning and costs four crowns."
QUESTION = "When does the tram to the harbour leave?"
_LAMP = "The lamp of the northern pier has the colour green."


@pytest.fixture
def ready(page: Page) -> Generator[Page]:
    """The workspace with one document that answers `QUESTION`."""
    open_workspace(page)
    if not document(page, "tram.txt").count():
        upload(page, text_file("tram.txt", FACT))
        expect(document(page, "tram.txt")).to_be_visible()
    yield page


def test_no_state_breaks_an_accessibility_rule(ready: Page):
    expect_accessible(ready)
    ask(ready, QUESTION)
    wait_for_end(ready)
    ready.get_by_role("link", name="Source 1, show evidence").first.click()
    expect(ready.locator("#quote")).to_be_visible()
    expect_accessible(ready)
    ready.get_by_role("tab", name="Trace").click()
    expect_accessible(ready)
    ask(ready, "What is the boiling point of tungsten?")
    wait_for_end(ready, "nothing_found")
    expect(last_turn(ready)).to_contain_text("Not in your documents")
    expect_accessible(ready)
    ask(ready, "word " * 2_000)
    expect(ready.locator(".box .notice")).to_be_visible()
    ready.get_by_title("Model and answers").first.click()
    expect_accessible(ready)
    ready.keyboard.press("Escape")
    ready.get_by_role("button", name="Show the keys").click()
    expect_accessible(ready)


def test_no_state_breaks_an_accessibility_rule_on_a_phone(ready: Page):
    ready.set_viewport_size({"width": 390, "height": 844})
    expect_accessible(ready)
    ready.get_by_role("button", name="Open the menu").click()
    expect_accessible(ready)
    ready.keyboard.press("Escape")
    ready.get_by_role("button", name="Sources and evidence").click()
    expect(ready.get_by_role("tabpanel", name="Sources")).to_be_visible()
    expect_accessible(ready)


def test_ui_20_the_whole_way_by_keyboard(ready: Page):
    ready.get_by_role("button", name="New question").focus()
    ready.keyboard.press("/")
    box = ready.get_by_role("textbox", name="Your question")
    expect(box).to_be_focused()
    ready.keyboard.type("When does the tram")
    ready.keyboard.press("Shift+Enter")
    ready.keyboard.type("to the harbour leave?")
    expect(box).to_have_value("When does the tram\nto the harbour leave?")
    ready.keyboard.press("Enter")
    wait_for_end(ready)
    expect(box).to_have_value("")
    expect(ready.locator("[role=status]")).to_contain_text("nine in the morning")
    ready.get_by_role("link", name="Source 1, show evidence").first.focus()
    expect(ready.get_by_role("tooltip")).to_contain_text("tram.txt")
    ready.keyboard.press("Enter")
    expect(ready.locator("#quote")).to_contain_text("nine in the morning")
    ready.get_by_role("tab", name="Evidence").focus()
    ready.keyboard.press("ArrowLeft")
    expect(ready.get_by_role("tab", name="Trace")).to_be_focused()
    expect(ready.get_by_role("tabpanel", name="Trace")).to_be_visible()
    ready.keyboard.press("?")
    expect(ready.get_by_role("dialog", name="Keys")).to_be_visible()
    ready.keyboard.press("Escape")
    expect(ready.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_everything_is_reachable_on_a_phone(ready: Page):
    ready.set_viewport_size({"width": 390, "height": 844})
    ask(ready, QUESTION)
    wait_for_end(ready)
    ready.get_by_role("link", name="Source 1, show evidence").first.click()
    expect(ready.locator("#quote")).to_be_in_viewport()
    ready.get_by_role("button", name="Close the panel").click()
    expect(ready.locator("#quote")).to_be_hidden()
    ready.get_by_role("button", name="Open the menu").click()
    ready.get_by_role("button", name="New question").click()
    expect(ready.locator(".starter").first).to_be_visible()
    assert ready.evaluate("document.documentElement.scrollWidth") <= 390


def test_k28_what_a_question_may_reach_is_whole_on_a_phone(ready: Page):
    ready.set_viewport_size({"width": 390, "height": 844})
    reach, send = ready.locator("#egress").bounding_box(), ready.get_by_role("button", name="Ask").last.bounding_box()
    assert reach and send
    assert reach["x"] + reach["width"] <= 390
    assert reach["y"] + reach["height"] <= send["y"] or reach["x"] + reach["width"] <= send["x"]


def test_a_question_that_found_nothing_goes_back_into_the_box_to_be_reworded(ready: Page):
    ask(ready, "What is the boiling point of tungsten?")
    wait_for_end(ready, "nothing_found").get_by_role("button", name="Reword").click()
    box = ready.get_by_role("textbox", name="Your question")
    expect(box).to_have_value("What is the boiling point of tungsten?")
    expect(box).to_be_focused()


def test_a_page_that_is_opened_whole_still_shows_the_quote(ready: Page, server: LiveServer):
    ledger = " ".join(f"Clerks closed ledger entry {number}." for number in range(200))
    upload(ready, text_file("long.txt", f"{ledger} {_LAMP} {ledger}"))
    expect(document(ready, "long.txt")).to_be_visible()
    ask(ready, "Which colour has the lamp of the northern pier?")
    wait_for_end(ready).get_by_role("link", name="Source 1, show evidence").first.click()
    expect(ready.locator("#quote")).to_be_visible()
    ready.get_by_role("button", name="Open page").click()
    expect(ready.get_by_role("button", name="Show the quote only")).to_be_attached()
    expect(ready.locator("#quote")).to_be_in_viewport()
    forget_everything(server)  # thirty passages on ledgers would be in the way of every other question here


def test_k20_a_chip_fills_an_empty_box_and_shapes_and_runs_a_filled_one(ready: Page):
    box = ready.get_by_role("textbox", name="Your question")
    ready.get_by_role("button", name="Exact words").click()
    expect(box).to_have_value(re.compile("^What exactly is said"))
    expect(ready.locator(".turn")).to_have_count(0)
    box.fill("the tram to the harbour?")
    ready.get_by_role("button", name="Exact words").click()
    expect(ready.locator(".user")).to_have_text("What exactly is said about: the tram to the harbour?")
    wait_for_end(ready)


@pytest.mark.parametrize(("question", "word"), [("   ", "empty"), ("word " * 4_000, "limit is 8,000")])
def test_a_question_that_cannot_be_asked_stays_in_the_box(ready: Page, question: str, word: str):
    ask(ready, question)
    expect(ready.locator(".box .notice")).to_contain_text(word)
    expect(ready.get_by_role("textbox", name="Your question")).to_have_value(question)
    expect(ready.locator(".turn")).to_have_count(0)


def test_ui_13_two_megabytes_in_the_box_do_not_close_the_connection(page: Page):
    frames: list[int] = []

    def watch(websocket: WebSocket) -> None:
        websocket.on("framesent", lambda frame: frames.append(len(frame)))
        websocket.on("framereceived", lambda frame: frames.append(len(frame)))

    page.on("websocket", watch)
    open_workspace(page)
    ask(page, "x" * 2_000_000)
    expect(page.locator(".box .notice")).to_contain_text("limit is 8,000")
    assert max(frames) < 256 * 1024, f"the largest frame had {max(frames):,} bytes"


def test_ui_11_two_tabs_have_their_own_conversations_and_one_list(ready: Page):
    other = ready.context.new_page()
    open_workspace(other)
    ask(ready, QUESTION)
    ask(other, "How much does the tram cost?")
    wait_for_end(ready)
    wait_for_end(other)
    expect(ready.locator(".user")).to_have_text(QUESTION)
    expect(other.locator(".user")).to_have_text("How much does the tram cost?")
    ready.reload()
    expect(ready.locator(".run").first).to_contain_text("How much does the tram cost?")
    expect(ready.locator(".user")).to_have_text(QUESTION)


@pytest.mark.thorough
def test_ui_10_a_lost_connection_comes_back_with_the_true_state(ready: Page):
    ask(ready, QUESTION)
    ready.context.set_offline(True)
    ready.wait_for_timeout(20_000)
    ready.context.set_offline(False)
    expect(wait_for_end(ready).locator(".prose")).to_contain_text("nine in the morning")
    expect(ready.locator(".turn")).to_have_count(1)


PAYLOADS = [
    '<img src=x onerror="window.__x=1">',
    "<svg onload=window.__x=1>",
    "[a](javascript:window.__x=1)",
    "<iframe srcdoc='<script>parent.__x=1</script>'></iframe>",
    "![a](https://evil.test/a.png)",
    "<script>window.__x=1</script>",
]


def test_ui_01_and_02_hostile_text_and_names_stay_text(page: Page):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    open_workspace(page)
    name = "<img src=x onerror=window.__x=1>.txt"
    body = " ".join(f"The harbour sign number {n} reads {text} today." for n, text in enumerate(PAYLOADS))
    upload(page, text_file(name, body))
    expect(document(page, "<img src=x onerror=window.__x=1>")).to_be_visible()
    for number, text in enumerate(PAYLOADS):
        ask(page, f"What does the harbour sign number {number} read? {text}")
        expect(page.locator(".turn")).to_have_count(number + 1)
        expect(last_turn(page)).to_have_attribute("data-phase", re.compile("done|nothing_found"))
    mark = page.get_by_role("link", name="Source 1, show evidence").last
    mark.hover()
    mark.click()
    expect(page.locator("#quote")).to_be_visible()
    page.locator(".run").first.click()
    assert page.evaluate("window.__x") is None
    assert page.locator("main img, main iframe, .panel img, .panel iframe").count() == 0
    assert [url for url in requests if "evil.test" in url] == []
