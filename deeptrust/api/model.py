"""`/api/models` and `/api/model/…`: the selector of chat models over HTTP (D23, D30, K19)."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import SecretStr

from deeptrust.api.caller import Caller, Parts, Program
from deeptrust.domain.chat import ModelPhase, ModelState
from deeptrust.domain.model import DownloadPhase, DownloadProgress, ModelList, ModelTest
from deeptrust.domain.record import Record
from deeptrust.errors import BadInput, Conflict, DeepTrustError
from deeptrust.llm.base import ChatModel
from deeptrust.llm.selector import ModelSelector
from deeptrust.llm.server_settings import ServerSetting

router = APIRouter(prefix="/api", tags=["model"])

_POLL_SECONDS = 0.1

ModelId = Annotated[str, Query(alias="modelId")]


class ModelBody(Record):
    """The body of a request about one model; empty means the one in use."""

    model_id: str = ""


class KeyBody(Record):
    """A key to keep; an empty one is forgotten. It is no part of any answer."""

    name: str
    key: SecretStr


class ServerBody(Record):
    """Where a server is, or which model of it is meant; an empty value is forgotten."""

    name: ServerSetting
    value: str


@router.get("/models")
async def list_models(caller: Caller, parts: Parts, refresh: bool = False) -> ModelList:
    """List every model that could be used; `refresh` looks for servers first."""
    if refresh:
        await parts.selector.refresh()
    return parts.selector.overview()


@router.post("/model/choose")
async def choose(caller: Caller, parts: Parts, body: ModelBody) -> ModelList:
    """Use a model from the next question on; `auto` leaves the choice to DeepTrust."""
    await parts.selector.choose(body.model_id)
    return parts.selector.overview()


@router.post("/model/test")
async def test(caller: Caller, parts: Parts, body: ModelBody) -> ModelTest:
    """Say hello to a model."""
    return await parts.selector.test(body.model_id)


@router.post("/model/download", response_class=StreamingResponse)
async def download(caller: Caller, parts: Parts, body: ModelBody) -> StreamingResponse:
    """Download a model, or join the download that runs, and stream its progress. Leaving does not end it."""
    progress = parts.selector.download(body.model_id)
    return _respond(_frames_of_download(parts.selector, progress.id))


@router.post("/model/cancel", status_code=204, response_class=Response)
async def cancel(caller: Caller, parts: Parts, body: ModelBody) -> None:
    """End a download; what came is kept."""
    await parts.selector.cancel_download(body.model_id)


@router.put("/model/key", status_code=204, response_class=Response)
async def set_key(caller: Caller, parts: Parts, body: KeyBody) -> None:
    """Keep a key in the home."""
    await parts.selector.set_key(body.name, body.key)


@router.put("/model/server", status_code=204, response_class=Response)
async def set_server(caller: Caller, parts: Parts, body: ServerBody) -> None:
    """Keep where a server is, and look for models there."""
    await parts.selector.set_server(body.name, body.value)


@router.post("/model/load", response_class=StreamingResponse)
async def load(caller: Caller, parts: Parts, model_id: ModelId = "", dtype: str = "") -> StreamingResponse:
    """Download a model if it must be, choose it, load it; stream `{status, progress, file, message}` and bytes.

    `dtype` belongs to the contract; a file of the catalogue has one precision, so it changes nothing.
    """
    selector = parts.selector
    wanted = selector.find(model_id or selector.current_id)
    if wanted.id == selector.current_id and parts.chat_model is None:
        raise BadInput("No chat model is chosen, so there is nothing to load. Choose one of GET /api/models.")
    if wanted.id != selector.current_id and selector.fixed_by:
        raise Conflict(selector.fixed_by)
    if wanted.can_download:
        selector.download(wanted.id)
    return _respond(_prepare(parts.selector, wanted.id, is_downloading=wanted.can_download))


@router.get("/model/load", response_class=StreamingResponse)
async def load_by_link(program: Program, parts: Parts, model_id: ModelId = "", dtype: str = "") -> StreamingResponse:
    """The same for programs that only know GET; a page of ours uses POST."""
    return await load(program, parts, model_id, dtype)


def _respond(frames: AsyncGenerator[str, None]) -> StreamingResponse:
    return StreamingResponse(frames, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _prepare(selector: ModelSelector, model_id: str, *, is_downloading: bool) -> AsyncGenerator[str, None]:
    if is_downloading:
        async for progress in selector.follow_download(model_id):
            yield _frame_of_download(progress)
            if progress.phase in (DownloadPhase.FAILED, DownloadPhase.CANCELLED):
                return
    try:
        if model_id != selector.current_id:
            await selector.choose(model_id)
    except DeepTrustError as error:
        yield _frame(ModelPhase.FAILED, 0, model_id, str(error))
        return
    if selector.current is None:
        yield _frame(ModelPhase.READY, 100, model_id, "")
        return
    async for frame in _frames_of_load(selector.current):
        yield frame


async def _frames_of_load(model: ChatModel) -> AsyncGenerator[str, None]:
    loading = asyncio.ensure_future(model.load())
    # Looked at even if the listener has left: the load goes on, and asyncio would report a failure as forgotten.
    loading.add_done_callback(lambda done: done.cancelled() or done.exception())
    while not loading.done():
        yield _frame_of_state(model.state)
        await asyncio.wait({loading}, timeout=_POLL_SECONDS)
    failure = loading.exception()
    if failure and not isinstance(failure, DeepTrustError):
        raise failure
    yield _frame_of_state(model.state)


async def _frames_of_download(selector: ModelSelector, model_id: str) -> AsyncGenerator[str, None]:
    async for progress in selector.follow_download(model_id):
        yield _frame_of_download(progress)


def _frame_of_state(state: ModelState) -> str:
    return _frame(state.phase, state.progress, state.name, state.message)


def _frame_of_download(progress: DownloadProgress) -> str:
    total = progress.total_bytes or 0
    percent = int(100 * progress.received_bytes / total) if total else 0
    sizes: dict[str, object] = {
        "receivedBytes": progress.received_bytes,
        "totalBytes": progress.total_bytes,
        "bytesPerSecond": progress.bytes_per_second,
        "etaSeconds": progress.seconds_left,
    }
    return _frame(progress.phase, percent, progress.id, progress.message, sizes)


def _frame(
    status: ModelPhase | DownloadPhase, progress: int, file: str, message: str, more: dict[str, object] | None = None
) -> str:
    told = {"status": status, "progress": progress, "file": file, "message": message, **(more or {})}
    return f"data: {json.dumps(told)}\n\n"
