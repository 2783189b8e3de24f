"""PDFs as people have them."""

import asyncio
import csv
import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF
from fpdf.enums import EncryptionMethod

from deeptrust.documents.pdf import REASONS, PdfReader
from deeptrust.documents.reader import FileReader
from deeptrust.domain.document import DocumentKind, Reading, ReadStatus

Build = Callable[..., bytes]
Show = Callable[..., bytes]

MANIFEST = Path(__file__).resolve().parents[3] / "shared" / "data" / "pdfs" / "MANIFEST.tsv"
UNREADABLE = {
    "vertical.pdf": "its Japanese font names glyphs by number only; pypdf has no Adobe-Japan1 table to name them",
}


def manifest_rows() -> list[dict[str, str]]:
    if not MANIFEST.is_file():
        return []
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def manifest_cases() -> list[object]:
    rows = manifest_rows() or [{"file": "no manifest"}]
    return [
        pytest.param(
            row,
            id=row["file"],
            marks=[pytest.mark.xfail(reason=UNREADABLE[row["file"]], strict=True)] if row["file"] in UNREADABLE else [],
        )
        for row in rows
    ]


def folded(text: str) -> str:
    """As the manifest asks: NFKC, no soft hyphens, hyphens at line ends joined, white space folded."""
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "").replace("\ufffe", "")
    return re.sub(r"\s+", " ", re.sub(r"-\s*\n\s*", "", text))


def text_of(reading: Reading) -> str:
    return "\n".join(page.text for page in reading.pages)


def assert_in_order(snippets: list[str], text: str) -> None:
    places = [text.index(folded(snippet)) for snippet in snippets]
    assert places == sorted(places)


@pytest.mark.parametrize("row", manifest_cases())
@pytest.mark.thorough
async def test_file_of_the_manifest(row: dict[str, str], shared_data: Path, reader: FileReader) -> None:
    data = (shared_data / "pdfs" / "files" / row["file"]).read_bytes()
    reading = await reader.read(data, row["file"], row["password"] or None)
    text = folded(text_of(reading))
    match row["behaviour"]:
        case "text" | "needs_password":
            assert reading.status is ReadStatus.OK
            assert len(reading.pages) == int(row["pages"])
            assert [part for part in json.loads(row["must_contain"]) if folded(part) not in text] == []
            assert [part for part in json.loads(row["must_not_contain"]) if folded(part) in text] == []
            for snippets in json.loads(row["order"]):
                assert_in_order(snippets, text)
        case "no_text_layer":
            assert reading.status is ReadStatus.NO_TEXT
        case "error_clean":
            assert reading.status is ReadStatus.FAILED
            assert reading.reason
        case _:
            assert reading.status in (ReadStatus.FAILED, ReadStatus.NO_TEXT) or row["behaviour"] == "garbage_text"


@pytest.mark.parametrize("row", [row for row in manifest_rows() if row["behaviour"] == "needs_password"] or [None])
async def test_locked_file_asks_for_its_password(
    row: dict[str, str] | None, shared_data: Path, reader: FileReader
) -> None:
    assert row is not None
    data = (shared_data / "pdfs" / "files" / row["file"]).read_bytes()
    without = await reader.read(data, row["file"])
    wrong = await reader.read(data, row["file"], "not " + row["password"])
    assert (without.status, without.reason) == (ReadStatus.NEEDS_PASSWORD, REASONS["needs_password"])
    assert (wrong.status, wrong.reason) == (ReadStatus.NEEDS_PASSWORD, REASONS["wrong_password"])


@pytest.mark.parametrize("method", [EncryptionMethod.RC4, EncryptionMethod.AES_128, EncryptionMethod.AES_256])
async def test_ing_16_owner_password_alone_does_not_reject(reader: FileReader, method: EncryptionMethod) -> None:
    pdf = FPDF()
    pdf.set_encryption(owner_password="owner", encryption_method=method)
    pdf.add_page()
    pdf.set_font("helvetica", size=12)
    pdf.cell(text="Open to all readers.")
    reading = await reader.read(bytes(pdf.output()), "owner.pdf")
    assert (reading.status, text_of(reading)) == (ReadStatus.OK, "Open to all readers.")


async def test_password_for_an_open_file_does_no_harm(reader: FileReader, build_pdf: Build, show_lines: Show) -> None:
    reading = await reader.read(build_pdf(show_lines("Open.")), "open.pdf", "unneeded")
    assert reading.status is ReadStatus.OK


async def test_ing_17_page_with_only_a_picture_has_no_text(reader: FileReader, build_pdf: Build) -> None:
    picture = b"q 200 0 0 200 72 500 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x7f EI Q"
    reading = await reader.read(build_pdf(picture), "scan.pdf")
    assert (reading.status, reading.reason) == (ReadStatus.NO_TEXT, REASONS["no_text"])
    assert reading.pages == ()


