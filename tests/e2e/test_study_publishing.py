"""What must happen on the page before a pack leaves this machine (H11), against a live MCP server of ours."""

import json
import shlex
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.study import add_job, choose_harness
from tests.live import LiveServer, live_server

NOTEBOOKS = Path(__file__).parents[1] / "harness" / "notebook_server.py"


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the MCP server notes each call."""
    return tmp_path_factory.mktemp("notebooks") / "calls.jsonl"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, calls: Path) -> Generator[LiveServer]:
    command = shlex.join([sys.executable, str(NOTEBOOKS), str(calls)])
    settings = {"embedder": "hashing", "chat_model": "none", "notebooklm_mcp_command": command}
    with live_server(tmp_path_factory.mktemp("home"), settings) as running:
        yield running


def tools_called(calls: Path) -> list[str]:
    return [json.loads(line)["tool"] for line in calls.read_text().splitlines()] if calls.exists() else []


def test_nothing_leaves_before_the_yes_and_the_dialog_names_what_would(page: Page, calls: Path):
    add_job(page)
    choose_harness(page, "NotebookLM (MCP)")
    expect(page.get_by_role("radio", name="NotebookLM (MCP)")).to_contain_text("ready")
    page.get_by_role("button", name="Prepare the pack").click()
    dialog = page.get_by_role("dialog", name="Send this pack out of this machine?")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("listitem")).to_have_count(4)
    expect(dialog.get_by_role("listitem").last).to_contain_text("characters")
    expect(dialog).to_contain_text("Google NotebookLM, under your own Google login")
    expect(dialog.get_by_role("button", name="Keep it here")).to_be_focused()
    expect_accessible(page)

    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert "notebook_create" not in tools_called(calls)

    page.get_by_role("button", name="Prepare the pack").click()
    dialog.get_by_role("button", name="Send it").click()
    expect(page.locator(".done")).to_contain_text("4 documents were published")
    assert tools_called(calls).count("source_add") == 4
    expect(page.get_by_role("link", name="Open notebook.google.com")).to_have_attribute(
        "href", "https://notebook.google.com/notebook/n1"
    )
