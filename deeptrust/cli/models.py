"""`deeptrust models`: which chat models there are, which one is used, and how to get another."""

import asyncio
from contextlib import aclosing
from typing import Annotated, get_args

import typer
from pydantic import SecretStr

from deeptrust.cli.download_bar import show_download
from deeptrust.cli.model_desk import open_model_desk
from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_json, print_note
from deeptrust.domain.model import DownloadPhase, DownloadProgress, ModelList, ModelOffer, ModelTest
from deeptrust.errors import BadInput, Unavailable
from deeptrust.language.counting import count
from deeptrust.llm.choice import AUTO
from deeptrust.llm.keys import KEY_NAMES
from deeptrust.llm.memory import gigabytes
from deeptrust.llm.server_settings import ServerSetting
from deeptrust.settings import Settings, load_settings

models = typer.Typer(help="Chat models: list, use, test, download; their servers, and keys of these.")

ModelArgument = Annotated[str, typer.Argument(metavar="ID", help="One of `deeptrust models`.")]
_INTERRUPTED = 130
"""Exit code of a command that Ctrl-C ended, as shells give it."""


@models.callback(invoke_without_command=True)
def list_models(
    context: typer.Context, json: JsonOption = False, home: HomeOption = None, offline: OfflineOption = False
) -> None:
    """List the models, where each runs, and which one is used."""
    if context.invoked_subcommand is None:
        found = asyncio.run(_list(load_settings(home=home, offline=offline or None)))
        _show(found, json)


@models.command()
def use(
    model_id: Annotated[str, typer.Argument(metavar="ID", help="One of `deeptrust models`, or `auto`.")],
    json: JsonOption = False,
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Use a model from the next question on; `auto` leaves the choice to DeepTrust."""
    _show(asyncio.run(_choose(load_settings(home=home, offline=offline or None), model_id)), json)


@models.command()
def test(
    model_id: Annotated[str, typer.Argument(metavar="[ID]", help="Default: the one in use.")] = "",
    json: JsonOption = False,
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Let a model say hello, and tell how fast it is."""
    result = asyncio.run(_test(load_settings(home=home, offline=offline or None), model_id))
    if json:
        print_json(result.to_wire())
        return
    typer.echo(result.text)
    print_note(
        f"{count(result.completion_tokens, 'token')} in {result.seconds:.1f} s: "
        f"the first after {result.seconds_to_first:.1f} s, then {result.tokens_per_second:.0f} a second."
    )


@models.command()
def download(
    model_id: ModelArgument, json: JsonOption = False, home: HomeOption = None, offline: OfflineOption = False
) -> None:
    """Download a model. Ctrl-C stops it and keeps what came; the next time goes on from there."""
    settings = load_settings(home=home, offline=offline or None)
    try:
        ended = asyncio.run(_download(settings, model_id))
    except KeyboardInterrupt:
        print_note(f"Stopped; what came is kept. Go on with: deeptrust models download {model_id}")
        raise typer.Exit(_INTERRUPTED) from None
    if json:
        print_json(ended.to_wire())
    if ended.phase is not DownloadPhase.DONE:
        raise Unavailable(ended.message)
    print_note(f"{ended.id} is here. Use it with: deeptrust models use {ended.id}")


@models.command()
def key(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"What it is for: {', '.join(KEY_NAMES)}.")],
    forget: Annotated[bool, typer.Option("--forget", help="Delete the key.")] = False,
    home: HomeOption = None,
) -> None:
    """Keep the key of a model server in your home (mode 0600); it is asked for and not shown."""
    secret = "" if forget else typer.prompt(f"Key for {name}", hide_input=True)
    asyncio.run(_set_key(load_settings(home=home), name, SecretStr(secret)))
    print_note("The key is deleted." if forget else "The key is kept. Nobody but you can read its file.")


@models.command()
def server(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of: {', '.join(get_args(ServerSetting))}.")],
    value: Annotated[str, typer.Argument(metavar="[VALUE]", help="Left out, what is kept is forgotten.")] = "",
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Keep where a model server is, or which model of it is meant; what the environment sets wins."""
    known = next((one for one in get_args(ServerSetting) if one == name), None)
    if known is None:
        raise BadInput(f"There is nothing to keep under {name}. Known are: {', '.join(get_args(ServerSetting))}.")
    asyncio.run(_set_server(load_settings(home=home, offline=offline or None), known, value))
    print_note("It is kept." if value else "It is forgotten.")


async def _list(settings: Settings) -> ModelList:
    async with open_model_desk(settings) as desk:
        return await desk.models()


async def _choose(settings: Settings, model_id: str) -> ModelList:
    async with open_model_desk(settings) as desk:
        return await desk.choose(model_id)


async def _test(settings: Settings, model_id: str) -> ModelTest:
    async with open_model_desk(settings) as desk:
        return await desk.test(model_id)


async def _set_key(settings: Settings, name: str, secret: SecretStr) -> None:
    async with open_model_desk(settings) as desk:
        await desk.set_key(name, secret)


async def _set_server(settings: Settings, name: ServerSetting, value: str) -> None:
    async with open_model_desk(settings) as desk:
        await desk.set_server(name, value)


async def _download(settings: Settings, model_id: str) -> DownloadProgress:
    async with open_model_desk(settings) as desk:
        progress = DownloadProgress(id=model_id, phase=DownloadPhase.WAITING)
        try:
            with show_download(model_id) as show:
                async with aclosing(desk.download(model_id)) as steps:
                    async for progress in steps:
                        show(progress)
        except asyncio.CancelledError:
            await desk.cancel(model_id)
            raise
        return progress


def _show(found: ModelList, json: bool) -> None:
    if json:
        print_json(found.to_wire())
        return
    for offer in found.models:
        typer.echo(_line(offer))
    chosen = "chosen automatically" if found.choice == AUTO else f"chosen: {found.choice}"
    print_note(f"\n* in use ({chosen}). {found.fixed_by}".rstrip())


def _line(offer: ModelOffer) -> str:
    where = "leaves this machine" if offer.reaches_network else "on this machine"
    size = gigabytes(offer.size_bytes) if offer.size_bytes else ""
    return f"{'*' if offer.is_chosen else ' '} {offer.id:<22} {where:<20} {size:>7}  {offer.message or 'ready'}"
