"""`deeptrust runs`: what was asked, and how it ended."""

import asyncio

import typer

from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_json
from deeptrust.cli.workspace import open_workspace
from deeptrust.runs.projection import RunLine
from deeptrust.settings import Settings, load_settings


def runs(json: JsonOption = False, home: HomeOption = None, offline: OfflineOption = False) -> None:
    """List your latest questions and research runs, newest first."""
    found = asyncio.run(_list(load_settings(home=home, offline=offline or None)))
    if json:
        print_json({"runs": [run.to_wire() for run in found]})
        return
    for run in found:
        typer.echo(
            f"{run.created_at:%Y-%m-%d %H:%M}  {run.status.replace('_', ' '):<18} {run.kind:<9} {run.user_query}"
        )
    if not found:
        typer.echo('Nothing yet. Begin with: deeptrust ask "QUESTION" --file FILE')


async def _list(settings: Settings) -> list[RunLine]:
    async with open_workspace(settings) as workspace:
        return await workspace.runs()
