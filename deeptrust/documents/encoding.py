"""Which characters the bytes of a text file stand for."""

import codecs
import re
from dataclasses import dataclass

from deeptrust.documents.alphabets import GUESSED, guess_encoding
from deeptrust.language.clean import clean_text

SAMPLE_BYTES = 64 * 1024
"""As much of a file as is looked at to tell text from data."""

GUESS_BYTES = 8 * 1024
"""As much of its lines with foreign letters as is looked at to guess their encoding."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SEVEN_BIT = ("iso2022_jp", "iso2022_kr")
_SEVEN_BIT_SWITCH = re.compile(rb"\x1b\$[@B)]")
_HALF_CHARACTER = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
"""A surrogate as some programs write it into UTF-8."""
_FOREIGN_LINE = re.compile(rb"[^\n\r]*[\x80-\xff][^\n\r]*[\n\r]*")
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b")
_MOST_CONTROLS = 0.02
_MOST_NULS = 0.3
_LEAST_GOOD = 4
"""So many whole characters of UTF-8 a file must have for each broken one to be UTF-8; other encodings have fewer."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, and a sentence on what is uncertain about it; None where nothing is."""

    text: str
    remark: str | None


def text_encoding(data: bytes) -> str | None:
    """The name of the codec for `data`, or None if this is no text.

    A byte order mark decides; else the escapes of 7-bit Japanese and Korean; else the zero bytes of unmarked UTF-16;
    else UTF-8, of which a few characters may be broken; else a guess by the letters. Random bytes are one tenth control
    characters and legacy text has none, which tells the two apart; UTF-8 may hold stray zero bytes, for `clean_text`
    removes them.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec
    sample = data[:SAMPLE_BYTES]
    if known := _unmarked_utf16(sample) or _seven_bit(data):
        return known
    controls = sum(byte in _CONTROLS for byte in sample)
    nuls = sample.count(0)
    if _is_utf8(data):
        is_text = nuls <= _MOST_NULS * len(sample) and controls - nuls <= _MOST_CONTROLS * len(sample)
        return "utf-8" if is_text else None
    if controls > _MOST_CONTROLS * len(sample):
        return None
    return guess_encoding(_foreign_lines(data))


def decode_text(data: bytes) -> Decoded | None:
    """The characters of `data`, or None if this is no text. Bytes that do not fit become U+FFFD, and are counted."""
    codec = text_encoding(data)
    if codec is None:
        return None
    text = data.decode(codec, errors="replace")
    return Decoded(text, _remark(codec, clean_text(text).count("\ufffd") if codec == "utf-8" else 0))


def _remark(codec: str, broken: int) -> str | None:
    if codec in GUESSED:
        name = codec.replace("cp125", "windows-125").replace("_", "-")
        return f"This file is not UTF-8 and was read as {name}. If letters look wrong, save it as UTF-8 and add that."
    if broken:
        characters = "1 character" if broken == 1 else f"{broken:,} characters"
        return f"{characters} of this file cannot be read, and \ufffd stands there. Save it as UTF-8 and add that."
    return None


def _foreign_lines(data: bytes) -> bytes:
    """The first lines with bytes beyond ASCII: a long English beginning says nothing of what follows."""
    lines, size = list[bytes](), 0
    for line in _FOREIGN_LINE.finditer(data):
        lines.append(line.group()[:GUESS_BYTES])
        size += len(lines[-1])
        if size >= GUESS_BYTES:
            break
    return b"".join(lines)


def _seven_bit(data: bytes) -> str | None:
    if not _SEVEN_BIT_SWITCH.search(data):
        return None
    return next((codec for codec in _SEVEN_BIT if _decodes(data, codec)), None)


def _is_utf8(data: bytes) -> bool:
    """Whether this is UTF-8, a few broken characters allowed: one must not turn all others into nonsense."""
    if _decodes(data, "utf-8") or _decodes(_HALF_CHARACTER.sub(b"?", data), "utf-8"):
        return True
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    whole = len(text) - len(text.encode("ascii", errors="ignore")) - broken
    return whole >= _LEAST_GOOD * broken


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _unmarked_utf16(sample: bytes) -> str | None:
    """UTF-16 without a mark has its zero bytes, those of Latin letters and blanks, on one side only."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    least = _MOST_NULS * len(sample) / 2
    if odd >= least and odd > 10 * even:
        return "utf-16-le"
    if even >= least and even > 10 * odd:
        return "utf-16-be"
    return None
