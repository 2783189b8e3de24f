"""`deeptrust serve`: the page, its websocket and the API on one loopback port, in one process."""

import ipaddress
import os
from pathlib import Path
from typing import Annotated

import typer

import deeptrust
from deeptrust.cli.bundle import build_bundle
from deeptrust.cli.options import HomeOption, OfflineOption
from deeptrust.cli.port import refuse_taken_port
from deeptrust.cli.server import run_server
from deeptrust.errors import BadInput
from deeptrust.home import HomeFolder
from deeptrust.settings import PREFIX, Settings, load_settings

PROJECT = Path(deeptrust.__file__).parent.parent


def serve(
    host: Annotated[str | None, typer.Option(help="Loopback address to listen on.", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on.", show_default="3000")] = None,
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Serve the workspace to browsers on this machine."""
    settings = load_settings(host=host, port=port, home=home, offline=offline or None)
    refuse_public_host(settings.host)
    folder = HomeFolder(settings.home_folder)
    with folder.hold_server_lock(settings.port):
        refuse_taken_port(settings.host, settings.port)
        folder.server_token()  # there before the first program looks for it
        _hand_down(settings)
        os.chdir(PROJECT)  # Reflex finds rxconfig.py and the bundle from the working directory
        build_bundle(PROJECT)
        run_server(settings)


def refuse_public_host(host: str) -> None:
    """Let only this machine connect.

    Raises:
        BadInput: `host` is not a loopback address.
    """
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise BadInput(
            f"{host} would open your documents to the network, and there are no accounts yet. "
            "Use --host 127.0.0.1 and, from another machine, an SSH tunnel."
        )


def _hand_down(settings: Settings) -> None:
    """Let the app module, which Reflex imports by name, read the same settings as this command."""
    os.environ[f"{PREFIX}HOST"] = settings.host
    os.environ[f"{PREFIX}PORT"] = str(settings.port)
    os.environ[f"{PREFIX}HOME"] = str(settings.home_folder)
    os.environ[f"{PREFIX}OFFLINE"] = str(settings.offline)
