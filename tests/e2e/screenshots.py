"""Photographs the page's states at three widths, light and dark: `make screenshots`.

ARGS="390 dark settings" takes a part. The pictures go to `screenshots/`, to be looked at; nothing is compared.
"""

import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.e2e.browser import ARGUMENTS, find_browser
from tests.e2e.door_pictures import SETTINGS, photograph_door
from tests.e2e.research_pictures import photograph_research
from tests.e2e.settings import model_machine
from tests.e2e.settings_pictures import photograph_settings
from tests.e2e.study_pictures import photograph_study
from tests.e2e.workspace import ask, document, last_turn, open_workspace, text_file, upload, wait_for_end
from tests.live import LiveServer, live_server
from tests.llm.model_server import FakeOpenAi

FOLDER = Path("screenshots")
WIDTHS = {1440: 900, 1024: 800, 390: 844}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
Camera = Callable[[str], None]


def main(widths: list[int], schemes: list[Scheme], parts: list[str]) -> None:
    """Serve an empty home for each look, since the first pictures are of an empty one."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for width, scheme, part in product(widths, schemes, parts):
            with tempfile.TemporaryDirectory() as home:
                PARTS[part](browser, Path(home), width, scheme)
        browser.close()


def _workspace(browser: Browser, home: Path, width: int, scheme: Scheme) -> None:
    with (
        live_server(home, {"offline": "true", "word_milliseconds": "250"}) as server,
        _camera(browser, server, width, scheme) as (page, snap),
    ):
        _welcome(page, snap)
        _answer(page, snap)
        _sources(page, snap)
        _dialogs(page, snap)
        photograph_research(page, snap)
        photograph_study(page, snap)


def _settings(browser: Browser, home: Path, width: int, scheme: Scheme) -> None:
    endpoint = FakeOpenAi()
    with (
        model_machine(home, endpoint, answers="written") as server,
        _camera(browser, server, width, scheme) as (page, snap),
    ):
        photograph_settings(page, snap, endpoint)


def _door(browser: Browser, home: Path, width: int, scheme: Scheme) -> None:
    with live_server(home, SETTINGS) as server, _camera(browser, server, width, scheme) as (page, snap):
        photograph_door(page, snap, server)


PARTS = {"workspace": _workspace, "settings": _settings, "door": _door}


@contextmanager
def _camera(browser: Browser, server: LiveServer, width: int, scheme: Scheme) -> Generator[tuple[Page, Camera]]:
    size = ViewportSize(width=width, height=WIDTHS[width])
    context = browser.new_context(base_url=server.url, viewport=size, color_scheme=scheme, locale="en-GB")
    page = context.new_page()

    def snap(state: str) -> None:
        FOLDER.mkdir(exist_ok=True)
        page.wait_for_timeout(250)
        page.screenshot(path=FOLDER / f"{state}-{width}-{scheme}.png")
        print(f"{state} at {width} px, {scheme}")

    try:
        yield page, snap
    finally:
        context.close()


def _welcome(page: Page, snap: Camera) -> None:
    open_workspace(page)
    snap("01-empty")
    page.locator(".starter").first.click()
    snap("02-indexing")


def _answer(page: Page, snap: Camera) -> None:
    expect(last_turn(page)).to_have_attribute("data-phase", "revealing")
    page.wait_for_timeout(700)
    snap("03-streaming")
    wait_for_end(page)
    snap("04-done")
    page.locator(".cite").last.click()
    expect(page.locator("#quote")).to_be_visible()
    page.mouse.move(0, 0)
    snap("05-evidence")
    page.get_by_role("button", name="Open page").click()
    expect(page.get_by_role("button", name="Show the quote only")).to_be_visible()
    snap("05-whole-page")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    ask(page, "What is the boiling point of tungsten?")
    wait_for_end(page, "nothing_found")
    snap("06-nothing-found")
    ask(page, "word " * 2_000)
    expect(page.locator(".box .notice")).to_be_visible()
    snap("07-question-too-long")
    page.get_by_role("textbox", name="Your question").fill("")


def _sources(page: Page, snap: Camera) -> None:
    if page.get_by_role("button", name="Sources and evidence").is_visible():
        page.get_by_role("button", name="Sources and evidence").click()
    page.get_by_role("tab", name="Trace").click()
    snap("08-trace")
    page.get_by_role("tab", name="Sources").click()
    upload(page, text_file("empty.txt", ""), text_file("notes.txt", "The ferry leaves at ten."))
    expect(document(page, "notes.txt")).to_be_visible()
    document(page, "notes.txt").get_by_role("button", name="Remove").click()
    page.get_by_text("Add an address or a note").click()
    snap("09-sources")
    page.keyboard.press("Escape")


def _dialogs(page: Page, snap: Camera) -> None:
    if page.get_by_role("button", name="Open the menu").is_visible():
        page.get_by_role("button", name="Open the menu").click()
        snap("10-menu")
        page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    page.locator(".model >> visible=true").first.click()
    snap("11-model")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.locator("#keys").wait_for(state="attached")
    snap("12-keys")


if __name__ == "__main__":
    main(
        [int(word) for word in sys.argv[1:] if word.isdigit()] or list(WIDTHS),
        [scheme for scheme in SCHEMES if scheme in sys.argv[1:]] or list(SCHEMES),
        [word for word in sys.argv[1:] if word in PARTS] or list(PARTS),
    )
