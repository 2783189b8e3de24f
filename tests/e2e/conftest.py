"""A production server and a Chromium for browser tests; every test here is marked `e2e`."""

from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.browser import ARGUMENTS, find_browser
from tests.e2e.servers import Kind, Servers, scripted
from tests.e2e.workspace import choose_answers, open_workspace
from tests.live import LiveServer
from tests.waiting import PATIENCE_SECONDS

expect.set_options(timeout=PATIENCE_SECONDS * 1000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and put those of one kind of server one after the other."""
    here = Path(__file__).parent
    mine = [item for item in items if here in item.path.parents]
    for item in mine:
        item.add_marker(pytest.mark.e2e)
    items[:] = [item for item in items if item not in mine] + sorted(mine, key=lambda item: _kind(item).__name__)


def _kind(node: pytest.Item | pytest.Module) -> Kind:
    module = node.getparent(pytest.Module)
    return getattr(module and module.obj, "SERVER", scripted)


@pytest.fixture(scope="package")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Generator[Servers]:
    made = Servers(lambda: tmp_path_factory.mktemp("home"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, servers: Servers) -> LiveServer:
    """A server of the file's kind; nothing of another file is on it."""
    return servers.serve(_kind(request.node))


# The folder's, not the session's: Playwright's loop must be gone before the next asynchronous test.
@pytest.fixture(scope="package")
def browser() -> Generator[Browser]:
    path = find_browser()
    assert path, "No Chromium. `make test` installs it or says how."
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, server: LiveServer) -> Generator[Callable[[], Page]]:
    """Make an empty page of a fresh visitor, 1440 x 900; relative addresses go to `server`."""
    contexts: list[BrowserContext] = []

    def make() -> Page:
        context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900}, locale="en-GB")
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        contexts.append(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page: Callable[[], Page]) -> Generator[Page]:
    """The page of a fresh visitor. Script errors fail the test."""
    opened = open_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda line: errors.append(line.text) if "Content Security Policy" in line.text else None)
    yield opened
    assert errors == []


@pytest.fixture
def written(page: Page) -> Generator[Page]:
    """The workspace of a server whose model writes, while the test lasts."""
    open_workspace(page)
    choose_answers(page, "Written by the model")
    yield page
    open_workspace(page)
    choose_answers(page, "Automatic")


@pytest.fixture
def other(open_page: Callable[[], Page]) -> Page:
    """The page of another visitor."""
    return open_page()
