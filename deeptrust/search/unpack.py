"""Decompression that counts while it unpacks, so that a small reply cannot become gigabytes (WEB-15)."""

import zlib

MAX_BYTES = 5 * 1024 * 1024
"""Largest reply, unpacked. A page of 30 results has about 100 KB."""

ACCEPTED = "gzip"
"""What we ask for. Anything else that comes back, twice-packed replies included, is refused unread."""

_GZIP_WINDOW = zlib.MAX_WBITS | 16


class Unreadable(Exception):
    """A reply that is too large, damaged, or packed in a way that was not asked for; the text says which."""


class Unpacker:
    """Takes the bytes of one reply as they arrive and gives at most `max_bytes` of content."""

    def __init__(self, content_encoding: str, max_bytes: int = MAX_BYTES) -> None:
        """`content_encoding` is the header's value; empty means plain bytes.

        Raises:
            Unreadable: the encoding is not one that we asked for.
        """
        encoding = content_encoding.strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise Unreadable("is packed in a way that was not asked for")
        self._inflater = zlib.decompressobj(_GZIP_WINDOW) if encoding.endswith("gzip") else None
        self._max_bytes = max_bytes
        self._content = bytearray()

    def feed(self, chunk: bytes) -> None:
        """Unpack one chunk.

        Raises:
            Unreadable: the content is larger than `max_bytes`, or the packing is damaged.
        """
        room = self._max_bytes - len(self._content) + 1
        try:
            self._content += self._inflater.decompress(chunk, room) if self._inflater else chunk[:room]
        except zlib.error as error:
            raise Unreadable("is damaged") from error
        if len(self._content) > self._max_bytes:
            raise Unreadable(f"is larger than {self._max_bytes // (1024 * 1024)} MB")

    def text(self) -> str:
        """The content as text. Every engine here sends UTF-8; other bytes become replacement marks.

        Raises:
            Unreadable: the packing ended too early.
        """
        if self._inflater and not self._inflater.eof and self._content:
            raise Unreadable("ended too early")
        return self._content.decode("utf-8-sig", errors="replace")
