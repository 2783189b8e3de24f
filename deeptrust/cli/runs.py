"""`deeptrust runs`: what was asked, how it ended, and a second try for a run that ended badly."""

import asyncio
from typing import Annotated

import typer

from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_json
from deeptrust.cli.report import finish
from deeptrust.cli.workspace import open_workspace
from deeptrust.runs.projection import RunLine, RunView
from deeptrust.settings import Settings, load_settings

runs = typer.Typer(invoke_without_command=True)

MayLeaveOption = Annotated[
    bool, typer.Option("--may-leave", help="Agree that it goes to a model elsewhere which your approval did not name.")
]


@runs.callback()
def list_runs(
    context: typer.Context, json: JsonOption = False, home: HomeOption = None, offline: OfflineOption = False
) -> None:
    """List your latest questions and research runs, newest first."""
    if context.invoked_subcommand:
        return
    found = asyncio.run(_list(load_settings(home=home, offline=offline or None)))
    if json:
        print_json({"runs": [run.to_wire() for run in found]})
        return
    for run in found:
        when, status = f"{run.created_at:%Y-%m-%d %H:%M}", run.status.replace("_", " ")
        typer.echo(f"{run.thread_id}  {when}  {status:<18} {run.kind:<9} {run.user_query}")
    if not found:
        typer.echo('Nothing yet. Begin with: deeptrust ask "QUESTION" --file FILE')


@runs.command()
def retry(
    run_id: Annotated[str, typer.Argument(metavar="ID", help="The run, as `deeptrust runs` shows it.")],
    may_leave: MayLeaveOption = False,
    json: JsonOption = False,
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Take up a run that failed after your yes, or whose report a model failed to write, with the model of now."""
    finish(asyncio.run(_retry(load_settings(home=home, offline=offline or None), run_id, may_leave)), json)


async def _list(settings: Settings) -> list[RunLine]:
    async with open_workspace(settings) as workspace:
        return await workspace.runs()


async def _retry(settings: Settings, run_id: str, may_leave: bool) -> RunView:
    async with open_workspace(settings) as workspace:
        await workspace.retry(run_id, may_leave)
        return await workspace.wait(run_id)
