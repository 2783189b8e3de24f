"""The process that is killed: the services and the HTTP contract of DeepTrust, without the page.

It is forked from a process that has imported everything, so that 300 lives take minutes.
"""

import asyncio
import logging
import multiprocessing
import os
import threading
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx
from fastapi import APIRouter, Response
from granian.constants import Interfaces
from granian.server.embed import Server
from pydantic import BaseModel

from deeptrust.api.app import api
from deeptrust.api.caller import Caller, Parts, identify_caller
from deeptrust.composition import open_services
from deeptrust.domain.document import IngestOutcome
from deeptrust.settings import Settings
from tests.live import free_port

_COMPACT_AFTER_SECONDS = 0.5
_START_SECONDS = 120.0

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["chaos.server"])

extra = APIRouter(prefix="/chaos")


class Note(BaseModel):
    """A typed note."""

    text: str
    label: str


@extra.post("/notes")
async def add_note(caller: Caller, parts: Parts, note: Note) -> IngestOutcome:
    """Take in a note."""
    return await parts.library(caller).add_note(note.text, note.label)


@extra.delete("/runs/{run_id}", status_code=204, response_class=Response)
async def delete_run(caller: Caller, parts: Parts, run_id: str) -> None:
    """Delete a run."""
    await parts.delete_run(caller, run_id)


@extra.delete("/everything", status_code=204, response_class=Response)
async def forget(caller: Caller, parts: Parts) -> None:
    """Delete all data of the one user."""
    await parts.forget(caller)


class Life:
    """One life of the server, from its start to its death."""

    def __init__(self, home: Path, engine_url: str) -> None:
        """Start it; it does not answer yet."""
        self.port = free_port()
        self.started_at = time.monotonic()
        self._process: BaseProcess = _forks.Process(target=_live, args=(home, self.port, engine_url), daemon=True)
        self._process.start()

    async def wait_ready(self) -> float | None:
        """Seconds from the start to the first answer; None if it died before."""
        async with httpx.AsyncClient(trust_env=False) as client:
            while self._process.is_alive() and time.monotonic() < self.started_at + _START_SECONDS:
                try:
                    (await client.get(f"http://127.0.0.1:{self.port}/api/health")).raise_for_status()
                except httpx.HTTPError:
                    await asyncio.sleep(0.01)
                else:
                    return time.monotonic() - self.started_at
        return None

    @property
    def is_alive(self) -> bool:
        """Whether it has not died yet."""
        return self._process.is_alive()

    def kill(self) -> None:
        """Kill -9, and wait until it is gone."""
        self._process.kill()
        self._process.join()


def warm_up() -> None:
    """Let the process from which lives are forked import everything, so that the first life is as quick as others."""
    process = _forks.Process(target=int)
    process.start()
    process.join()


def _live(home: Path, port: int, engine_url: str) -> None:
    os.setsid()  # a Ctrl-C at the terminal is for the driver alone
    threading.Thread(target=_die_with_the_driver, daemon=True).start()
    logging.basicConfig(level=logging.WARNING, filename=home.parent / "server.log")
    api.include_router(extra)
    asyncio.run(_serve(home, port, engine_url))


def _die_with_the_driver() -> None:
    if driver := multiprocessing.parent_process():
        driver.join()
        os._exit(1)


async def _serve(home: Path, port: int, engine_url: str) -> None:
    settings = Settings(home=home, embedder="hashing", chat_model="none", duckduckgo_url=engine_url)
    async with open_services(settings) as services:
        services.shelf.pool.compact_after_seconds = _COMPACT_AFTER_SECONDS
        api.dependency_overrides[identify_caller] = lambda: services.local_user
        await Server(target=api, address="127.0.0.1", port=port, interface=Interfaces.ASGI, log_enabled=False).serve()
