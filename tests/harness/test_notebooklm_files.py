"""Packs by hand: files to drop into NotebookLM or a Claude project, and the link that the person pastes (H08, H10)."""

import io
import zipfile

import pytest

from deeptrust.database.engine import Database
from deeptrust.errors import BadInput
from deeptrust.harness.claude_project import ClaudeProject
from deeptrust.harness.ingest import PackFile, PackStatus, job_collection
from deeptrust.harness.notebooklm import NotebookLm
from deeptrust.harness.pack_files import source_files, write_zip
from deeptrust.harness.place import CLAUDE, NOTEBOOKLM, OutsideHarness, check_link
from tests.harness.packs import JOB, TEXTS, make_pack

COLLECTION = job_collection(JOB)


async def test_h08_one_markdown_file_a_source_with_instructions(database: Database, owner: str):
    report = await NotebookLm(database).ingest(owner, make_pack())
    *sources, instructions = report.files
    assert report.status is PackStatus.READY
    assert [file.name for file in sources] == [
        "1-jd-gaps.md", "2-study-plan.md", "3-ats-assessment-platform.md", "4-behavioural.md"
    ]  # fmt: skip
    assert [file.text for file in sources] == [document.markdown for document in make_pack().documents]
    assert all(file.name in instructions.text for file in sources)
    assert "Nothing has left this machine" in report.message


async def test_h10_a_brief_has_instructions_and_knowledge(database: Database, owner: str):
    report = await ClaudeProject(database).ingest(owner, make_pack())
    names = [file.name for file in report.files]
    assert names == ["instructions.md", *(f"knowledge/{file.name}" for file in source_files(make_pack())), "steps.txt"]
    instructions = report.files[0].text
    assert all(file.name in instructions for file in source_files(make_pack()))
    assert "not enough information" in instructions
    assert report.link == "https://claude.ai/projects"


async def test_the_zip_holds_the_files_and_is_the_same_for_the_same_pack(database: Database, owner: str):
    report = await ClaudeProject(database).ingest(owner, make_pack())
    data = write_zip(report.files)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        read = [PackFile(name=name, text=archive.read(name).decode()) for name in archive.namelist()]
    assert read == list(report.files)
    assert write_zip(report.files) == data


@pytest.mark.parametrize("title", ["../../etc/passwd", "", "日本", "a" * 500, "CON", 'x"; rm -rf /', "C:\\x"])
def test_no_title_becomes_a_path(title: str):
    document = make_pack().documents[0].model_copy(update={"title": title})
    (file,) = source_files(make_pack().model_copy(update={"documents": (document,)}))
    assert file.name.startswith("1-")
    assert file.name.removesuffix(".md").replace("-", "").isalnum()
    assert len(file.name) < 70


@pytest.mark.parametrize(("kind", "link"), [
    (NotebookLm, "https://notebooklm.google.com/notebook/5f0c-11"),
    (NotebookLm, "https://notebook.google.com/notebook/5f0c-11?authuser=1"),
    (NotebookLm, "https://notebooklm.cloud.google.com/global/notebook/5f0c?project=12"),
    (ClaudeProject, "https://claude.ai/project/0190-aa"),
])  # fmt: skip
async def test_the_pasted_link_is_remembered_for_this_job(
    database: Database, owner: str, kind: type[NotebookLm | ClaudeProject], link: str
):
    harness = kind(database)
    assert await harness.remember(owner, JOB, f"  {link}#top ") == link
    again = kind(database)
    detail = await again.ask(owner, COLLECTION, "Which ATS is it?")
    assert detail.link == link
    assert detail.answer.guidance == f"Open {link} and ask there."
    assert (await again.ingest(owner, make_pack())).link == link
    assert (await again.ask(owner, "job-other", "Which ATS is it?")).link == again.place.home
    await again.forget(owner, COLLECTION)
    assert (await again.ask(owner, COLLECTION, "Which ATS is it?")).link == again.place.home


async def test_links_of_two_harnesses_are_kept_apart(database: Database, owner: str):
    outside: list[OutsideHarness] = [NotebookLm(database), ClaudeProject(database)]
    links = ["https://notebooklm.google.com/notebook/1", "https://claude.ai/project/2"]
    for harness, link in zip(outside, links, strict=True):
        await harness.remember(owner, JOB, "https://" + link.removeprefix("https://"))
    assert [await harness.link(owner, COLLECTION) for harness in outside] == links


@pytest.mark.parametrize("link", [
    "", "notebook", "javascript:alert(1)", "http://notebooklm.google.com/notebook/1",
    "https://notebooklm.google.com", "https://notebooklm.google.com/", "https://notebooklm.google.com.evil.test/notebook/1",
    "https://evil.test/notebooklm.google.com/1", "https://user@notebooklm.google.com/notebook/1",
    "https://notebooklm.google.com:8443/notebook/1", "https://notebooklm.google.com\\@evil.test/1",
    "https://[notebooklm.google.com/1", "https://notebooklm.google.com/a b", "https://notebooklm.google.com/\n1",
    "https://notebooklm.google.com/" + "1" * 500, "https://claude.ai/project/1",
])  # fmt: skip
def test_a_foreign_link_is_refused(link: str):
    with pytest.raises(BadInput, match="not an address of NotebookLM"):
        check_link(NOTEBOOKLM, link)


def test_a_notebook_is_no_claude_project():
    with pytest.raises(BadInput, match=r"claude\.ai/project"):
        check_link(CLAUDE, "https://notebooklm.google.com/notebook/1")


async def test_h26_an_outside_harness_never_answers_by_itself(database: Database, owner: str):
    for harness in (NotebookLm(database), ClaudeProject(database)):
        await harness.ingest(owner, make_pack())
        detail = await harness.ask(owner, COLLECTION, "Which ATS does this job use?")
        assert not detail.answer.grounded
        assert detail.answer.citations == detail.claims == ()
        assert not any(word in detail.answer.text for text in TEXTS.values() for word in ("Workday", text))
