"""Which characters the bytes of a text file stand for."""

import codecs

from charset_normalizer import from_bytes

SAMPLE_BYTES = 64 * 1024
"""As much of a file as is looked at to guess its encoding."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LEGACY = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1255", "cp1256", "cp932", "euc_jp", "gb18030", "big5", "cp949", "koi8_r",
]  # fmt: skip
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b")
_MOST_CONTROLS = 0.02
_MOST_NULS = 0.3


def text_encoding(data: bytes) -> str | None:
    """The name of the codec for `data`, or None if this is no text.

    A byte order mark decides; else strict UTF-8; else the zero bytes of unmarked UTF-16; else charset-normalizer's
    guess. Random bytes are one tenth control characters and legacy text has none, which tells the two apart; UTF-8
    may hold stray zero bytes, for `clean_text` removes them.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec
    sample = data[:SAMPLE_BYTES]
    wide = _unmarked_utf16(sample)
    if wide:
        return wide
    controls = sum(byte in _CONTROLS for byte in sample)
    nuls = sample.count(0)
    if _is_utf8(data):
        is_text = nuls <= _MOST_NULS * len(sample) and controls - nuls <= _MOST_CONTROLS * len(sample)
        return "utf-8" if is_text else None
    if controls > _MOST_CONTROLS * len(sample):
        return None
    return _guess(sample)


def decode_text(data: bytes) -> str | None:
    """The characters of `data`, or None if this is no text. Bytes that do not fit become U+FFFD."""
    codec = text_encoding(data)
    return data.decode(codec, errors="replace") if codec else None


def _guess(sample: bytes) -> str:
    """The likeliest of the encodings that files still have; Western European where that is as likely as another."""
    matches = from_bytes(sample, cp_isolation=_LEGACY)
    best = matches.best()
    if best is None or "cp1252" in best.could_be_from_charset:
        return "cp1252"
    is_western = any(match.encoding == "cp1252" and match.chaos <= best.chaos for match in matches)
    return "cp1252" if is_western else best.encoding


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
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