async def test_ing_17_file_without_pages_has_no_text(reader: FileReader, build_pdf: Build) -> None:
    reading = await reader.read(build_pdf(b"", objects={2: b"<< /Type /Pages /Kids [] /Count 0 >>"}), "none.pdf")
    assert (reading.status, reading.reason) == (ReadStatus.NO_TEXT, REASONS["no_pages"])


async def test_ing_11_nul_in_a_pdf_string_is_removed(reader: FileReader, build_pdf: Build, show_lines: Show) -> None:
    reading = await reader.read(build_pdf(show_lines("before\x00after")), "nul.pdf")
    assert "\x00" not in text_of(reading)
    assert "after" in text_of(reading)


async def test_ing_28_control_tokens_are_plain_text(reader: FileReader, build_pdf: Build, show_lines: Show) -> None:
    text = "hello <|endoftext|> [CLS] <s> world"
    assert text_of(await reader.read(build_pdf(show_lines(text)), "tokens.pdf")) == text
    assert text_of(await reader.read(text.encode(), "tokens.txt")) == text


async def test_ligature_that_the_file_maps_to_its_first_letter_is_whole(reader: FileReader, build_pdf: Build) -> None:
    font = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R "
        b"/Encoding << /Type /Encoding /Differences [174 /fi /fl] >> >>"
    )
    table = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
        b"1 beginbfrange <20> <7E> <0020> endbfrange 2 beginbfchar\n<AE> <0066>\n<AF> <0066>\nendbfchar endcmap end"
    )
    stream = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(table), table)
    content = b"BT /F1 12 Tf 72 720 Td (pro\\256t \\257ows) Tj ET"
    reading = await reader.read(build_pdf(content, objects={5: font, 6: stream}), "opinion.pdf")
    assert text_of(reading) == "profit flows"


async def test_one_damaged_page_does_not_take_the_others_with_it(
    reader: FileReader, build_pdf: Build, show_lines: Show
) -> None:
    good = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R " \
        b"/Resources << /Font << /F1 5 0 R >> >> >>"  # fmt: skip
    bad = good.replace(b"/Contents 4 0 R", b"/Contents 7 0 R")
    broken = b"<< /Length 3 /Filter /NoSuchDecode >>\nstream\nabc\nendstream"
    pages = {2: b"<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>", 3: good, 6: bad, 7: broken}
    reading = await reader.read(build_pdf(show_lines("Page one."), objects=pages), "half.pdf")
    assert (reading.status, reading.pages[0].text) == (ReadStatus.OK, "Page one.")
    assert reading.reason == "Damaged and left out: page 2."


async def test_progress_names_every_page(shared_data: Path, reader: FileReader) -> None:
    data = (shared_data / "pdfs" / "files" / "dmca.pdf").read_bytes()
    seen: list[tuple[int, int]] = []
    await reader.read(data, "dmca.pdf", on_page=lambda done, total: seen.append((done, total)))
    assert seen == [(page, 18) for page in range(19)]


async def test_reading_leaves_the_event_loop_free(shared_data: Path, reader: FileReader) -> None:
    data = (shared_data / "pdfs" / "files" / "dmca.pdf").read_bytes()
    reading = asyncio.create_task(reader.read(data, "dmca.pdf"))
    turns = 0
    while not reading.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert turns > 10


async def test_no_more_children_than_allowed(build_pdf: Build, show_lines: Show) -> None:
    running, most = 0, 0

    class Counted(PdfReader):
        async def _parse(self, *args: object):  # pyright: ignore
            nonlocal running, most
            running += 1
            most = max(most, running)
            try:
                return await super()._parse(*args)  # pyright: ignore
            finally:
                running -= 1

    data = build_pdf(show_lines("One of many."))
    reader = Counted()
    readings = await asyncio.gather(*(reader.read(data, f"{n}.pdf") for n in range(5)))
    assert most == 2
    assert {text_of(reading) for reading in readings} == {"One of many."}


async def test_stopped_reading_leaves_no_child(build_pdf: Build, show_lines: Show, shared_data: Path) -> None:
    data = (shared_data / "pdfs" / "files" / "irs-irm-2.3.59-400p.pdf").read_bytes()
    reader = PdfReader(children=1)
    begun = asyncio.Event()
    task = asyncio.create_task(reader.read(data, "long.pdf", on_page=lambda done, total: begun.set()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    reading = await reader.read(build_pdf(show_lines("Next.")), "next.pdf")
    assert (reading.kind, text_of(reading)) == (DocumentKind.PDF, "Next.")
