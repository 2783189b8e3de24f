"""What models an Ollama server has, and how it gets another one."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from ollama import ProgressResponse, ResponseError

from deeptrust.domain.model import DownloadPhase, DownloadProgress
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.ollama import is_cloud, trained_window
from deeptrust.llm.ollama_server import ANSWER_SECONDS, FAILURES, ListedModel, OllamaServer

IDLE_SECONDS = 300
"""Ollama says nothing while it checks what came, which takes minutes for a large model on a slow disk."""

_MOST_SHOWN = 50
"""Models that are asked for their window; a list longer than this is cut."""


@dataclass(frozen=True, slots=True)
class OllamaEntry:
    """A model that is there. `parameters` is Ollama's own word, for instance `8.2B`."""

    name: str
    size_bytes: int | None
    parameters: str
    context_tokens: int | None
    writes: bool
    """False for models that only embed."""
    is_passed_on: bool = False
    """Whether prompts for it go on to a server of Ollama's own, beyond the one that was asked."""


async def list_ollama_models(url: str, *, connect_seconds: float = 5) -> list[OllamaEntry]:
    """Return what the server has, in its own order: last changed first.

    Raises:
        BadSetting: `url` is not an address.
        ModelUnavailable: nothing answers there, or not Ollama.
    """
    server = OllamaServer(url, connect_seconds=connect_seconds)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            listed = list((await server.models()).items())[:_MOST_SHOWN]
            found = await asyncio.gather(*(_describe(server, name, entry) for name, entry in listed))
            return [entry for entry in found if entry]
    except FAILURES as error:
        raise await server.explain(error) from error
    finally:
        await server.close()


async def pull_model(
    url: str, name: str, *, connect_seconds: float = 5, idle_seconds: float = IDLE_SECONDS
) -> AsyncGenerator[DownloadProgress, None]:
    """Let the server download `name`, and yield how far it is; the last item is `done` or `failed`.

    Closing the generator ends the download; Ollama keeps what it has and goes on from there the next time.

    Args:
        url: where Ollama listens.
        name: of the model.
        connect_seconds: longest time to reach the server.
        idle_seconds: longest time without a step forward. Saying the same again is none.

    Raises:
        BadSetting: `url` is not an address.
    """
    server = OllamaServer(url, connect_seconds=connect_seconds)
    tally = _Tally(f"ollama:{name}")
    yield DownloadProgress(id=tally.id, phase=DownloadPhase.WAITING)
    try:
        parts: Any = await server.client.pull(name, stream=True)
        async with aclosing(parts):
            while not tally.is_done:
                async with asyncio.timeout_at(tally.changed + idle_seconds):
                    part = await anext(parts, None)
                if part is None:
                    raise ConnectionResetError
                yield tally.take(part)
    except TimeoutError:
        yield tally.fail(
            f"Ollama has not gone on with the download for {idle_seconds:g} seconds. "
            "Restart Ollama and start it again: it goes on where it ended."
        )
    except ConnectionResetError:
        yield tally.fail("Ollama broke off the download. Start it again: it goes on where it ended.")
    except ModelUnavailable as error:
        yield tally.fail(str(error))
    except FAILURES as error:
        yield tally.fail(str(await server.explain(error)))
    finally:
        await server.close()


class _Tally:
    """Bytes of all layers of one model; Ollama reports them layer by layer."""

    def __init__(self, progress_id: str) -> None:
        self.id = progress_id
        self.is_done = False
        self._received: dict[str, int] = {}
        self._total: dict[str, int] = {}
        self._started = time.monotonic()
        self._at_start: int | None = None
        self._last: ProgressResponse | None = None
        self.changed = asyncio.get_running_loop().time()
        """When the server last told something new, by the clock of the loop."""

    def take(self, part: ProgressResponse) -> DownloadProgress:
        if part != self._last:
            self._last, self.changed = part, asyncio.get_running_loop().time()
        if part.digest and part.total:
            self._total[part.digest] = part.total
            self._received[part.digest] = part.completed or 0
            if self._at_start is None:
                self._at_start = self._received[part.digest]
        status = part.status or ""
        self.is_done = self.is_done or status == "success"
        if self.is_done:
            return self._show(DownloadPhase.DONE)
        is_checking = status.startswith(("verifying", "writing", "removing"))
        return self._show(DownloadPhase.CHECKING if is_checking else DownloadPhase.DOWNLOADING)

    def fail(self, message: str) -> DownloadProgress:
        return self._show(DownloadPhase.FAILED).model_copy(update={"message": message})

    def _show(self, phase: DownloadPhase) -> DownloadProgress:
        received, total = sum(self._received.values()), sum(self._total.values())
        fresh = received - (self._at_start or 0)
        seconds = time.monotonic() - self._started
        left = (total - received) * seconds / fresh if fresh > 0 and phase is DownloadPhase.DOWNLOADING else None
        return DownloadProgress(
            id=self.id, phase=phase, received_bytes=received, total_bytes=total or None, seconds_left=left
        )


async def _describe(server: OllamaServer, name: str, entry: ListedModel) -> OllamaEntry | None:
    """What is known of one model; None where the server cannot show it, which must not hide the others."""
    try:
        shown = await server.client.show(name)
    except ResponseError:  # it is damaged, or was deleted meanwhile
        return None
    return OllamaEntry(
        name=name,
        size_bytes=None if entry.size is None else int(entry.size),
        parameters=(entry.details.parameter_size if entry.details else None) or "",
        context_tokens=trained_window(shown.modelinfo),
        writes=shown.capabilities is None or "completion" in shown.capabilities,
        is_passed_on=bool(entry.remote_host) or is_cloud(name),
    )
