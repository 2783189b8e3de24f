"""The text of a dropped posting or resume: what a document reader takes, and saved web pages as well."""

from pathlib import PurePosixPath

from deeptrust.documents.detect import is_web_page
from deeptrust.documents.encoding import text_encoding
from deeptrust.documents.reader import FileReader
from deeptrust.domain.document import Reading, ReadStatus
from deeptrust.errors import BadDocument
from deeptrust.study.jobs import MOST_CHARACTERS
from deeptrust.study.markup import to_text

_WEB_NAMES = frozenset({".html", ".htm", ".xhtml"})
_LOCKED = "This PDF is locked. Save a copy without the password, then add that."


async def read_posting(data: bytes, name: str, reader: FileReader, on_page=None) -> str:
    """Return the text of the file `name`; a web page loses its markup and keeps the addresses of its links.

    `on_page` is told (pages read, pages in all).

    Raises:
        BadDocument: the file cannot be read, has no text, or has more than a posting may have.
    """
    text = _web_text(data) if _is_web_page(data, name) else _text_of(await reader.read(data, name, None, on_page))
    if not text:
        raise BadDocument("No text was found in this file. Paste the text instead.")
    if len(text) > MOST_CHARACTERS:
        raise BadDocument(
            f"This file has {len(text):,} characters; a job takes {MOST_CHARACTERS:,}. Paste the part that counts."
        )
    return text


def _is_web_page(data: bytes, name: str) -> bool:
    is_named_so = PurePosixPath(name).suffix.lower() in _WEB_NAMES
    return is_named_so or is_web_page(data)


def _web_text(data: bytes) -> str:
    encoding = text_encoding(data)
    if encoding is None:
        raise BadDocument("This web page is not text. Save it again, or paste the posting.")
    return to_text(data.decode(encoding, errors="replace"))


def _text_of(reading: Reading) -> str:
    if reading.status is ReadStatus.NEEDS_PASSWORD:
        raise BadDocument(_LOCKED)
    if reading.status is not ReadStatus.OK:
        raise BadDocument(reading.reason or "This file could not be read. Paste the text instead.")
    return to_text("\n\n".join(page.text for page in reading.pages))
