"""The way of a newcomer, with the bundled models and real PDFs."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.servers import bundled
from tests.e2e.workspace import ask, disk_file, document, open_workspace, upload, wait_for_end

SERVER = bundled
pytestmark = pytest.mark.models


def squeeze(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "").strip()


def test_one_click_leads_to_a_quoted_cited_answer_and_a_second_to_its_page(page: Page):
    open_workspace(page)
    page.get_by_role("button", name="How long does a landlord have").click()
    expect(page.locator(".user")).to_have_text(re.compile("return the deposit"))
    turn = wait_for_end(page)
    expect(turn.locator(".prose")).to_contain_text("14 days")
    expect(turn.locator(".trust")).to_contain_text("supported")
    expect(turn.locator(".trust")).to_contain_text("4 documents")

    page.get_by_role("link", name="Source 1, show evidence").last.click()
    evidence = page.get_by_role("tabpanel", name="Evidence")
    quote = evidence.locator("mark")
    expect(quote).not_to_be_empty()
    assert squeeze(quote.text_content()) in squeeze(turn.locator(".prose").text_content())
    expect(evidence).to_contain_text(re.compile(r"page \d of 3"))
    shown = len(evidence.locator("blockquote").text_content() or "")
    evidence.get_by_role("button", name="Open page").click()
    expect(evidence.get_by_role("button", name="Show the quote only")).to_be_visible()
    assert len(evidence.locator("blockquote").text_content() or "") > shown


def test_a_real_pdf_is_taken_in_with_numbers_and_answers(page: Page, shared_data: Path):
    open_workspace(page)
    upload(page, disk_file(shared_data / "pdfs" / "files" / "crazyones-pdfa.pdf"))
    expect(document(page, "crazyones-pdfa.pdf")).to_contain_text("1 page")
    ask(page, "Who are the round pegs in the square holes?")
    turn = wait_for_end(page)
    expect(turn.locator(".sources-list")).to_contain_text("crazyones-pdfa.pdf")

    upload(page, disk_file(shared_data / "pdfs" / "files" / "crazyones-pdfa.pdf"))
    line = page.locator(".intake-line")
    expect(line).to_contain_text("Already in your documents as “crazyones-pdfa.pdf”")
    expect(document(page, "crazyones-pdfa.pdf")).to_have_count(1)
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_have_count(0)


def test_ui_17_stop_pressed_three_times_leaves_one_stopped_message(written: Page):
    ask(written, "What is the notice period of a landlord after six years?")
    stop = written.get_by_role("button", name="Stop")
    stop.click(click_count=3, delay=5)
    turn = wait_for_end(written, "stopped")
    expect(turn).to_contain_text("Stopped")
    expect(written.locator(".turn")).to_have_count(1)
    written.reload()
    wait_for_end(written, "stopped")
    expect(written.locator(".turn")).to_have_count(1)


def test_the_model_loads_from_its_card(page: Page):
    open_workspace(page)
    pill = page.get_by_title("Model and answers").first
    expect(pill).to_contain_text("on this machine")
    pill.click()
    card = page.get_by_role("dialog", name="Model and answers")
    load = card.get_by_role("button", name="Load model")
    expect(load.or_(card.locator(".pill.ok"))).to_be_visible()
    if load.is_visible():
        load.click()
    expect(card.locator(".pill.ok")).to_have_text("Ready")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(pill).to_contain_text("ready")
