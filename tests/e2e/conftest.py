"""A production server and a Chromium for browser tests; every test here is marked `e2e`."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.browser import ARGUMENTS, find_browser
from tests.live import LiveServer, live_server
from tests.waiting import PATIENCE_SECONDS

expect.set_options(timeout=PATIENCE_SECONDS * 1000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    """The scripted model and the hashing embedder, on a home of this test file's own."""
    with live_server(tmp_path_factory.mktemp("home"), {"embedder": "hashing", "chat_model": "scripted"}) as running:
        yield running


# A file's own browser, not the session's: Playwright's loop must be gone before the next asynchronous test.
@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    path = find_browser()
    assert path, "No Chromium. `make test` installs it or says how."
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, server: LiveServer) -> Generator[Page]:
    """An empty page of a fresh visitor, 1440 x 900; relative addresses go to `server`. Script errors fail the test."""
    context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900}, locale="en-GB")
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda line: errors.append(line.text) if "Content Security Policy" in line.text else None)
    yield opened
    context.close()
    assert errors == []
