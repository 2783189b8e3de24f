"""Downloads of the selector: shared, cancelled, taken up again; and one of a real model, from its hub to its answer."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from deeptrust.domain.chat import Message
from deeptrust.domain.model import DownloadPhase, DownloadProgress
from deeptrust.errors import BadInput, Conflict, NotFound
from deeptrust.llm import windows
from deeptrust.llm.catalogue import CATALOGUE
from deeptrust.llm.selector import ModelSelector
from deeptrust.llm.weights import SMOLLM2_135M, locate_weights
from tests.llm.hub_server import HubServer, run_hub
from tests.llm.model_server import FakeOllama, Refuse, serving
from tests.llm.shops import list_model, make_settings, open_shop
from tests.waiting import PATIENCE_SECONDS, until

CONTENT = b"GGUF" + random.Random(7).randbytes(400_000)


@pytest.fixture
async def server() -> AsyncIterator[HubServer]:
    async with run_hub(HubServer(CONTENT)) as running:
        yield running


@pytest.fixture
async def selector(server: HubServer, tmp_path: Path) -> AsyncIterator[ModelSelector]:
    async with open_shop(make_settings(tmp_path, HF_ENDPOINT=server.url), [list_model(server)]) as (made, _):
        yield made


async def end_of(selector: ModelSelector) -> list[DownloadProgress]:
    return [progress async for progress in selector.follow_download("small")]


async def test_a_download_makes_the_model_ready(selector: ModelSelector, tmp_path: Path) -> None:
    before = selector.find("small")
    assert (before.is_ready, before.can_download) == (False, True)
    assert before.message.startswith("Not downloaded yet")
    selector.download("small")
    steps = await end_of(selector)
    assert steps[-1].phase is DownloadPhase.DONE
    assert steps[-1].received_bytes == steps[-1].total_bytes == len(CONTENT)
    assert selector.find("small").is_ready
    assert (tmp_path / "models" / "model.gguf").read_bytes() == CONTENT


async def test_all_who_ask_share_one_download(selector: ModelSelector, server: HubServer) -> None:
    server.block_seconds = 0.005
    for _ in range(5):
        selector.download("small")
    ends = await asyncio.gather(*(end_of(selector) for _ in range(5)))
    assert {steps[-1].phase for steps in ends} == {DownloadPhase.DONE}
    assert len(server.ranges()) == 1


async def test_progress_has_bytes_rate_and_time_left(selector: ModelSelector, server: HubServer) -> None:
    server.block_seconds = 0.03
    selector.download("small")
    middle = [step for step in await end_of(selector) if step.seconds_left]
    assert middle
    for step in middle:
        assert step.bytes_per_second
        missing = len(CONTENT) - step.received_bytes
        assert step.seconds_left == pytest.approx(missing / step.bytes_per_second)


async def test_a_cancelled_download_goes_on_after_a_restart(server: HubServer, tmp_path: Path) -> None:
    settings = make_settings(tmp_path, HF_ENDPOINT=server.url)
    server.block_seconds = 0.02
    async with open_shop(settings, [list_model(server)]) as (selector, _):
        selector.download("small")
        await until(lambda: selector.downloads()[0].received_bytes > 100_000)
        await asyncio.wait_for(selector.cancel_download("small"), PATIENCE_SECONDS)
        cancelled = (await end_of(selector))[-1]
        assert (cancelled.phase, cancelled.message) == (DownloadPhase.CANCELLED, "Cancelled. What came is kept.")
        assert "the download goes on from there" in selector.find("small").message
    server.block_seconds = 0
    async with open_shop(settings, [list_model(server)]) as (selector, _):
        selector.download("small")
        assert (await end_of(selector))[-1].phase is DownloadPhase.DONE
    assert server.ranges()[1].startswith("bytes=")


async def test_a_download_that_is_cancelled_at_once_ends_too(selector: ModelSelector) -> None:
    selector.download("small")
    await selector.cancel_download("small")
    assert (await end_of(selector))[-1].phase is DownloadPhase.CANCELLED
    selector.download("small")
    assert (await end_of(selector))[-1].phase is DownloadPhase.DONE


async def test_a_failure_is_told_and_may_be_repeated(selector: ModelSelector, server: HubServer) -> None:
    server.is_page = True
    selector.download("small")
    failed = (await end_of(selector))[-1]
    assert failed.phase is DownloadPhase.FAILED
    assert "a web page in place of" in failed.message
    server.is_page = False
    selector.download("small")
    assert (await end_of(selector))[-1].phase is DownloadPhase.DONE


async def test_llm_16_a_damaged_file_is_fetched_again(selector: ModelSelector, tmp_path: Path) -> None:
    selector.download("small")
    await end_of(selector)
    file = tmp_path / "models" / "model.gguf"
    file.write_bytes(b"x" * len(CONTENT))
    selector.download("small")
    assert (await end_of(selector))[-1].phase is DownloadPhase.DONE
    assert file.read_bytes() == CONTENT


async def test_a_model_that_memory_cannot_hold_is_told_before_its_download(
    selector: ModelSelector, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "machine_memory_bytes", lambda: 300_000_000)
    offer = selector.find("small")
    assert (offer.is_ready, offer.can_download) == (False, False)
    assert offer.message == "Small needs 389 MB of memory, but this machine has 300 MB. Choose a smaller model."
    with pytest.raises(Conflict, match="needs 389 MB of memory"):
        selector.download("small")
    with pytest.raises(Conflict, match="needs 389 MB of memory"):
        await selector.choose("small")
    assert server.asked == []


async def test_offline_nothing_is_downloaded(tmp_path: Path) -> None:
    elsewhere = HubServer(CONTENT)
    settings = make_settings(tmp_path, offline=True)
    async with open_shop(settings, [list_model(elsewhere)]) as (selector, _):
        with pytest.raises(Conflict, match="Nothing is downloaded offline"):
            selector.download("small")


async def test_what_needs_no_download_says_so(selector: ModelSelector) -> None:
    with pytest.raises(BadInput, match="is not downloaded: it is ready"):
        selector.download("bundled")
    with pytest.raises(NotFound, match="not being downloaded"):
        await end_of(selector)


def test_llm_15_every_file_of_the_catalogue_is_pinned() -> None:
    ids = [model.id for model in CATALOGUE]
    assert ids == ["smollm2-360m", "smollm2-1.7b", "qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-8b"]
    for model in CATALOGUE:
        assert len(model.file.revision) == 40
        assert len(model.file.sha256) == 64
        int(model.file.revision + model.file.sha256, 16)
        assert model.licence == "Apache-2.0"
        assert model.file.size_bytes < model.memory_bytes
        assert model.file.name.endswith(".gguf")


@pytest.mark.models
@pytest.mark.thorough
async def test_a_real_model_comes_from_a_hub_and_answers(tmp_path: Path) -> None:
    content = locate_weights(SMOLLM2_135M).read_bytes()
    async with run_hub(HubServer(content, name=SMOLLM2_135M.file_name, cuts_after=[30_000_000])) as server:
        assert server.sha256 == SMOLLM2_135M.sha256
        listed = replace(list_model(server), name="Real")
        settings = make_settings(tmp_path, HF_ENDPOINT=server.url)
        async with open_shop(settings, [listed]) as (selector, selection):
            selector.download("small")
            assert (await end_of(selector))[-1].phase is DownloadPhase.DONE
            assert server.ranges() == ["", "bytes=30000000-"]
            await selector.choose("Maker/Real")
            assert selection.current is not None
            await selection.current.load()
            answer = await selection.current.complete(
                (Message(role="user", content="What is the capital of France?"),), max_tokens=40, temperature=0
            )
            assert "Paris" in answer.text
            assert (await selector.test()).completion_tokens > 0


async def test_models_may_lie_in_a_folder_of_their_own(server: HubServer, tmp_path: Path) -> None:
    settings = make_settings(tmp_path / "home", HF_ENDPOINT=server.url, HF_CACHE_DIR=tmp_path / "shared")
    async with open_shop(settings, [list_model(server)]) as (selector, _):
        selector.download("small")
        assert (await end_of(selector))[-1].phase is DownloadPhase.DONE
    assert (tmp_path / "shared" / "model.gguf").read_bytes() == CONTENT


async def test_ollama_pulls_what_it_lacks(tmp_path: Path) -> None:
    ollama = FakeOllama()
    ollama.answers["/api/pull"] = {"status": "success"}
    async with serving(ollama), open_shop(make_settings(tmp_path, ollama_url=ollama.url)) as (selector, _):
        await selector.refresh()
        assert selector.find("ollama:qwen3:8b").can_download
        ollama.names = ["qwen3:8b"]
        selector.download("ollama:qwen3:8b")
        steps = [step async for step in selector.follow_download("ollama:qwen3:8b")]
        assert steps[-1].phase is DownloadPhase.DONE
        assert selector.find("ollama:qwen3:8b").is_ready
        ollama.answers["/api/pull"] = Refuse(500, {"error": "no space left on device"})
        selector.download("ollama:qwen3:8b")
        failed = [step async for step in selector.follow_download("ollama:qwen3:8b")][-1]
        assert failed.phase is DownloadPhase.FAILED
        assert "no space left on device" in failed.message
