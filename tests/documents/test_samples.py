"""The samples are read by our own readers, and answer the starter questions."""

import pytest

from deeptrust.documents.reader import FileReader
from deeptrust.domain.document import ReadStatus
from deeptrust.language.clean import fold_space
from deeptrust.samples import SAMPLE_QUESTIONS, sample_files

ANSWERS = (
    ("renting-in-larkfield.pdf", "The landlord must return your deposit within 14 days after you hand back the keys."),
    ("leave-and-remote-work.md", "Employees may work from home up to three days a week."),
    ("home-battery-guide.pdf", "A battery does not work in a power cut unless it has a backup switch."),
)


async def test_each_sample_reads_with_a_title_and_enough_to_ask_about(reader: FileReader) -> None:
    readings = [await reader.read(path.read_bytes(), path.name) for path in sample_files()]
    assert len(readings) == 4
    for reading in readings:
        words = sum(len(page.text.split()) for page in reading.pages)
        assert reading.status is ReadStatus.OK
        assert reading.title
        assert 500 <= words <= 1500


@pytest.mark.parametrize(("name", "sentence"), ANSWERS)
async def test_starter_question_is_answered_on_exactly_one_page(reader: FileReader, name: str, sentence: str) -> None:
    assert len(SAMPLE_QUESTIONS) == len(ANSWERS)
    with_it: list[tuple[str, int]] = []
    for path in sample_files():
        reading = await reader.read(path.read_bytes(), path.name)
        with_it += [(path.name, page.number) for page in reading.pages if sentence in fold_space(page.text)]
    assert [found for found, _ in with_it] == [name]
