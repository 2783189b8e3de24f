"""Whoever turns tracing on is told on the page that prompts leave the machine (K21)."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.workspace import open_workspace
from tests.live import LiveServer, live_server

TRACED = {"LANGCHAIN_TRACING_V2": "true", "LANGCHAIN_API_KEY": "none", "LANGCHAIN_ENDPOINT": "http://127.0.0.1:9"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveServer]:
    settings = {"embedder": "hashing", "chat_model": "none"}
    with live_server(tmp_path_factory.mktemp("home"), settings, environment=TRACED) as running:
        yield running


def test_k21_tracing_is_said_on_the_page(page: Page):
    open_workspace(page)
    note = page.get_by_role("navigation", name="Main").locator(".tracing")
    expect(note).to_have_text("Prompts of research runs leave this machine: LangSmith, project deeptrust")
    expect(page.get_by_text("tracing sends the prompts")).to_be_visible()
    expect(page.get_by_text("Nothing leaves this machine.")).to_have_count(0)
    expect_accessible(page)
