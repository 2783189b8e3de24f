"""The Settings page in each state, and what a model's trouble looks like: part of `make screenshots`."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.settings import offer, open_settings
from tests.e2e.slow_hub import MODEL as DOWNLOADED
from tests.e2e.workspace import document, gate, last_turn, open_workspace, research, text_file, upload, wait_for_end
from tests.llm.model_server import MODEL, FakeOpenAi, Refuse, Say

Camera = Callable[[str], None]
_FACT = "The tram to the harbour leaves at nine in the morning and costs four crowns."
_QUESTION = "When does the tram to the harbour leave?"


def photograph_settings(page: Page, snap: Camera, endpoint: FakeOpenAi) -> None:
    """Take the pictures of choosing, testing and downloading, then of a model that is slow and one that fails."""
    _models(page, snap, endpoint)
    _download(page, snap)
    _leaving(page, snap)
    _trouble(page, snap, endpoint)
    _rail(page, snap)


def _models(page: Page, snap: Camera, endpoint: FakeOpenAi) -> None:
    open_settings(page)
    page.wait_for_timeout(1_000)
    snap("settings-01-models")
    endpoint.will(Say("Hello! How can I help you today?", token_seconds=0.02))
    offer(page, MODEL).get_by_role("button", name="Say hello").click()
    expect(page.locator("[data-tested]")).to_be_visible()
    offer(page, MODEL).scroll_into_view_if_needed()
    snap("settings-02-tested")
    endpoint.will(Refuse(500, {"error": {"message": "out of memory"}}))
    offer(page, MODEL).get_by_role("button", name="Say hello").click()
    expect(offer(page, MODEL).locator(".notice.bad")).to_be_visible()
    snap("settings-03-test-failed")
    page.locator(".server").last.scroll_into_view_if_needed()
    snap("settings-04-servers")


def _download(page: Page, snap: Camera) -> None:
    line = offer(page, DOWNLOADED.name)
    line.get_by_role("button", name="Download").click()
    expect(line.locator(".progress-line")).to_contain_text(re.compile(r"\d\d MB of"))
    line.scroll_into_view_if_needed()
    snap("settings-05-downloading")
    line.get_by_role("button", name="Cancel").click()
    expect(line.get_by_role("button", name="Resume at")).to_be_visible()
    snap("settings-06-cancelled")


def _leaving(page: Page, snap: Camera) -> None:
    offer(page, "Claude CLI").get_by_role("button", name="Use").click()
    expect(page.get_by_role("dialog", name="does not run on this machine")).to_be_visible()
    snap("settings-07-leaving")
    page.get_by_role("button", name="Use it").click()
    expect(offer(page, "Claude CLI")).to_contain_text("in use")
    offer(page, "Claude CLI").scroll_into_view_if_needed()
    snap("settings-08-left")
    _reach(page, snap)
    open_settings(page)
    offer(page, MODEL).get_by_role("button", name="Use").click()
    expect(offer(page, MODEL)).to_contain_text("in use")


def _reach(page: Page, snap: Camera) -> None:
    """What the composer says may be reached, while the model does not run here."""
    open_workspace(page)
    snap("settings-13-ask-leaves")
    page.get_by_role("button", name="Research", exact=True).click()
    snap("settings-14-research-leaves")
    page.locator("#egress").click()
    snap("settings-15-research-web")
    page.locator("#egress").click()
    page.get_by_role("button", name="Ask", exact=True).first.click()


def _trouble(page: Page, snap: Camera, endpoint: FakeOpenAi) -> None:
    open_workspace(page)
    opener = page.get_by_role("button", name="Sources and evidence")
    if opener.is_visible():
        opener.click()
    upload(page, text_file("tram.txt", _FACT))
    expect(document(page, "tram.txt")).to_be_visible()
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    endpoint.will(Say("Never said.", prompt_seconds=300))
    research(page, _QUESTION)
    expect(last_turn(page).locator(".still-working")).to_be_visible()
    snap("settings-09-still-working")
    last_turn(page).get_by_role("button", name="Stop").click()
    wait_for_end(page, "stopped")
    endpoint.will(Refuse(500, {"error": {"message": "out of memory"}}))
    research(page, _QUESTION)
    gate(page).get_by_role("button", name="Approve plan").click()
    wait_for_end(page)
    snap("settings-10-quoted-instead")
    endpoint.will(Say(f"{_FACT} [1]"))
    page.get_by_role("button", name="Try again").click()
    expect(last_turn(page).locator(".rewrite")).to_have_count(0)
    wait_for_end(page)
    if opener.is_visible():
        opener.click()
    page.get_by_role("tab", name="Trace").click()
    snap("settings-11-trace")
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)


def _rail(page: Page, snap: Camera) -> None:
    menu = page.get_by_role("button", name="Open the menu")
    if menu.is_visible():
        menu.click()
    page.locator(".run-row").first.hover()
    page.locator(".run-delete").first.click()
    expect(page.get_by_role("dialog", name="Delete this conversation?")).to_be_visible()
    snap("settings-12-deleting")
    page.keyboard.press("Escape")
