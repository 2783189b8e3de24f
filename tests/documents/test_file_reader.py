"""Which files are taken, and what is said of the others."""

import io
import os
import resource
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeptrust.documents.encoding import Decoded, decode_text
from deeptrust.documents.note import read_note
from deeptrust.documents.reader import FileReader
from deeptrust.domain.document import DocumentKind, ReadStatus
from deeptrust.errors import BadDocument
from deeptrust.settings import Settings

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + bytes(17) + zlib.compress(os.urandom(200))
HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(range(200))
GERMAN = "Die Kündigungsfrist beträgt drei Monate; über Schlüssel wird am letzten Tag gesprochen."


def docx() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<w:document/>" * 100)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "what"),
    [
        (PNG, "letter.pdf", "This is a PNG image."),
        (HEIC, "photo.heic", "This is a HEIC image."),
        (HEIC, "photo.txt", "This is a HEIC image."),
        (docx(), "letter.docx", "This is a Word document."),
        (b"{\\rtf1\\ansi Hello}", "letter.rtf", "This is a rich text document."),
        (b"<!DOCTYPE html><html><body>Hi</body></html>", "page.txt", "This is a web page (HTML)."),
        (b"PK\x03\x04" + os.urandom(400), "all.zip", "This is a ZIP file."),
        (b"\xff\xfb\x90\x64" + os.urandom(400), "song.md", "This is an MP3 audio recording."),
        (bytes(5000), "zeros.txt", "This file is neither text nor a PDF."),
        (bytes(range(256)) * 20, "random.txt", "This file is neither text nor a PDF."),
        (b"just words", "words.pdf", "This file is named .pdf but holds no PDF."),
    ],
)
async def test_ing_26_unsupported_file_is_refused_at_once(
    reader: FileReader, data: bytes, name: str, what: str
) -> None:
    with pytest.raises(BadDocument, match="DeepTrust reads PDF"):
        reader.kind(data, name)
    reading = await reader.read(data, name)
    assert reading.status is ReadStatus.FAILED
    assert reading.reason is not None
    assert reading.reason.startswith(what)


@pytest.mark.parametrize("name", ["empty.pdf", "empty.txt", "empty.md"])
async def test_ing_17_empty_file_fails_with_a_reason(reader: FileReader, name: str) -> None:
    reading = await reader.read(b"", name)
    assert (reading.status, reading.reason) == (
        ReadStatus.FAILED,
        "This file is empty (0 bytes). Save it again and add it.",
    )


async def test_file_over_the_limit_is_refused_with_both_sizes(reader: FileReader) -> None:
    reading = await reader.read(bytes(60 * 1024**2), "huge.pdf")
    assert reading.status is ReadStatus.FAILED
    assert reading.reason == "This file has 60.0 MB; the limit is 50 MB. Split it and add the parts."


async def test_limit_is_that_of_the_settings(reader: FileReader) -> None:
    most = Settings.model_fields["max_document_bytes"].default
    assert reader.kind(b"a" * most, "most.txt") is DocumentKind.TEXT
    with pytest.raises(BadDocument):
        reader.kind(b"a" * (most + 1), "more.txt")


async def test_pdf_by_another_name_is_read_as_pdf(reader: FileReader, build_pdf, show_lines) -> None:  # pyright: ignore
    reading = await reader.read(build_pdf(show_lines("A PDF all the same.")), "letter.txt")  # pyright: ignore
    assert (reading.kind, reading.status) == (DocumentKind.PDF, ReadStatus.OK)


async def test_ing_11_nul_byte_is_removed(reader: FileReader) -> None:
    reading = await reader.read(b"before\x00after", "nul.txt")
    assert reading.pages[0].text == "beforeafter"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "utf-8-sig"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (GERMAN, "utf-32"),
        (GERMAN, "cp1252"),
        ("Café naïve résumé – “quoted” text for £40.", "cp1252"),
        ("Привет, это русский текст о погоде и природе. Сегодня хорошая погода.", "cp1251"),
        ("これは日本語のテキストです。東京は日本の首都です。", "cp932"),
        ("这是一个中文文本，北京是中国的首都。人们喜欢在公园里散步。", "gb18030"),
        ("Umowa zaczyna się w maju. Kaucja zostanie zwrócona w ciągu trzydziestu dni.", "cp1250"),
        ("Umowa zaczyna się w maju. Kaucja zostanie zwrócona w ciągu trzydziestu dni.", "iso8859_2"),
        ("Sözleşme Ocak ayında başlar. Depozito otuz gün içinde iade edilir. Işık, ağaç.", "cp1254"),
        ("Die Straße ist für Fußgänger gesperrt. Größe und Übermaß ändern sich.", "mac_roman"),
        ("Договор вступает в силу с первого января. Залог возвращают в течение тридцати дней.", "iso8859_5"),
        ("Договор вступает в силу с первого января. Залог возвращают в течение тридцати дней.", "cp866"),
        ("يبدأ العقد في الأول من يناير ويتم إرجاع الوديعة خلال ثلاثين يوما.", "iso8859_6"),
        ("สัญญาเริ่มต้นในวันที่หนึ่งมกราคม เงินประกันจะคืนภายในสามสิบวัน", "cp874"),
        ("東京の人口は多い。契約は一月一日に始まります。", "iso2022_jp"),
        ("이것은 한국어 텍스트입니다. 서울은 한국의 수도입니다.", "cp949"),
    ],
)
async def test_text_in_its_own_encoding_is_read(reader: FileReader, text: str, codec: str) -> None:
    reading = await reader.read(text.encode(codec), "text.txt")
    assert (reading.status, reading.kind, reading.pages[0].text) == (ReadStatus.OK, DocumentKind.TEXT, text)


