"""H24 in a browser: a posting that names its ATS only in the apply URL, MiniLM, no network."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.servers import bundled
from tests.e2e.study import add_job, ask_job, wait_for_reply

SERVER = bundled
pytestmark = pytest.mark.models


def test_h24_the_top_citation_is_the_ats_document_with_its_score(page: Page):
    add_job(page)
    ask_job(page)
    reply = wait_for_reply(page)
    expect(reply.locator(".prose")).to_contain_text("Greenhouse")
    top = reply.locator(".source-card").first
    expect(top).to_contain_text("ATS & assessment platform")
    expect(top.locator("mark")).to_contain_text("Greenhouse")
    assert float((top.locator(".score").text_content() or "").removeprefix("match ")) > 0.4
