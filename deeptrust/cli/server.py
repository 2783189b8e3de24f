"""Serves the compiled app: one process, one worker, one port.

Everything that leans on Reflex's internal switches for serving a bundle without compiling it stands here.
"""

import asyncio
import importlib
import logging
import os
import signal
from typing import Any

import httpx
import typer
from granian.constants import Interfaces
from granian.server.embed import Server

from deeptrust.errors import Unavailable
from deeptrust.settings import Settings

_SERVE_COMPILED = {
    "__REFLEX_SKIP_COMPILE": "true",
    "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    "REFLEX_ENV_MODE": "prod",
    "REFLEX_TELEMETRY_ENABLED": "false",
    "REFLEX_CHECK_LATEST_VERSION": "false",
}


def run_server(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM; the working directory holds rxconfig.py and the bundle.

    Raises:
        Unavailable: the app could not be started; the log says why.
    """
    os.environ.update(_SERVE_COMPILED)
    # By name: the app object stands above this room.
    app: Any = importlib.import_module("deeptrust.deeptrust").app
    logging.getLogger("granian").setLevel(logging.ERROR)
    asyncio.run(_serve(app, settings))


async def _serve(app: Any, settings: Settings) -> None:
    server = Server(
        target=app,
        factory=True,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        log_enabled=False,
    )
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    serving = asyncio.create_task(server.serve())
    stopping = asyncio.create_task(stop.wait())
    announcing = asyncio.create_task(_announce(settings))
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    announcing.cancel()
    if serving.done() and not stop.is_set():
        raise Unavailable("The server could not start. The log above says why; `deeptrust doctor` checks the parts.")
    server.stop()
    await serving


async def _announce(settings: Settings) -> None:
    """Print the address once a browser would get an answer there."""
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{name}:{settings.port}"
    async with httpx.AsyncClient(trust_env=False, headers={"Host": settings.hosts[0]}) as client:
        while True:
            try:
                (await client.get(f"{address}/api/health")).raise_for_status()
            except httpx.HTTPError:
                await asyncio.sleep(0.1)
            else:
                break
    typer.echo(f"DeepTrust is at {address}")
