"""The endpoint backend against a server that nobody here wrote: llama.cpp's own, with the bundled model."""

import json
import os
from collections.abc import Iterator
from contextlib import aclosing
from importlib import import_module
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from deeptrust.domain.chat import FinishReason, Message
from deeptrust.errors import ModelUnavailable
from deeptrust.llm.openai_endpoint import EndpointModel, list_endpoint_models
from deeptrust.llm.served import ServingOptions
from deeptrust.llm.weights import SMOLLM2_135M, locate_weights
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.models
KEY = SecretStr("sk-of-this-test")
_COUNTER = "llamacpp:tokens_predicted_total "
STORY = (Message(role="user", content="Tell me a long story about a river and the town beside it."),)
SMALL = ServingOptions(context_tokens=1024)
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"title": {"type": "string", "maxLength": 20}, "isLong": {"type": "boolean"}},
    "required": ["title", "isLong"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(locate_weights(SMOLLM2_135M))
    params.n_ctx = 1024
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = 64
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) - 1)
    params.api_keys = [KEY.get_secret_value()]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.endpoint_metrics = True
    params.verbosity = -1
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


async def test_it_lists_writes_counts_and_ends(url: str) -> None:
    assert len(await list_endpoint_models(url, KEY) or ()) == 1
    model = EndpointModel("any", SMALL, url=url, key=KEY)
    completion = await model.complete(STORY, max_tokens=8, temperature=0)
    assert (completion.completion_tokens, completion.finish_reason) == (8, FinishReason.LENGTH)
    assert completion.prompt_tokens > 14
    assert completion.text.strip()
    await model.close()


async def test_it_is_held_to_a_schema(url: str) -> None:
    model = EndpointModel("any", SMALL, url=url, key=KEY)
    completion = await model.complete(STORY, schema=SCHEMA, max_tokens=100)
    assert json.loads(completion.text).keys() == {"title", "isLong"}
    await model.close()


async def test_ui_08_stop_frees_it_for_the_next_call(url: str) -> None:
    model = EndpointModel("any", SMALL, url=url, key=KEY)
    before = tokens_made(url)
    async with aclosing(model.stream(STORY, max_tokens=900)) as pieces:
        await anext(pieces)
    assert (await model.complete(STORY, max_tokens=1)).completion_tokens == 1
    assert tokens_made(url) - before < 300, "the one slot was free only after the whole reply"
    await model.close()


def tokens_made(url: str) -> int:
    """By the server's own count."""
    headers = {"Authorization": f"Bearer {KEY.get_secret_value()}"}
    told = httpx.get(f"{url.removesuffix('/v1')}/metrics", headers=headers, timeout=PATIENCE_SECONDS).text
    return next(int(float(line.split()[1])) for line in told.splitlines() if line.startswith(_COUNTER))


async def test_a_wrong_key_is_told(url: str) -> None:
    model = EndpointModel("any", url=url, key=SecretStr("sk-wrong"))
    with pytest.raises(ModelUnavailable, match="does not take the key"):
        await model.load()
        await model.complete(STORY)
    await model.close()


async def test_a_wrong_path_is_told_by_the_first_reply(url: str) -> None:
    assert await list_endpoint_models(url + "/v2", KEY) is None
    model = EndpointModel("any", url=url + "/v2", key=KEY)
    with pytest.raises(ModelUnavailable, match="usually ends in /v1"):
        await model.complete(STORY)
    await model.close()
