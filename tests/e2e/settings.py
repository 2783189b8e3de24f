"""What a person does on the Settings page, by the names that they see, and a machine with models of all kinds."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.background import in_background
from tests.e2e.slow_hub import slow_hub
from tests.live import LiveServer, free_port, live_server
from tests.llm.fake_claude import FakeClaude
from tests.llm.model_server import FakeOpenAi, serving


@contextmanager
def model_machine(folder: Path, endpoint: FakeOpenAi, **settings: str) -> Generator[LiveServer]:
    """A server with an endpoint on loopback, a Claude program, a slow hub, and an Ollama that is not there."""
    claude = FakeClaude(folder)
    with in_background(serving(endpoint)), slow_hub() as hub:
        named = {
            "embedder": "hashing",
            "word_milliseconds": "0",
            "endpoint_url": endpoint.url,
            "claude_command": claude.command,
            "ollama_url": f"http://127.0.0.1:{free_port()}",
            **settings,
        }
        with live_server(folder / "home", named, environment={"HF_ENDPOINT": hub}) as running:
            yield running


def open_settings(page: Page) -> None:
    """Open the page and wait until it has looked for all models."""
    page.goto("/settings")
    expect(page.locator(".offer").first).to_be_visible()
    expect(page.get_by_role("button", name="Look again")).to_be_visible()


def use_model(page: Page, name: str) -> None:
    """Choose a model on the Settings page."""
    open_settings(page)
    use = offer(page, name).get_by_role("button", name="Use")
    if use.is_visible():
        use.click()
    expect(offer(page, name)).to_contain_text("in use")


def offer(page: Page, name: str) -> Locator:
    """The line of one model."""
    return page.locator(".offer").filter(has=page.get_by_role("heading", name=name))


def place(page: Page, heading: str) -> Locator:
    """The models that run here, or those that prompts leave for."""
    return page.locator(".place").filter(has=page.get_by_role("heading", name=heading, exact=True))


def pill(page: Page) -> Locator:
    """The model pill of the rail."""
    return page.locator("#rail .model")
