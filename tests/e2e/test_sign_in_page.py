"""A server with a password, as a person meets it; and a session that ends while its page is open (AUT-01)."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import violations
from tests.e2e.servers import PASSWORD, locked
from tests.e2e.workspace import open_workspace, text_file, upload
from tests.live import LiveServer

SERVER = locked


def sign_in(page: Page, password: str = PASSWORD) -> None:
    page.goto("/")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_the_form_is_plain_and_accessible(page: Page, scheme: str, width: int):
    page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/")
    expect(page).to_have_url("/login")
    expect(page.get_by_label("Password")).to_be_focused()
    assert page.locator("script").count() == 0
    assert violations(page) == []


def test_a_wrong_password_says_so_and_the_right_one_opens(page: Page):
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_have_text("That is not the password.")
    expect(page.get_by_label("Password")).to_be_focused()
    sign_in(page)
    open_workspace(page)


def test_signing_out_closes_the_door(page: Page):
    sign_in(page)
    open_workspace(page)
    page.get_by_role("button", name="Your data").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_label("Password")).to_be_visible()
    page.goto("/study")
    expect(page).to_have_url("/login")


def test_aut_01_sign_out_everywhere_ends_the_open_page_of_another_browser(page: Page, other: Page):
    for one in (page, other):
        sign_in(one)
        open_workspace(one)
    upload(other, text_file("lease.txt", "The deposit is 1,850 euros."))
    expect(other.locator(".document")).to_have_count(1)
    page.get_by_role("button", name="Your data").click()
    page.get_by_role("button", name="Sign out everywhere").click()
    expect(page.get_by_label("Password")).to_be_visible()
    expect(other.get_by_label("Password")).to_be_visible()  # by itself: its websocket was ended
    sign_in(other)
    open_workspace(other)
    expect(other.locator(".document")).to_have_count(1)


def test_aut_13_no_secret_is_in_the_home_or_in_what_the_server_prints(page: Page, server: LiveServer):
    sign_in(page, "wrong-canary-91c2")
    sign_in(page)
    open_workspace(page)
    cookie = page.context.cookies()[0].get("value", "")
    stored = b"".join(file.read_bytes() for file in server.home.rglob("*") if file.is_file())
    printed = "".join(server.output)
    for canary in (PASSWORD, "wrong-canary-91c2", cookie, cookie.partition(".")[0]):
        assert canary
        assert canary.encode() not in stored
        assert canary not in printed
    assert page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])").find(cookie) == -1
