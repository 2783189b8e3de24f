"""PDFs written by hand, so that a test shows the bytes that it is about."""

from collections.abc import Callable

import pytest

from deeptrust.documents.reader import FileReader

BuildPdf = Callable[..., bytes]
"""(content: bytes, dictionary: bytes = b"", objects: dict[int, bytes] | None = None, trailer: bytes = b"") -> file."""

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def show(*lines: str) -> bytes:
    """A content stream that shows each line below the last."""
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    return f"BT /F1 12 Tf 14 TL 72 720 Td {shown} ET".encode("latin-1")


def assemble(objects: dict[int, bytes], trailer: bytes = b"") -> bytes:
    """A file of numbered objects with a cross-reference table."""
    out = bytearray(b"%PDF-1.7\n")
    offsets: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    size = max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % offsets.get(number, 0)
    trailer = trailer.replace(b"XREF", b"%d" % start)
    return bytes(out + b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start))


def stream(data: bytes, dictionary: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), dictionary, data)


def build(
    content: bytes, dictionary: bytes = b"", objects: dict[int, bytes] | None = None, trailer: bytes = b""
) -> bytes:
    """One page: 1 catalog, 2 page tree, 3 page, 4 content, 5 font; `objects` adds to these or replaces them."""
    parts = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        4: stream(content, dictionary),
        5: FONT,
    }
    return assemble(parts | (objects or {}), trailer)


@pytest.fixture
def build_pdf() -> BuildPdf:
    return build


@pytest.fixture
def show_lines() -> Callable[..., bytes]:
    return show


@pytest.fixture
def reader() -> FileReader:
    return FileReader()