async def test_ing_22_ing_25_no_archive_is_opened_whatever_it_says_of_itself(reader: FileReader) -> None:
    """No member is unpacked, so neither a wrong size nor a name like "../../x" can do anything."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../x", bytes(200_000_000))
    data = bytearray(packed.getvalue())
    for record, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):  # the unpacked size in both headers
        start = data.index(record) + at
        data[start : start + 4] = (10).to_bytes(4, "little")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name in ("x.zip", "x.docx", "x.pdf", "x.txt"):
        reading = await reader.read(bytes(data), name)
        assert reading.status is ReadStatus.FAILED
        assert reading.reason
        assert "DeepTrust reads PDF, plain text" in reading.reason
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


async def test_a_guessed_encoding_is_said(reader: FileReader) -> None:
    reading = await reader.read(GERMAN.encode("cp1252"), "text.txt")
    assert reading.reason == (
        "This file is not UTF-8 and was read as windows-1252. If letters look wrong, save it as UTF-8 and add that."
    )


@pytest.mark.parametrize("broken", [b"\xff", b"\xc3", b"\xed\xa0\xbd"])
async def test_ing_10_one_broken_character_spoils_no_other(reader: FileReader, broken: bytes) -> None:
    good = "Die Straße ist für Fußgänger gesperrt, größere Fahrzeuge dürfen trotzdem fahren."
    reading = await reader.read(good.encode() + broken + b" " + good.encode(), "text.txt")
    assert reading.pages[0].text.startswith(good)
    assert reading.pages[0].text.endswith(good)
    assert reading.reason
    assert "cannot be read" in reading.reason


async def test_foreign_letters_behind_a_long_english_beginning_are_read(reader: FileReader) -> None:
    text = "All of this is plain English.\n" * 5_000 + "Договор вступает в силу с первого января этого года."
    assert (await reader.read(text.encode("cp1251"), "text.txt")).pages[0].text == text


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE html><html>x</html>",
        b"\xef\xbb\xbf<!doctype html><p>x",
        b"<?xml version='1.0'?>\n<!-- a page -->\n<html>x</html>",
        "<!DOCTYPE html><p>In UTF-16.".encode("utf-16"),
        b"<head><title>x</title></head>",
    ],
)
async def test_ing_26_a_web_page_is_refused_however_it_begins(reader: FileReader, data: bytes) -> None:
    reading = await reader.read(data, "page.txt")
    assert reading.status is ReadStatus.FAILED
    assert reading.reason
    assert "web page" in reading.reason


async def test_a_thousand_empty_comments_are_text_at_once(reader: FileReader) -> None:
    assert (await reader.read(b"<!---->" * 1_000, "x.txt")).status is ReadStatus.OK


@pytest.mark.parametrize("blank", [" \n\t\r\n", "\u200b\ufeff\u2060", "\u202e\u202c", "\u0301"])
async def test_ret_12_text_without_anything_to_see_has_no_text(reader: FileReader, blank: str) -> None:
    reading = await reader.read(blank.encode(), "blank.txt")
    assert (reading.status, reading.pages) == (ReadStatus.NO_TEXT, ())


async def test_prose_that_begins_like_a_bitmap_or_a_program_is_text(reader: FileReader) -> None:
    for beginning in ("BM25 ranks passages.", "MZ is how programs begin.", "%PDF- is how a PDF begins."[1:]):
        assert reader.kind(beginning.encode(), "prose.txt") is DocumentKind.TEXT


async def test_markdown_keeps_its_text_and_takes_its_first_heading_as_title(reader: FileReader) -> None:
    source = "```sh\n# a comment\n```\nIntro\n\n## The **real** title ##\n\n- item\r\n"
    reading = await reader.read(source.encode(), "notes.MD")
    assert (reading.kind, reading.title) == (DocumentKind.MARKDOWN, "The real title")
    assert reading.pages[0].text == source.replace("\r\n", "\n")


def test_note_is_a_page_of_its_own_kind() -> None:
    assert read_note("# Call\nRing Ann.").title == "Call"
    assert read_note("Ring Ann.").kind is DocumentKind.NOTE
    assert read_note(" \n").status is ReadStatus.NO_TEXT


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "Zs"])))
def test_utf8_prose_comes_back_as_it_was(text: str) -> None:
    assert decode_text(("So it is written: " + text).encode()) == Decoded("So it is written: " + text, None)


@given(st.binary(max_size=400))
async def test_any_bytes_end_in_a_status(data: bytes) -> None:
    reading = await FileReader().read(b"x" + data, "any.txt")
    assert (reading.status is ReadStatus.OK) == bool(reading.pages)
    assert reading.status is ReadStatus.OK or reading.reason
