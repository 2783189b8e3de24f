"""What must happen on the page before a pack leaves this machine (H11), against a live MCP server of ours."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.servers import leaving, notebook_calls
from tests.e2e.study import add_job, choose_harness
from tests.live import LiveServer

SERVER = leaving


def tools_called(calls: Path) -> list[str]:
    return [json.loads(line)["tool"] for line in calls.read_text().splitlines()] if calls.exists() else []


def test_nothing_leaves_before_the_yes_and_the_dialog_names_what_would(page: Page, server: LiveServer):
    calls = notebook_calls(server.home)
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
