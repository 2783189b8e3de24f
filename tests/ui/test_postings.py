"""What comes of a file dropped on a Study page."""

import pytest

from deeptrust.documents.reader import FileReader
from deeptrust.errors import BadDocument
from deeptrust.study.jobs import MOST_CHARACTERS
from deeptrust.ui.addresses import job_address, job_of
from deeptrust.ui.postings import read_posting

READER = FileReader(1_000_000)


async def test_a_saved_web_page_loses_its_markup_and_keeps_its_addresses():
    page = (
        "<!DOCTYPE html><html><head><script>alert(1)</script></head><body><h1>Pilot – Rotterdam</h1>"
        "<p>Apply <a href='https://jobs.lever.co/x/1'>here</a></p><ul><li>Licence</li></ul></body></html>"
    )
    text = await read_posting(page.encode("utf-16"), "saved.html", READER)
    assert text.startswith("# Pilot – Rotterdam")
    assert "https://jobs.lever.co/x/1" in text
    assert "alert" not in text


async def test_text_and_markdown_are_taken_as_they_are():
    assert await read_posting("# Müller\n\nLicence".encode("latin-1"), "a.md", READER) == "# Müller\n\nLicence"


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (b"", "a.txt", "empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(600), "a.png", "PNG image"),
        (bytes(range(256)) * 40, "a.html", "not text"),
        (b"<html><head><script>x</script></head><body><p></p></body></html>", "a.html", "No text was found"),
        (b"word " * (MOST_CHARACTERS // 4), "a.txt", f"a job takes {MOST_CHARACTERS:,}"),
    ],
)
async def test_a_file_that_is_no_posting_is_refused_with_a_sentence(data: bytes, name: str, sentence: str):
    with pytest.raises(BadDocument, match=sentence):
        await read_posting(data, name, READER)


def test_an_address_gives_its_job_and_nothing_else_does():
    assert job_of(job_address("abc")) == "abc"
    assert job_of("/study/abc/") == "abc"
    assert [job_of(path) for path in ("/study", "/", "/other/abc", "/study/a/b")] == [""] * 4
