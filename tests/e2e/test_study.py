"""The Study pages: jobs, their facts and pack (H05, H06), and the panel in each of its states (H23, H30)."""

import io
import re
import zipfile
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.servers import offline
from tests.e2e.study import (
    POSTING,
    RESUME,
    add_job,
    ask_job,
    choose_harness,
    fact,
    open_study,
    wait_for_reply,
)

SERVER = offline


def html_file(name: str, body: str) -> FilePayload:
    text = f"<!doctype html><html><head><title>x</title><script>window.__x=1</script></head><body>{body}</body></html>"
    return FilePayload(name=name, mimeType="text/html", buffer=text.encode())


def test_an_empty_list_says_what_to_do_and_an_empty_posting_is_refused(page: Page):
    page.goto("/")
    page.get_by_role("link", name="Study").click()
    expect(page.get_by_role("link", name="Study")).to_have_attribute("aria-current", "page")
    expect(page.get_by_text("No jobs yet")).to_be_visible()
    page.get_by_role("button", name="Add job").click()
    expect(page.locator(".add-job .notice")).to_contain_text("The posting has no text")
    expect_accessible(page)


def test_a_saved_web_page_becomes_text_in_the_box_and_a_picture_is_refused(page: Page):
    open_study(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    body = "<h1>Night Nurse</h1><p>Apply at <a href='https://jobs.lever.co/ward/1'>our page</a></p><p>Shifts</p>"
    chooser.value.set_files(html_file("nurse.html", body))
    box = page.get_by_role("textbox", name="Posting")
    expect(box).to_have_value(re.compile(r"# Night Nurse[\s\S]*https://jobs\.lever\.co/ward/1"))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(FilePayload(name="a.png", mimeType="image/png", buffer=b"\x89PNG\r\n\x1a\n" + bytes(600)))
    expect(page.locator(".add-job .notice")).to_contain_text("a.png: This is a PNG image")
    assert page.evaluate("window.__x") is None


def test_facts_show_their_sentences_and_can_be_edited(page: Page):
    add_job(page, resume=RESUME)
    expect(page.get_by_role("heading", name="Data Engineer", level=1)).to_be_visible()
    expect(fact(page, "ATS")).to_contain_text("Greenhouse")
    expect(fact(page, "Pay")).to_contain_text("not stated")
    fact(page, "ATS").locator(".quoted").focus()
    expect(page.get_by_role("tooltip")).to_contain_text("boards.greenhouse.io")
    expect_accessible(page)

    page.get_by_role("button", name="Edit Pay").click()
    page.get_by_role("textbox", name="Pay").fill("a lot")
    page.get_by_role("button", name="Save").click()
    expect(fact(page, "Pay")).to_contain_text("No pay could be read")
    page.get_by_role("textbox", name="Pay").fill("EUR 60,000 to 75,000 per year")
    page.get_by_role("button", name="Save").click()
    expect(fact(page, "Pay")).to_contain_text("EUR 60,000 to 75,000 per year")
    expect(fact(page, "Pay")).to_contain_text("entered by you")


def test_gaps_name_what_was_looked_for(page: Page):
    add_job(page, resume=RESUME)
    gaps = page.locator(".gap")
    expect(gaps.filter(has_text="Experience with Workday reporting")).to_contain_text("Missing")
    kubernetes = gaps.filter(has_text="Kubernetes and Docker")
    expect(kubernetes).to_contain_text("Partly")
    expect(kubernetes).to_contain_text("Looked for: Kubernetes, Docker")
    expect(kubernetes).to_contain_text("Ran services on k8s.")
    page.get_by_role("button", name="Change the resume").click()
    box = page.get_by_role("textbox", name="Resume")
    expect(box).to_have_value(RESUME)
    box.fill(RESUME + " Docker since 2019.")
    page.get_by_role("button", name="Compare").click()
    expect(kubernetes).to_contain_text("Met")


def test_the_pack_is_read_written_anew_reset_and_downloaded(page: Page):
    add_job(page)
    expect(page.get_by_role("tab")).to_have_count(4)
    page.get_by_role("tab", name="ATS & assessment platform").click()
    document = page.get_by_role("tabpanel", name="Document")
    expect(document).to_contain_text("This job uses the Greenhouse applicant tracking system")
    document.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Markdown of this document").fill("# Mine\n\nThey test with HackerRank.")
    document.get_by_role("button", name="Save").click()
    expect(document).to_contain_text("They test with HackerRank.")
    expect(document).to_contain_text("Your own version")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download zip").click()
    archive = zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes()))
    assert download.value.suggested_filename == "prep-pack-data-engineer.zip"
    assert b"HackerRank" in archive.read("3-ats-and-assessment.md")
    document.get_by_role("button", name="Reset").click()
    expect(document).to_contain_text("Greenhouse")


