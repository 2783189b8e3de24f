import asyncio
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text

from deeptrust.database.engine import Database
from deeptrust.database.tables import UserRow
from deeptrust.database.users import local_user
from deeptrust.domain.study import JobEdit, Pay, RequirementEdit, RequirementKind
from deeptrust.errors import BadInput, Conflict, NotFound
from deeptrust.study.jobs import MOST_CHARACTERS, JobBook
from deeptrust.study.pack import DOCUMENT_NAMES
from tests.study.conftest import NOW

POSTING = (
    "# Gardener\n\nLocation: Kew\n\nSalary: £28,000 per year\n\n## Requirements\n\n- A driver's license\n- Patience"
)


@pytest.fixture
async def database(tmp_path: Path):
    opened = Database(tmp_path / "deeptrust.sqlite")
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def book(database: Database) -> JobBook:
    return JobBook(database)


@pytest.fixture
async def owner(database: Database) -> str:
    return await database.run(local_user)


async def test_a_job_comes_back_as_it_was_added(book: JobBook, owner: str):
    added = await book.add(owner, POSTING, "Seven years in gardens.")
    assert await book.find(owner, added.id) == added
    assert [job.id for job in await book.jobs(owner)] == [added.id]


async def test_an_edit_replaces_named_fields_and_keeps_the_quotes_of_the_rest(book: JobBook, owner: str):
    added = await book.add(owner, POSTING)
    kept = added.facts.requirements[0]
    edit = JobEdit(
        company="Royal Gardens",
        pay=(Pay(minimum=30000, currency="GBP"),),
        locations=("Kew", "Wakehurst"),
        requirements=(
            RequirementEdit(text=kept.text),
            RequirementEdit(text="Two years of pruning", kind=RequirementKind.PREFERRED),
        ),
    )
    facts = (await book.edit(owner, added.id, edit)).facts
    assert facts.title == added.facts.title
    assert facts.company is not None
    assert (facts.company.value, facts.company.quote) == ("Royal Gardens", None)
    assert facts.locations[0] == added.facts.locations[0]
    assert facts.locations[1].quote is None
    assert facts.requirements[0] == kept
    assert (facts.requirements[1].years, facts.requirements[1].quote) == (2, None)
    assert (await book.find(owner, added.id)).facts == facts


async def test_null_clears_a_field(book: JobBook, owner: str):
    added = await book.add(owner, POSTING)
    facts = (await book.edit(owner, added.id, JobEdit(title=None, pay=()))).facts
    assert (facts.title, facts.pay) == (None, ())


async def test_a_pack_document_can_be_rewritten_and_taken_back(book: JobBook, owner: str):
    added = await book.add(owner, POSTING)
    await book.write_document(owner, added.id, DOCUMENT_NAMES[1], "# My plan\n")
    assert (await book.pack(owner, added.id)).documents[1].markdown == "# My plan\n"
    await book.write_document(owner, added.id, DOCUMENT_NAMES[1], None)
    assert not (await book.pack(owner, added.id)).documents[1].is_own
    with pytest.raises(BadInput, match="no document"):
        await book.write_document(owner, added.id, "../etc/passwd", "x")


async def test_a_resume_can_come_later(book: JobBook, owner: str):
    added = await book.add(owner, POSTING)
    job = await book.set_resume(owner, added.id, "I hold a driver's license.")
    assert job.resume == "I hold a driver's license."
    assert (await book.set_resume(owner, added.id, None)).resume is None


async def test_a_strangers_job_is_not_found(database: Database, book: JobBook, owner: str):
    added = await book.add(owner, POSTING)
    stranger = uuid4().hex
    await database.run(lambda session: session.add(UserRow(id=stranger, created_at=NOW)))
    for call in (
        book.find(stranger, added.id),
        book.edit(stranger, added.id, JobEdit(title="Mine")),
        book.set_resume(stranger, added.id, None),
        book.write_document(stranger, added.id, DOCUMENT_NAMES[0], "x"),
        book.pack(stranger, added.id),
        book.delete(stranger, added.id),
        book.find(owner, "no such id"),
    ):
        with pytest.raises(NotFound, match="no such job"):
            await call
    assert await book.jobs(stranger) == []
    assert await book.find(owner, added.id) == added


async def test_a_deleted_job_is_gone(book: JobBook, owner: str):
    added = await book.add(owner, POSTING)
    await book.delete(owner, added.id)
    assert await book.jobs(owner) == []


async def test_an_empty_or_endless_posting_is_refused(book: JobBook, owner: str):
    with pytest.raises(BadInput, match="no text"):
        await book.add(owner, " \n\u200b")
    with pytest.raises(BadInput, match="limit is"):
        await book.add(owner, "x" * (MOST_CHARACTERS + 1))


async def test_a_row_whose_columns_are_null_still_gives_a_pack(database: Database, book: JobBook, owner: str):
    added = await book.add(owner, POSTING)
    null_lists = '{"requirements": null, "title": null, "pay": null, "ats": null, "description": null}'
    for facts in (None, null_lists):
        await database.run(
            lambda session, facts=facts: session.execute(
                text("UPDATE jobs SET facts = :facts, resume = NULL, own_documents = NULL"), {"facts": facts}
            )
        )
        assert (await book.find(owner, added.id)).facts.requirements == ()
        assert len((await book.pack(owner, added.id)).documents) == 4


async def test_an_edit_that_comes_after_a_deletion_brings_nothing_back(
    database: Database, owner: str, monkeypatch: pytest.MonkeyPatch
):
    """In another tab the job is deleted between the look at it and the saving."""
    book = JobBook(database)
    job = await book.add(owner, POSTING)
    found = await book.find(owner, job.id)
    await book.delete(owner, job.id)

    async def find(*_: str) -> object:
        return found

    with monkeypatch.context() as late:
        late.setattr(book, "find", find)
        with pytest.raises(NotFound):
            await book.set_resume(owner, job.id, "Seven years in gardens.")
    assert await book.jobs(owner) == []


async def test_a_save_over_what_another_tab_has_saved_is_refused_with_a_sentence(book: JobBook, owner: str):
    seen = await book.add(owner, POSTING)
    await book.edit(owner, seen.id, JobEdit(title="Head gardener"), seen.updated_at)
    for late in (
        book.edit(owner, seen.id, JobEdit(title="Under-gardener"), seen.updated_at),
        book.set_resume(owner, seen.id, "Seven years.", seen.updated_at),
        book.write_document(owner, seen.id, DOCUMENT_NAMES[0], "# Mine", seen.updated_at),
    ):
        with pytest.raises(Conflict, match="changed in another tab"):
            await late
    now = await book.find(owner, seen.id)
    assert now.facts.title and now.facts.title.value == "Head gardener"
    assert (now.resume, now.own_documents) == (None, {})
    await book.edit(owner, seen.id, JobEdit(title="Under-gardener"), now.updated_at)


async def test_of_two_saves_in_the_same_moment_one_is_refused(book: JobBook, owner: str):
    job = await book.add(owner, POSTING)
    edits = (book.edit(owner, job.id, JobEdit(title="One")), book.set_resume(owner, job.id, "Seven years."))
    ended = await asyncio.gather(*edits, return_exceptions=True)
    assert [type(one) for one in ended].count(Conflict) == 1
