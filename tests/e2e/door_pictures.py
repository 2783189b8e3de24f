"""A server for many, from its door to a limit and to the end of a person's data: part of `make screenshots`."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.workspace import open_workspace, text_file, upload
from tests.live import LiveServer

PASSWORD = "open-sesame-canary-77d0"
SETTINGS = {
    "mode": "hosted",
    "password": PASSWORD,
    "embedder": "hashing",
    "chat_model": "none",
    "max_documents_per_user": "1",
}
Camera = Callable[[str], None]


def photograph_door(page: Page, snap: Camera, server: LiveServer) -> None:
    """Take the pictures of signing in, a limit, what belongs to a person, and a server that is gone."""
    _sign_in(page, snap)
    _limit(page, snap)
    _data(page, snap)
    _gone(page, snap, server)


def _sign_in(page: Page, snap: Camera) -> None:
    page.goto("/")
    snap("door-01-sign-in")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    snap("door-02-wrong-password")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    open_workspace(page)
    snap("door-03-welcome")


def _limit(page: Page, snap: Camera) -> None:
    if page.get_by_role("button", name="Sources and evidence").is_visible():
        page.get_by_role("button", name="Sources and evidence").click()
    for tab in ("Plan", "Trace", "Evidence", "Sources"):
        page.get_by_role("tab", name=tab).click()
        snap(f"door-04-nothing-in-{tab.lower()}")
    upload(
        page, text_file("first.txt", "The ferry leaves at ten."), text_file("second.txt", "The tram leaves at nine.")
    )
    expect(page.locator(".document")).to_have_count(1, timeout=30_000)
    expect(page.locator(".intake-line[data-tone=bad]")).to_be_visible()
    snap("door-05-limit")
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)


def _data(page: Page, snap: Camera) -> None:
    menu = page.get_by_role("button", name="Open the menu")
    if menu.is_visible():
        menu.click()
    page.get_by_role("button", name="Your data").click()
    snap("door-06-your-data")
    page.get_by_role("button", name="Delete all my data").click()
    snap("door-07-delete-all")
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("code")).to_be_visible()
    snap("door-08-token")


def _gone(page: Page, snap: Camera, server: LiveServer) -> None:
    open_workspace(page)
    server.stop()
    page.wait_for_timeout(6_000)
    snap("door-09-server-gone")