def test_the_default_is_marked_and_a_question_is_answered_from_the_pack(page: Page):
    add_job(page)
    expect(page.get_by_role("radio", checked=True)).to_contain_text("default")
    expect(page.get_by_role("radio", name="NotebookLM (MCP)")).to_contain_text("not available")
    page.get_by_role("button", name="Ingest the pack").click()
    expect(page.locator(".done")).to_contain_text("Ready to be asked, on this machine: 4 documents.")
    ask_job(page)
    reply = wait_for_reply(page)
    expect(reply.locator(".pill.ok")).to_have_text("Grounded")
    expect(reply.locator(".prose")).to_contain_text("Greenhouse")
    reply.get_by_role("link", name="Source 1, show it").first.click()
    expect(reply.locator(".source-card").first).to_be_focused()
    expect_accessible(page)


def test_a_question_that_the_pack_cannot_answer_states_nothing(page: Page):
    add_job(page)
    ask_job(page, "Who won the world championship of chess in 1985?")
    reply = wait_for_reply(page, "not_found")
    expect(reply).to_contain_text("Not grounded")
    expect(reply).to_contain_text(re.compile(r"Searched: \d+ passages of 4 documents"))
    expect(reply.locator(".source-card")).to_have_count(0)
    ask_job(page, "word " * 2_000)
    expect(page.locator("#question-problem")).to_contain_text("the limit is 8,000")


def test_switching_the_harness_empties_the_panel_and_an_outside_one_only_points(page: Page):
    add_job(page)
    ask_job(page)
    wait_for_reply(page)
    choose_harness(page, "NotebookLM (files)")
    expect(page.locator(".reply")).to_have_count(0)
    expect(page.get_by_role("textbox", name="Your question about this job")).to_have_count(0)
    link = page.get_by_role("link", name="Open notebooklm.google.com")
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener noreferrer")
    page.get_by_role("button", name="Prepare the pack").click()
    expect(page.locator(".done")).to_contain_text("Nothing has left this machine")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the files").click()
    names = zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())).namelist()
    assert "instructions.txt" in names

    field = page.get_by_role("textbox", name="Address of your notebook")
    field.fill("javascript:alert(1)")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator(".pointer .notice")).to_contain_text("not an address of NotebookLM")
    field.fill("https://notebooklm.google.com/notebook/abc")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(link).to_have_attribute("href", "https://notebooklm.google.com/notebook/abc")
    expect_accessible(page)
    choose_harness(page, "Local documents")
    expect(page.locator(".reply")).to_have_count(0)


def test_an_mcp_server_that_is_not_configured_says_so(page: Page):
    add_job(page)
    choose_harness(page, "NotebookLM (MCP)")
    expect(page.locator("#replies .notice.off")).to_contain_text("DEEPTRUST_NOTEBOOKLM_MCP_COMMAND")
    expect(page.locator("#ingest")).to_have_count(0)
    expect(page.get_by_role("button", name="Look again")).to_be_visible()
    expect_accessible(page)


def test_a_job_deleted_elsewhere_ends_the_question_with_a_sentence(page: Page):
    add_job(page, POSTING.replace("Data Engineer", "Lead Engineer"))
    other = page.context.new_page()
    open_study(other)
    job = other.locator(".job").filter(has_text="Lead Engineer")
    job.get_by_role("button", name="Delete Lead Engineer").click()
    job.get_by_role("button", name="Keep").click()
    job.get_by_role("button", name="Delete Lead Engineer").click()
    job.get_by_role("button", name="Delete", exact=True).click()
    expect(job).to_have_count(0)
    ask_job(page)
    expect(wait_for_reply(page, "failed")).to_contain_text("job")
    page.reload()
    expect(page.get_by_role("heading", name="There is no such job")).to_be_visible()


def test_an_unknown_job_is_a_calm_page_with_a_way_back(page: Page):
    page.goto("/study/0123456789abcdef")
    expect(page.get_by_role("heading", name="There is no such job")).to_be_visible()
    expect_accessible(page)
    page.get_by_role("link", name="See all jobs").click()
    expect(page.get_by_role("heading", name="Study for a job")).to_be_visible()


def test_all_of_it_is_reached_on_a_phone_without_a_mouse(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    add_job(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.keyboard.press("/")
    expect(page.get_by_role("textbox", name="Your question about this job")).to_be_focused()
    page.keyboard.type("When is the deadline to apply?")
    page.keyboard.press("Enter")
    wait_for_reply(page)
    expect_accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator(".topbar").get_by_role("button", name="Ask")).to_be_visible()
