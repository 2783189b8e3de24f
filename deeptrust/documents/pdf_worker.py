"""The child that parses one PDF: bytes on stdin, frames on stdout, pypdf nowhere else.

A PDF is a program for its parser; a hostile one eats memory, loops or brings the interpreter down. So the parser
runs in a process of its own that may be lost. It is started by path in isolated mode and imports only the standard
library and pypdf, so that it starts in half a second and knows nothing of the rest.

stdin:  a JSON line {"password", "cpu_seconds", "memory_bytes"}, then the file until the end.
stdout: frames, each four bytes of length (big endian) and a JSON object:
        {"pages": n}, then for each page {"page": i, "text": s}, s null where it is damaged,
        last {"end": Ending, "title": s}, s null where there is none.
"""

import io
import json
import logging
import re
import struct
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import pypdf
from pypdf.errors import FileNotDecryptedError, LimitReachedError
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NullObject,
    StreamObject,
    TextStringObject,
)

Ending = Literal["read", "needs_password", "wrong_password", "too_large", "damaged"]

_LIGATURES = {"/ff": "ff", "/fi": "fi", "/fl": "fl", "/ffi": "ffi", "/ffl": "ffl"}

UNPACKED_STREAM_BYTES = 32_000_000
"""Largest unpacked stream. Real pages stay below 10 MB; pypdf's own limit of 75 MB takes a minute to parse."""


def main() -> None:
    """Read one PDF from stdin and report it on stdout."""
    logging.disable(logging.CRITICAL)
    order = json.loads(sys.stdin.buffer.readline())
    _limit_resources(order["cpu_seconds"], order["memory_bytes"])
    pypdf.overwrite_configuration(
        zlib_maximum_output_length=UNPACKED_STREAM_BYTES,
        lzw_maximum_output_length=UNPACKED_STREAM_BYTES,
        run_length_maximum_output_length=UNPACKED_STREAM_BYTES,
        array_based_stream_maximum_output_length=UNPACKED_STREAM_BYTES,
        jbig2dec_binary=None,
        disable_legacy_handling=True,
    )
    data = sys.stdin.buffer.read()
    try:
        ending, title = _read(data, order["password"])
    except (MemoryError, LimitReachedError):
        ending, title = "too_large", None
    except FileNotDecryptedError:
        ending, title = "needs_password", None
    except Exception:  # noqa: BLE001 - pypdf lets many foreign errors through, and this process ends here
        ending, title = "damaged", None
    _send({"end": ending, "title": title})


def _read(data: bytes, password: str | None) -> tuple[Ending, str | None]:
    reader = pypdf.PdfReader(io.BytesIO(data))
    # An owner password alone only restricts printing: the empty user password opens the file.
    if reader.is_encrypted and not reader.decrypt(""):
        if not password:
            return "needs_password", None
        if not reader.decrypt(password):
            return "wrong_password", None
    total = len(reader.pages)
    _send({"pages": total})
    mended: set[int] = set()
    for number in range(1, total + 1):
        _send({"page": number, "text": _page_text(reader, number, mended)})
    return "read", _title(reader)


def _page_text(reader: pypdf.PdfReader, number: int, mended: set[int]) -> str | None:
    try:
        page = reader.pages[number - 1]
        for font in _fonts(page):
            if id(font) not in mended:
                mended.add(id(font))
                _mend_ligatures(font)
        return page.extract_text()
    except (MemoryError, LimitReachedError, FileNotDecryptedError):
        raise
    except Exception:  # noqa: BLE001 - one damaged page does not take the others with it
        return None


def _fonts(page: pypdf.PageObject) -> list[DictionaryObject]:
    fonts = _entry(_entry(page, "/Resources"), "/Font")
    entries = [_entry(fonts, name) for name in fonts] if isinstance(fonts, DictionaryObject) else []
    return [entry for entry in entries if isinstance(entry, DictionaryObject)]


def _entry(holder: Any, key: str) -> Any:
    """What stands under `key`, references followed; null where `holder` is no dictionary or lacks the key."""
    return holder.get(key, NullObject()).get_object() if isinstance(holder, DictionaryObject) else NullObject()


def _mend_ligatures(font: DictionaryObject) -> None:
    """Some programs name a glyph "fi" and then map it to "f" alone: "profit" reads "proft". Believe the name."""
    table = _entry(font, "/ToUnicode")
    differences = _entry(_entry(font, "/Encoding"), "/Differences")
    if not isinstance(table, StreamObject) or not isinstance(differences, ArrayObject):
        return
    data = table.get_data()
    for code, letters in _ligature_codes(differences):
        wrong = re.compile(rb"(<%02x>\s*)<%04x>" % (code, ord(letters[0])), re.IGNORECASE)
        data = wrong.sub(rb"\1<%s>" % letters.encode("utf-16-be").hex().encode(), data)
    mended = DecodedStreamObject()
    mended.set_data(data)
    font[NameObject("/ToUnicode")] = mended


def _ligature_codes(differences: Iterable[Any]) -> Iterator[tuple[int, str]]:
    """The one-byte codes that /Differences gives to ligatures: a number starts a run, each name takes the next."""
    code = 0
    for entry in differences:
        if isinstance(entry, int):
            code = entry
            continue
        if entry in _LIGATURES and code < 256:
            yield code, _LIGATURES[entry]
        code += 1


def _title(reader: pypdf.PdfReader) -> str | None:
    """The title of the information dictionary; the XML metadata is never parsed."""
    try:
        title = reader.metadata.get("/Title") if reader.metadata else None
    except Exception:  # noqa: BLE001 - a title is optional
        return None
    return str(title) if isinstance(title, TextStringObject) else None


def _limit_resources(cpu_seconds: int, memory_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no rlimits; the parent's wall clock limit still holds there
        return
    wanted = {
        resource.RLIMIT_CPU: (cpu_seconds, cpu_seconds + 1),  # SIGXCPU first, so that the parent knows why
        resource.RLIMIT_AS: (memory_bytes, memory_bytes),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
    }
    for limit, value in wanted.items():
        try:
            resource.setrlimit(limit, value)
        except (ValueError, OSError):  # macOS refuses RLIMIT_AS; the other limits hold
            continue


def _send(frame: dict[str, Any]) -> None:
    # ensure_ascii: lone surrogates, which a damaged font can give, have no UTF-8 form.
    payload = json.dumps(frame, ensure_ascii=True).encode("ascii")
    sys.stdout.buffer.write(struct.pack(">I", len(payload)) + payload)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
