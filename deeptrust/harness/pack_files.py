"""A prep pack as files that a person drops into another tool."""

import io
import re
import zipfile
from collections.abc import Sequence

from deeptrust.domain.study import PrepPack
from deeptrust.harness.ingest import PackFile

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can hold; a fixed one makes equal packs equal files."""
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_NAME_CHARACTERS = 60


def source_files(pack: PrepPack, folder: str = "") -> list[PackFile]:
    """Return one Markdown file a document, numbered in the pack's order and named by its title."""
    return [
        PackFile(name=f"{folder}{number}-{_slug(document.title)}.md", text=document.markdown)
        for number, document in enumerate(pack.documents, start=1)
    ]


def write_zip(files: Sequence[PackFile]) -> bytes:
    """Return a zip archive of `files`; equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name, _EARLIEST), file.text, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _slug(title: str) -> str:
    return _NOT_IN_NAMES.sub("-", title.lower()).strip("-")[:_NAME_CHARACTERS].strip("-") or "document"
