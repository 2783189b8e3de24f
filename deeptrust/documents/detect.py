"""What a file is, by its content. The extension only tells Markdown from plain text."""

import re
from pathlib import PurePosixPath
from typing import Any

import filetype  # pyright: ignore[reportMissingTypeStubs]

from deeptrust.documents.encoding import text_encoding
from deeptrust.domain.document import DocumentKind
from deeptrust.errors import BadDocument

TAKEN = "PDF, plain text (.txt) and Markdown (.md)"
"""What can be read, in words."""

_HEADER_BYTES = 1024
"""A PDF header may follow up to this much of something else (PDF 1.7, implementation note 13)."""

_MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd"})
_FAMILIES = {"image": "image", "audio": "audio recording", "video": "video", "font": "font"}
_NAMES = {
    "docx": "Word document",
    "doc": "Word document",
    "odt": "OpenDocument text",
    "rtf": "rich text document",
    "xlsx": "Excel workbook",
    "xls": "Excel workbook",
    "ods": "OpenDocument spreadsheet",
    "pptx": "PowerPoint presentation",
    "ppt": "PowerPoint presentation",
    "odp": "OpenDocument presentation",
    "epub": "EPUB book",
}
_DOCUMENT_ADVICE = "Save it as PDF and add that"
_REAL_TEXT_FORMATS = frozenset({"rtf", "ps", "tar"})
_SPOKEN_WITH_VOWEL = ("MP", "M4", "XZ", "XCF", "SQ", "FL")
_NEVER_PROSE = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
"""Control characters but zero, of which UTF-16 is full, and but escape, which switches 7-bit encodings."""
_WEB_PAGE = re.compile(
    r"(?>\s+|\ufeff|<\?xml[^>]*>|<!--(?:(?!-->).)*-->)*+<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)


def sniff(data: bytes, name: str) -> DocumentKind:
    """The kind of `data`. `name` is looked at for its extension only, and never believed against the content.

    Raises:
        BadDocument: the file is empty or of a kind that is not taken; the sentence names what it is.
    """
    if not data:
        raise BadDocument("This file is empty (0 bytes). Save it again and add it.")
    suffix = PurePosixPath(name).suffix.lower()
    head = data[:_HEADER_BYTES]
    if head.lstrip().startswith(b"%PDF-") or (b"%PDF-" in head and suffix == ".pdf"):
        return DocumentKind.PDF
    foreign = _foreign_kind(data)
    if foreign:
        raise BadDocument(foreign)
    if suffix == ".pdf":
        raise BadDocument(f"This file is named .pdf but holds no PDF. DeepTrust reads {TAKEN}.")
    return DocumentKind.MARKDOWN if suffix in _MARKDOWN else DocumentKind.TEXT


def is_web_page(data: bytes) -> bool:
    """Whether `data` begins like HTML, in any encoding, behind comments and an XML declaration as well."""
    return _begins_a_web_page(data, text_encoding(data))


def _begins_a_web_page(data: bytes, encoding: str | None) -> bool:
    return bool(encoding and _WEB_PAGE.match(data[:_HEADER_BYTES].decode(encoding, errors="ignore")))


def _foreign_kind(data: bytes) -> str | None:
    """A sentence that names what the file is, or None if it is text."""
    encoding = text_encoding(data)
    if _begins_a_web_page(data, encoding):
        return f"This is a web page (HTML). {_DOCUMENT_ADVICE}; DeepTrust reads {TAKEN}."
    found = _signature(data)
    if found and found[1] != "pdf" and not _is_chance(found[1], data, encoding):
        return _named(*found)
    return None if encoding else f"This file is neither text nor a PDF. DeepTrust reads {TAKEN}."


def _named(mime: str, extension: str) -> str:
    if extension in _NAMES:
        what = _NAMES[extension]
        return f"This is {_article(what)} {what}. {_DOCUMENT_ADVICE}; DeepTrust reads {TAKEN}."
    label = extension.upper()
    what = f"{label} {_FAMILIES.get(mime.split('/')[0], 'file')}"
    return f"This is {_article(what)} {what}. DeepTrust reads {TAKEN}."


def _signature(data: bytes) -> tuple[str, str] | None:
    """(media type, extension) by the first bytes."""
    found: Any = filetype.guess(data)  # pyright: ignore[reportUnknownMemberType]
    return (found.mime, found.extension) if found else None


def _is_chance(extension: str, data: bytes, encoding: str | None) -> bool:
    """Some signatures are two letters ("BM" for a bitmap, "MZ" for a program), with which prose may begin as well.

    Those that were chosen well hold a character that no prose begins with, as that of PNG does: they are never chance.
    """
    return extension not in _REAL_TEXT_FORMATS and encoding is not None and not _NEVER_PROSE.search(data[:8])


def _article(what: str) -> str:
    return "an" if what[0] in "AEIO" or what.startswith(_SPOKEN_WITH_VOWEL) else "a"
