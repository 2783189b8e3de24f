import pytest
import reflex as rx

from deeptrust.errors import BadDocument
from deeptrust.settings import load_settings
from deeptrust.ui.uploads import received


async def arriving(*pieces: tuple[str, int, bytes]) -> rx.UploadChunkIterator:
    chunks = rx.UploadChunkIterator(maxsize=len(pieces) + 1)
    for name, offset, data in pieces:
        await chunks.push(rx.UploadChunk(filename=name, offset=offset, content_type="", data=data))
    await chunks.finish()
    return chunks


async def collect(*pieces: tuple[str, int, bytes], limit: int = 10) -> list[tuple[str, bytes | None]]:
    settings = load_settings(max_document_bytes=limit, max_files_per_upload=3, max_bytes_per_upload=30)
    found = [upload async for upload in received(await arriving(*pieces), settings)]
    return [(upload.name, None if upload.data is None else bytes(upload.data)) for upload in found]


async def test_files_are_put_together_piece_by_piece():
    assert await collect(("a", 0, b"12"), ("a", 2, b"34"), ("b", 0, b"5")) == [("a", b"1234"), ("b", b"5")]


async def test_a_file_that_is_too_large_is_let_go_and_the_next_one_has_its_turn():
    assert await collect(("big", 0, b"123456"), ("big", 6, b"789012"), ("b", 0, b"5")) == [("big", None), ("b", b"5")]


async def test_an_empty_file_is_told_apart_from_none():
    assert await collect(("a", 0, b"")) == [("a", b"")]
    assert await collect() == []


async def test_folders_of_a_name_are_dropped():
    assert await collect(("../../etc/passwd", 0, b"x")) == [("passwd", b"x")]


@pytest.mark.parametrize(
    "pieces",
    [[(name, 0, b"") for name in "abcd"], [("a", 0, b"x" * 9), ("a", 9, b"x" * 22)]],
    ids=["files", "bytes"],
)
async def test_an_upload_of_too_many_files_or_bytes_is_broken_off_with_a_sentence(pieces: list[tuple[str, int, bytes]]):
    with pytest.raises(BadDocument, match="At once 3 files and 30 bytes can be added"):
        await collect(*pieces)
