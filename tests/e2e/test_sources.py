"""Bringing documents, and taking them away."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.workspace import disk_file, document, open_workspace, text_file, upload

BAD_FILES = [
    ("zero-bytes.pdf", "empty"),
    ("password.pdf", "password"),
    ("REDHAT-1531897-0.pdf", "damaged"),
    ("c02-22.pdf", "scan"),
]


@pytest.mark.parametrize(("name", "word"), BAD_FILES)
def test_a_bad_file_is_refused_with_its_own_sentence(page: Page, shared_data: Path, name: str, word: str):
    open_workspace(page)
    upload(page, disk_file(shared_data / "pdfs" / "files" / name))
    line = page.locator(".intake-line[data-tone=bad]").filter(has_text=name)
    expect(line).to_contain_text(re.compile(word, re.IGNORECASE))
    expect(document(page, name)).to_have_count(0)


def test_a_picture_is_refused_and_the_file_beside_it_is_taken(page: Page):
    open_workspace(page)
    picture = FilePayload(name="photo.png", mimeType="image/png", buffer=b"\x89PNG\r\n\x1a\n" + bytes(600))
    upload(page, picture, text_file("beside.txt", "The tram leaves at nine."))
    expect(page.locator(".intake-line[data-tone=bad]")).to_contain_text("photo.png")
    expect(document(page, "beside.txt")).to_be_visible()


def test_a_file_over_the_limit_is_refused_with_the_limit(page: Page, tmp_path: Path):
    open_workspace(page)
    big = tmp_path / "big.txt"
    big.write_bytes(b"word " * (51 * 1024 * 1024 // 5))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Attach files").click()
    chooser.value.set_files(big)
    expect(page.locator(".intake-line[data-tone=bad]")).to_contain_text("larger than 50 MB")


def test_removing_asks_first(page: Page):
    open_workspace(page)
    upload(page, text_file("gone.txt", "The ferry leaves at ten."))
    line = document(page, "gone.txt")
    line.get_by_role("button", name="Remove gone.txt").click()
    line.get_by_role("button", name="Keep").click()
    expect(line).to_be_visible()
    line.get_by_role("button", name="Remove gone.txt").click()
    line.get_by_role("button", name="Remove", exact=True).click()
    expect(line).to_have_count(0)
    page.reload()
    expect(page.get_by_role("tab", name="Sources")).to_be_visible()
    expect(document(page, "gone.txt")).to_have_count(0)


def test_a_note_and_an_address_are_added_and_a_bad_address_is_told(page: Page):
    open_workspace(page)
    page.get_by_text("Add an address or a note").click()
    page.get_by_role("textbox", name="Note").fill("The key is under the third pot.")
    page.get_by_role("button", name="Add note").click()
    expect(document(page, "The key is under the third pot.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("")
    page.get_by_role("textbox", name="Address").fill("not an address")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".more .notice")).to_contain_text("not a web address")
    page.get_by_role("textbox", name="Address").fill("https://example.org/timetable")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(document(page, "example.org")).to_contain_text("address only")


def test_files_dropped_anywhere_are_taken(page: Page):
    open_workspace(page)
    page.evaluate(
        """() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(["The bus leaves at eleven."], "dropped.md", { type: "text/markdown" }));
            const at = { dataTransfer: transfer, bubbles: true, cancelable: true };
            document.querySelector("#scroll").dispatchEvent(new DragEvent("drop", at));
        }"""
    )
    expect(document(page, "dropped.md")).to_be_visible()
