"""`deeptrust study ingest` and `study ask`: grounded research over a job's prep pack."""

import asyncio
from typing import Annotated

import typer

from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_answer, print_json, print_note
from deeptrust.cli.workspace import Workspace, open_workspace
from deeptrust.domain.answer import GroundedAnswer
from deeptrust.domain.question import check_question
from deeptrust.errors import BadInput, Unavailable
from deeptrust.harness.ingest import IngestReport, PackStatus
from deeptrust.harness.selector import HarnessChoice
from deeptrust.settings import Settings, load_settings

JobArgument = Annotated[str, typer.Argument(help="The job's id, as `study list` shows it.")]
HarnessOption = Annotated[str | None, typer.Option("--harness", metavar="ID", help="For instance local-rag.")]


def ingest(job: JobArgument, harness: HarnessOption = None, json: JsonOption = False, home: HomeOption = None) -> None:
    """Give a job's prep pack to a harness. What would leave this machine is named first and needs your yes."""
    report = asyncio.run(_ingest(load_settings(home=home), job, harness))
    if json:
        print_json(report.to_wire())
    else:
        typer.echo(report.message)
        if report.link:
            typer.echo(report.link)
    if report.status is not PackStatus.READY:
        raise typer.Exit(1)


def ask(
    job: JobArgument,
    question: Annotated[str, typer.Argument(help="What you want to know about the job.")],
    harness: HarnessOption = None,
    json: JsonOption = False,
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Answer a question from a job's prep pack; the pack is taken in first where the harness answers here."""
    settings = load_settings(home=home, offline=offline or None)
    question = check_question(question, settings.max_question_characters)
    answer = asyncio.run(_ask(settings, job, question, harness))
    if json:
        print_json(answer.to_wire())
    else:
        print_answer(answer)


async def _ingest(settings: Settings, job_id: str, harness_id: str | None) -> IngestReport:
    async with open_workspace(settings) as workspace:
        harness = await _choose(workspace, harness_id)
        report = await workspace.ingest_job(job_id, harness.id, None)
        if report.confirmation is None:
            return report
        print_note(report.message)
        for leaving in report.confirmation.leaving:
            print_note(f"  {leaving.title}: {leaving.characters:,} characters to {report.confirmation.destination}")
        if not await asyncio.to_thread(typer.confirm, "Send this?", default=False, err=True):
            return report
        return await workspace.ingest_job(job_id, harness.id, report.confirmation.token)


async def _ask(settings: Settings, job_id: str, question: str, harness_id: str | None) -> GroundedAnswer:
    async with open_workspace(settings) as workspace:
        harness = await _choose(workspace, harness_id)
        if harness.answers_here:
            report = await workspace.ingest_job(job_id, harness.id, None)
            if report.status is not PackStatus.READY:
                raise Unavailable(report.message)
        return await workspace.ask_job(job_id, question, harness.id)


async def _choose(workspace: Workspace, harness_id: str | None) -> HarnessChoice:
    """The harness of that id, or the default one."""
    choices = await workspace.harnesses()
    for choice in choices:
        if choice.id == harness_id or (harness_id is None and choice.is_default):
            return choice
    known = ", ".join(choice.id for choice in choices)
    raise BadInput(f"There is no research harness {harness_id!r}. Choose one of: {known}.")
