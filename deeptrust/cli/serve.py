"""`deeptrust serve`: the page, its websocket and the API on one loopback port, in one process."""

import ipaddress
import os
from typing import Annotated

import typer
from pydantic import SecretStr

from deeptrust.cli.bundle import PROJECT, build_bundle
from deeptrust.cli.options import HomeOption, OfflineOption
from deeptrust.cli.port import refuse_taken_port
from deeptrust.cli.server import run_server
from deeptrust.cli.workers import refuse_more_workers
from deeptrust.errors import BadInput
from deeptrust.home import HomeFolder
from deeptrust.identity.password import check_password
from deeptrust.settings import PREFIX, Settings, load_settings, setting_names


def serve(
    host: Annotated[str | None, typer.Option(help="Loopback address to listen on.", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on.", show_default="3000")] = None,
    home: HomeOption = None,
    offline: OfflineOption = False,
    workers: Annotated[int, typer.Option(hidden=True)] = 1,
) -> None:
    """Serve the workspace to browsers on this machine."""
    refuse_more_workers(workers)
    settings = load_settings(host=host, port=port, home=home, offline=offline or None)
    if settings.password:
        check_password(settings.password.get_secret_value())
    refuse_public_host(settings)
    folder = HomeFolder(settings.home_folder)
    with folder.hold_server_lock(settings.port):
        refuse_taken_port(settings.host, settings.port)
        folder.server_token()  # there before the first program looks for it
        _hand_down(settings)
        os.chdir(PROJECT)  # Reflex finds rxconfig.py and the bundle from the working directory
        build_bundle(PROJECT)
        run_server(settings)


def refuse_public_host(settings: Settings) -> None:
    """Open the server to other machines only where people are kept apart, and by a password or an explicit word.

    Raises:
        BadInput: the address is not loopback, or a hosted server stands behind a proxy, and something is missing;
            the sentence names it.
    """
    who = settings.host
    if _is_loopback(settings.host):
        if settings.mode != "hosted" or not settings.behind_proxy:
            return
        who = f"The proxy before {settings.host}"
    if settings.mode != "hosted":
        raise BadInput(
            f"{settings.host} would show your documents to the network: set DEEPTRUST_MODE=hosted to give each browser "
            "documents of its own, or use --host 127.0.0.1 and an SSH tunnel."
        )
    if settings.password and settings.password.get_secret_value():
        return
    if not settings.open_to_everyone_without_password:
        raise BadInput(
            f"{who} would let the whole network in: set DEEPTRUST_PASSWORD, "
            "or DEEPTRUST_OPEN_TO_EVERYONE_WITHOUT_PASSWORD=true if everybody may come."
        )
    typer.echo(
        f"WARNING: everybody who reaches {settings.host}:{settings.port} may use this server. No password is set.",
        err=True,
    )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _hand_down(settings: Settings) -> None:
    """Let the app module, imported by name and from another folder, read the same settings as this command."""
    for variable, name in setting_names().items():
        value = getattr(settings, name)
        if name in settings.model_fields_set and value is not None:
            os.environ[variable] = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    os.environ[f"{PREFIX}HOME"] = str(settings.home_folder)
