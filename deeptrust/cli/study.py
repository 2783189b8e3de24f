"""`deeptrust study`: jobs from their postings, and the prep pack of each."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from deeptrust.cli.files import read_text
from deeptrust.cli.options import HomeOption, JsonOption
from deeptrust.cli.output import print_json
from deeptrust.database.engine import Database
from deeptrust.domain.document import ReadStatus
from deeptrust.domain.study import Job, PrepPack, missing_facts
from deeptrust.errors import BadDocument, Conflict
from deeptrust.home import HomeFolder
from deeptrust.identity.users import find_local_user
from deeptrust.settings import Settings, load_settings
from deeptrust.study.gaps import find_gaps
from deeptrust.study.jobs import JobBook

study = typer.Typer(help="Jobs from their postings, and a prep pack for each.", no_args_is_help=True)


@dataclass(frozen=True)
class _Desk:
    """The jobs of the person whose home this is."""

    book: JobBook
    owner: str


@study.command()
def add(
    file: Annotated[Path, typer.Argument(help="The posting: PDF, text, Markdown or saved HTML text.")],
    resume: Annotated[Path | None, typer.Option(help="Compare the requirements with this resume.")] = None,
    json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Read a posting: what it states, each field with its sentence, and what it does not state."""
    settings = load_settings(home=home)
    job = asyncio.run(_add(settings, file, resume))
    if json:
        print_json(_wire(job))
    else:
        _print_job(job)


@study.command(name="list")
def list_jobs(json: JsonOption = False, home: HomeOption = None) -> None:
    """List your jobs, newest first."""
    jobs = asyncio.run(_list(load_settings(home=home)))
    if json:
        print_json({"jobs": [_summary(job) for job in jobs]})
        return
    for job in jobs:
        typer.echo(f"{job.id}  {_name(job)}")
    if not jobs:
        typer.echo("No jobs yet. Add one with: deeptrust study add FILE")


@study.command()
def pack(
    job: Annotated[str, typer.Argument(help="The job's id, as `study list` shows it.")],
    out: Annotated[Path, typer.Option(help="Folder for the four documents; made if missing.")],
    home: HomeOption = None,
) -> None:
    """Write the four documents of a job's prep pack as Markdown files."""
    built = asyncio.run(_pack(load_settings(home=home), job))
    for path in _write(built, out):
        typer.echo(str(path))


async def _add(settings: Settings, file: Path, resume: Path | None) -> Job:
    posting = await _text_of(file, settings)
    resume_text = await _text_of(resume, settings) if resume else None
    async with _open_desk(settings) as desk:
        return await desk.book.add(desk.owner, posting, resume_text)


async def _list(settings: Settings) -> list[Job]:
    async with _open_desk(settings) as desk:
        return await desk.book.jobs(desk.owner)


async def _pack(settings: Settings, job_id: str) -> PrepPack:
    async with _open_desk(settings) as desk:
        return await desk.book.pack(desk.owner, job_id)


@asynccontextmanager
async def _open_desk(settings: Settings) -> AsyncGenerator[_Desk]:
    """Open the jobs of the home.

    Raises:
        Conflict: a server holds the home.
    """
    home = HomeFolder(settings.home_folder)
    if server := home.running_server():
        raise Conflict(
            f"DeepTrust serves this home at http://127.0.0.1:{server.port}. "
            "Use its Study page, or stop it and try again."
        )
    database = Database(home.path / "deeptrust.sqlite")
    await database.open()
    try:
        yield _Desk(JobBook(database), await find_local_user(database))
    finally:
        await database.close()


async def _text_of(path: Path, settings: Settings) -> str:
    reading = await read_text(path, settings)
    if reading.status is not ReadStatus.OK:
        raise BadDocument(f"{path.name}: {reading.reason or reading.status}")
    return "\n\n".join(page.text for page in reading.pages)


def _write(built: PrepPack, out: Path) -> list[Path]:
    try:
        out.mkdir(parents=True, exist_ok=True)
        for document in built.documents:
            (out / document.name).write_text(document.markdown, encoding="utf-8")
    except OSError as error:
        raise BadDocument(f"{out} cannot be written: {error.strerror}. Choose another folder with --out.") from error
    return [out / document.name for document in built.documents]


def _name(job: Job) -> str:
    title = job.facts.title.value if job.facts.title else "(title not stated)"
    return f"{title}, {job.facts.company.value}" if job.facts.company else title


def _summary(job: Job) -> dict[str, object]:
    facts = job.facts
    return {
        "jobId": job.id,
        "title": facts.title.value if facts.title else None,
        "company": facts.company.value if facts.company else None,
        "createdAt": job.created_at.isoformat(),
    }


def _wire(job: Job) -> dict[str, object]:
    gaps = [gap.to_wire() for gap in find_gaps(job.facts, job.resume)]
    return {"jobId": job.id, "facts": job.facts.to_wire(), "gaps": gaps, "notStated": list(missing_facts(job.facts))}


def _print_job(job: Job) -> None:
    typer.echo(f"{job.id}  {_name(job)}")
    typer.echo(
        f"Requirements: {len(job.facts.requirements)}. Not stated: {', '.join(missing_facts(job.facts)) or 'nothing'}."
    )
    for gap in find_gaps(job.facts, job.resume):
        typer.echo(f"  {gap.status:<8} {gap.requirement}")
    typer.echo(f"Write its prep pack with: deeptrust study pack {job.id} --out DIR")
