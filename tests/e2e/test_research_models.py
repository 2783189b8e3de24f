"""Research as `make run` serves it offline: the bundled models, and a real PDF."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.phases import seen_phases, watch_phases
from tests.e2e.servers import bundled
from tests.e2e.workspace import disk_file, document, gate, open_workspace, research, upload, wait_for_end

SERVER = bundled
pytestmark = pytest.mark.models


def test_a_question_becomes_a_plan_a_yes_and_a_streamed_report_with_its_page(page: Page, shared_data: Path):
    open_workspace(page)
    upload(page, disk_file(shared_data / "pdfs" / "files" / "crazyones-pdfa.pdf"))
    expect(document(page, "crazyones-pdfa.pdf")).to_contain_text("1 page")
    research(page, "Who are the round pegs in the square holes?")
    watch_phases(page)
    gate(page).get_by_role("button", name="Approve plan").click()
    turn = wait_for_end(page)
    assert "revealing" in [phase for phase, _ in seen_phases(page)]
    expect(turn.locator(".sources-list")).to_contain_text("crazyones-pdfa.pdf")
    turn.get_by_role("link", name="Source 1, show evidence").first.click()
    expect(page.locator("#quote")).to_contain_text("round pegs")
