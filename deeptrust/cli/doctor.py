"""`deeptrust doctor`: does every part of this machine work, and if not, what mends it."""

import asyncio
from collections.abc import AsyncIterator

import typer

from deeptrust.choices import choose_embedder, open_models
from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_json
from deeptrust.cli.port import refuse_taken_port
from deeptrust.cli.workspace import open_workspace
from deeptrust.domain.model import Backend, ModelOffer
from deeptrust.domain.record import Record
from deeptrust.errors import DeepTrustError
from deeptrust.home import HomeFolder
from deeptrust.language.counting import count
from deeptrust.llm.choice import AUTO
from deeptrust.llm.selection import ModelSelection
from deeptrust.settings import Settings, load_settings

_SERVED = (Backend.OLLAMA, Backend.ENDPOINT, Backend.CLAUDE)


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
        ("model servers", _check_model_servers),
        ("port", _check_port),
    ):
        try:
            yield Finding(part=part, works=True, detail=await check(settings))
        except DeepTrustError as error:
            yield Finding(part=part, works=False, detail=str(error))


async def _check_store(settings: Settings) -> str:
    async with open_workspace(settings) as workspace:
        found = await workspace.documents()
    return f"{settings.home_folder} holds {count(len(found), 'document')}"


async def _check_embedder(settings: Settings) -> str:
    embedder = choose_embedder(settings)
    try:
        await embedder.embed_question("Does retrieval work?")
    finally:
        await embedder.close()
    where = "texts leave this machine to be embedded" if embedder.reaches_network else "on this machine"
    return f"{embedder.name}, {where}"


async def _check_chat_model(settings: Settings) -> str:
    models = ModelSelection(None)
    selector = open_models(settings, HomeFolder(settings.home_folder), models)
    try:
        await selector.refresh()
        if models.current is None:
            return "none chosen, so answers quote sentences"
        await models.current.load()
        chosen = selector.find(selector.current_id)
        where = "prompts leave this machine" if chosen.reaches_network else "on this machine"
        how = "taken automatically" if selector.choice == AUTO else "chosen"
        return f"{models.current.name} ({chosen.id}, {how}), {where}"
    finally:
        await selector.close()


async def _check_model_servers(settings: Settings) -> str:
    """Say which other models are within reach; that one is not is no fault."""
    selector = open_models(settings, HomeFolder(settings.home_folder), ModelSelection(None))
    try:
        await selector.refresh()
        return "; ".join(_describe_source(selector.offers(), backend) for backend in _SERVED)
    finally:
        await selector.close()


def _describe_source(offers: list[ModelOffer], backend: Backend) -> str:
    ready = [offer.name for offer in offers if offer.backend is backend and offer.is_ready]
    problems = [offer.message.rstrip(".") for offer in offers if offer.backend is backend and not offer.is_ready]
    return f"{backend}: {', '.join(ready) or problems[0]}"


async def _check_port(settings: Settings) -> str:
    server = HomeFolder(settings.home_folder).running_server()
    if server is not None:
        return f"served by process {server.pid} at http://127.0.0.1:{server.port}"
    refuse_taken_port(settings.host, settings.port)
    return f"{settings.port} is free"
