"""`deeptrust doctor`: does every part of this machine work, and if not, what mends it."""

import asyncio
from collections.abc import AsyncIterator

import typer

from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_json
from deeptrust.cli.port import refuse_taken_port
from deeptrust.cli.workspace import open_workspace
from deeptrust.domain.record import Record
from deeptrust.errors import DeepTrustError
from deeptrust.home import HomeFolder
from deeptrust.services import choose_chat_model, choose_embedder
from deeptrust.settings import Settings, load_settings


class Finding(Record):
    """One part: whether it works, and a sentence that says what it is or how to mend it."""

    part: str
    works: bool
    detail: str


def doctor(json: JsonOption = False, home: HomeOption = None, offline: OfflineOption = False) -> None:
    """Check home, store, models and port; each failure names its fix."""
    settings = load_settings(home=home, offline=offline or None)
    findings = asyncio.run(_examine(settings))
    if json:
        print_json({"works": all(f.works for f in findings), "findings": [f.to_wire() for f in findings]})
    else:
        for finding in findings:
            typer.echo(f"{'ok    ' if finding.works else 'BROKEN'} {finding.part}: {finding.detail}")
    if not all(finding.works for finding in findings):
        raise typer.Exit(1)


async def _examine(settings: Settings) -> list[Finding]:
    return [finding async for finding in _findings(settings)]


async def _findings(settings: Settings) -> AsyncIterator[Finding]:
    for part, check in (
        ("home and documents", _check_store),
        ("embedder", _check_embedder),
        ("chat model", _check_chat_model),
        ("port", _check_port),
    ):
        try:
            yield Finding(part=part, works=True, detail=await check(settings))
        except DeepTrustError as error:
            yield Finding(part=part, works=False, detail=str(error))


async def _check_store(settings: Settings) -> str:
    async with open_workspace(settings) as workspace:
        found = await workspace.documents()
    return f"{settings.home_folder} holds {len(found)} documents"


async def _check_embedder(settings: Settings) -> str:
    embedder = choose_embedder(settings)
    try:
        await embedder.embed_question("Does retrieval work?")
    finally:
        await embedder.close()
    return f"{embedder.name}, on this machine"


async def _check_chat_model(settings: Settings) -> str:
    model = choose_chat_model(settings)
    if model is None:
        return "none chosen, so answers quote sentences"
    try:
        await model.load()
    finally:
        await model.close()
    return f"{model.name}, {'leaves this machine' if model.reaches_network else 'on this machine'}"


async def _check_port(settings: Settings) -> str:
    server = HomeFolder(settings.home_folder).running_server()
    if server is not None:
        return f"served by process {server.pid} at http://127.0.0.1:{server.port}"
    refuse_taken_port(settings.host, settings.port)
    return f"{settings.port} is free"
