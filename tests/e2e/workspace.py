"""What a person does on the workspace page, by the names that they see."""

from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, expect


def open_workspace(page: Page) -> None:
    """Open the page and wait until it is alive."""
    page.goto("/")
    expect(page.get_by_role("textbox", name="Your question")).to_be_focused()
    expect(page.locator(".shimmer")).to_have_count(0)


def ask(page: Page, question: str) -> None:
    """Type a question and press Enter, once the run before has let go of the box (its words are whole sooner)."""
    box = page.get_by_role("textbox", name="Your question")
    box.fill(question)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    box.press("Enter")


def last_turn(page: Page) -> Locator:
    """The latest question with its answer."""
    return page.locator(".turn").last


def wait_for_end(page: Page, phase: str = "done") -> Locator:
    """Wait until the latest answer is whole (or ended in another `phase`), and return its turn."""
    expect(last_turn(page)).to_have_attribute("data-phase", phase)
    return last_turn(page)


def choose_answers(page: Page, how: str) -> None:
    """Choose in the model card how answers are made."""
    page.get_by_title("Model and answers").first.click()
    page.get_by_role("radio", name=how).click()
    expect(page.get_by_role("radio", name=how)).to_be_checked()
    page.get_by_role("button", name="Close", exact=True).locator("visible=true").click()


def upload(page: Page, *files: FilePayload) -> None:
    """Choose files in the Sources tab."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("tabpanel", name="Sources").get_by_role("button", name="Drop files here").click()
    chooser.value.set_files(list(files))


def document(page: Page, name: str) -> Locator:
    """The line of a document in the Sources tab."""
    return page.locator(".document").filter(has_text=name)


def text_file(name: str, text: str) -> FilePayload:
    """A file made on the spot."""
    return FilePayload(name=name, mimeType="text/plain", buffer=text.encode())


def disk_file(path: Path) -> FilePayload:
    """A file that is on the disk."""
    return FilePayload(name=path.name, mimeType="application/octet-stream", buffer=path.read_bytes())


def research(page: Page, question: str) -> None:
    """Choose Research, type a question and press Enter."""
    page.get_by_role("button", name="Research", exact=True).click()
    ask(page, question)


def gate(page: Page, timeout: float | None = None) -> Locator:
    """The plan that waits for approval; waits until it is there."""
    card = page.get_by_role("region", name="Plan waiting for approval")
    expect(card).to_be_visible(timeout=timeout)
    return card
