"""A PDF that needs its password: given in the Sources panel, used once, kept nowhere."""

from fpdf import FPDF
from fpdf.enums import EncryptionMethod
from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.accessibility import expect_accessible
from tests.e2e.workspace import document, open_workspace, upload

_PASSWORD = "tide-table-1907"


def locked_pdf(name: str) -> FilePayload:
    pdf = FPDF()
    pdf.set_encryption(owner_password="owner", user_password=_PASSWORD, encryption_method=EncryptionMethod.AES_256)
    pdf.add_page()
    pdf.set_font("helvetica", size=12)
    pdf.cell(text=f"The harbour of {name} opens at nine.")
    return FilePayload(name=name, mimeType="application/pdf", buffer=bytes(pdf.output()))


def test_a_locked_pdf_is_opened_by_its_password_and_a_wrong_one_is_told(page: Page):
    heard: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    open_workspace(page)
    upload(page, locked_pdf("locked.pdf"))
    line = page.locator(".intake-line").filter(has_text="locked.pdf")
    expect(line).to_contain_text("needs its password")
    expect_accessible(page)
    line.get_by_label("Password of locked.pdf").fill("not it")
    line.get_by_role("button", name="Unlock").click()
    expect(line).to_contain_text("does not open this PDF")
    expect(line.get_by_label("Password of locked.pdf")).to_be_focused()
    expect(line.get_by_label("Password of locked.pdf")).to_have_value("")
    page.keyboard.type(_PASSWORD)
    page.keyboard.press("Enter")
    expect(document(page, "locked.pdf")).to_be_visible()
    expect(line).to_have_count(0)
    assert heard
    assert all(
        _PASSWORD not in (frame if isinstance(frame, str) else frame.decode(errors="replace")) for frame in heard
    )


def test_a_locked_pdf_can_be_dismissed(page: Page):
    open_workspace(page)
    upload(page, locked_pdf("other.pdf"))
    line = page.locator(".intake-line").filter(has_text="other.pdf")
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_have_count(0)
    expect(document(page, "other.pdf")).to_have_count(0)
