"""Serves the compiled app: one process, one worker, one port.

Everything that leans on Reflex's internal switches for serving a bundle without compiling it stands here.
"""

import asyncio
import importlib
import os
import signal
import threading
from pathlib import Path
from typing import Any

import httpx
import typer
from granian.constants import Interfaces
from granian.server.embed import Server
from starlette.types import ASGIApp, Receive, Scope, Send

from deeptrust.cli.scratch import lay_out_scratch
from deeptrust.errors import DeepTrustError, Unavailable
from deeptrust.settings import Settings

_SERVE_COMPILED = {
    "__REFLEX_SKIP_COMPILE": "true",
    "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    "REFLEX_ENV_MODE": "prod",
    "REFLEX_TELEMETRY_ENABLED": "false",
    "REFLEX_CHECK_LATEST_VERSION": "false",
}
_STOP_PATIENCE_SECONDS = 5


def run_server(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM; the working directory holds rxconfig.py and the bundle.

    Raises:
        Unavailable: the app could not be started; the log says why.
    """
    os.environ.update(_SERVE_COMPILED)
    os.environ.update(lay_out_scratch(settings.home_folder, Path(".web")))
    # By name: the app object stands above this room.
    make_app: Any = importlib.import_module("deeptrust.deeptrust").app
    asyncio.run(_serve(LifeNote(make_app()), settings))


class LifeNote:
    """ASGI wrapper that remembers why the services could not be opened; the server itself would only say that."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.failure: DeepTrustError | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything through."""
        try:
            await self._app(scope, receive, send)
        except DeepTrustError as error:
            if scope["type"] == "lifespan":
                self.failure = error
            raise


async def _serve(app: LifeNote, settings: Settings) -> None:
    server = Server(
        target=app,
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
        reason = serving.exception()  # to be read, or asyncio prints it
        raise app.failure or Unavailable("The server could not start. `deeptrust doctor` checks its parts.") from reason
    _end_within(_STOP_PATIENCE_SECONDS)
    server.stop()
    await serving


def _end_within(seconds: float) -> None:
    """Leave even if a thread will not: every store survives that as it survives kill -9."""
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()


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
