"""`/api/model/load`: load the chat model and stream its progress (D23, D30)."""

import asyncio
import json
from collections.abc import AsyncGenerator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from deeptrust.api.caller import Caller, Parts
from deeptrust.domain.chat import ModelState
from deeptrust.errors import BadInput, DeepTrustError
from deeptrust.llm.base import ChatModel

router = APIRouter(prefix="/api/model", tags=["model"])

_POLL_SECONDS = 0.1


@router.post("/load", response_class=StreamingResponse)
@router.get("/load", response_class=StreamingResponse)
async def load(caller: Caller, parts: Parts, model_id: str = "", dtype: str = "") -> StreamingResponse:
    """Load the model; `data:` lines carry `{status, progress, file, message}`. Only the chosen model can be loaded.

    `dtype` belongs to the contract; a GGUF file has one precision, so it changes nothing.
    """
    model = parts.chat_model
    if model is None:
        raise BadInput("No chat model is chosen. Set DEEPTRUST_CHAT_MODEL=bundled to use the one that ships.")
    if model_id not in ("", model.name):
        raise BadInput(f"{model_id} is not the chosen model. Only {model.name} can be loaded.")
    return StreamingResponse(_progress(model), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _progress(model: ChatModel) -> AsyncGenerator[str]:
    loading = asyncio.ensure_future(model.load())
    while not loading.done():
        yield _frame(model.state)
        await asyncio.wait({loading}, timeout=_POLL_SECONDS)
    failure = loading.exception()
    if failure and not isinstance(failure, DeepTrustError):
        raise failure
    yield _frame(model.state)


def _frame(state: ModelState) -> str:
    told = {"status": state.phase, "progress": state.progress, "file": state.name, "message": state.message}
    return f"data: {json.dumps(told)}\n\n"
