"""Downloads against a hub on loopback: what is asked, what is kept, and what is refused."""

import asyncio
import random
import shutil
from collections import namedtuple
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from deeptrust.domain.model import DownloadPhase
from deeptrust.errors import BadSetting, Conflict, ModelUnavailable, StoreUnavailable
from deeptrust.llm.hub import Hub, HubFile
from tests.live import closed_port
from tests.llm.hub_server import HubServer, run_hub
from tests.waiting import PATIENCE_SECONDS, until

CONTENT = random.Random(5).randbytes(400_000)
TOKEN = "hf_canary_d41d8cd98f"


@pytest.fixture
async def server() -> AsyncIterator[HubServer]:
    async with run_hub(HubServer(CONTENT)) as running:
        yield running


class Fetch:
    """One hub and one folder, with everything that was reported."""

    def __init__(self, folder: Path, server: HubServer) -> None:
        self.folder = folder
        self.server = server
        self.reports: list[tuple[DownloadPhase, int, str]] = []

    @property
    def part(self) -> Path:
        return self.folder / f"{self.server.name}.part"

    async def __call__(self, file: HubFile | None = None, token: str = "") -> bytes:
        hub = Hub(self.server.url, SecretStr(token) if token else None, pause_seconds=0.01)
        path = await hub.fetch(file or self.server.file, self.folder, lambda *told: self.reports.append(told))
        return path.read_bytes()


@pytest.fixture
def fetch(tmp_path: Path, server: HubServer) -> Fetch:
    return Fetch(tmp_path / "models", server)


async def test_a_file_comes_whole_and_leaves_nothing_else(fetch: Fetch) -> None:
    assert await fetch() == CONTENT
    assert [path.name for path in fetch.folder.iterdir()] == ["model.gguf"]
    phases = [phase for phase, _, _ in fetch.reports]
    assert phases[0] is DownloadPhase.DOWNLOADING
    assert phases[-1] is DownloadPhase.CHECKING
    received = [received for _, received, _ in fetch.reports]
    assert received == sorted(received)
    assert received[-1] == len(CONTENT)


async def test_the_token_goes_to_the_hub_and_not_to_its_storage(server: HubServer, fetch: Fetch) -> None:
    server.token = TOKEN
    assert await fetch(token=TOKEN) == CONTENT
    for asked in server.asked:
        assert (TOKEN in str(asked)) is (asked.place == "hub")


async def test_a_missing_and_a_wrong_token_are_named_without_being_shown(server: HubServer, fetch: Fetch) -> None:
    server.token = "another"
    with pytest.raises(ModelUnavailable, match=r"wants a token for Maker/Model-GGUF. Set HF_TOKEN"):
        await fetch()
    with pytest.raises(ModelUnavailable, match="does not accept HF_TOKEN") as refused:
        await fetch(token=TOKEN)
    assert TOKEN not in str(refused.value)


async def test_a_cut_connection_is_resumed_where_it_was_cut(server: HubServer, fetch: Fetch) -> None:
    server.cuts_after = [100_000, 150_000]
    assert await fetch() == CONTENT
    assert server.ranges() == ["", "bytes=100000-", "bytes=250000-"]
    asked = [asked for asked in server.asked if asked.place == "storage"]
    assert asked[1].headers["if-range"] == f'"{server.sha256[:16]}"'
    assert any(phase is DownloadPhase.WAITING and "Trying again" in note for phase, _, note in fetch.reports)


async def test_a_restart_goes_on_from_the_part_that_is_there(server: HubServer, fetch: Fetch) -> None:
    server.block_seconds = 0.02
    running = asyncio.create_task(fetch())
    await until(lambda: fetch.part.exists() and fetch.part.stat().st_size > 50_000)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, PATIENCE_SECONDS)
    kept = fetch.part.stat().st_size
    assert fetch.part.read_bytes() == CONTENT[:kept]
    server.block_seconds = 0
    assert await fetch() == CONTENT
    assert server.ranges()[-1] == f"bytes={kept}-"


async def test_a_server_without_ranges_begins_again(server: HubServer, fetch: Fetch) -> None:
    server.has_ranges = False
    server.cuts_after = [100_000]
    assert await fetch() == CONTENT
    assert server.ranges() == ["", "bytes=100000-"]


async def test_another_version_in_the_storage_is_not_mixed_into_the_part(server: HubServer, fetch: Fetch) -> None:
    fetch.folder.mkdir()
    fetch.part.write_bytes(b"x" * 1000)
    (fetch.folder / "model.gguf.etag").write_text('"an-older-one"')
    assert await fetch() == CONTENT


async def test_a_busy_hub_is_asked_again_after_the_time_it_named(server: HubServer, fetch: Fetch) -> None:
    server.busy = [{"Retry-After": "1"}]
    server.failures = 1
    assert await fetch() == CONTENT
    notes = [note for phase, _, note in fetch.reports if phase is DownloadPhase.WAITING]
    assert any("busy (status 429)" in note and "Trying again in 1 s" in note for note in notes)


@pytest.mark.parametrize(
    "told", ["100000", format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)], ids=["seconds", "date"]
)
async def test_a_hub_that_asks_for_hours_is_not_waited_for(server: HubServer, fetch: Fetch, told: str) -> None:
    server.busy = [{"Retry-After": told}]
    with pytest.raises(ModelUnavailable, match=r"busy \(status 429\).*What came is kept: try again later"):
        await asyncio.wait_for(fetch(), PATIENCE_SECONDS)


async def test_a_hub_that_stays_broken_is_given_up(server: HubServer, fetch: Fetch) -> None:
    server.failures = 100
    with pytest.raises(ModelUnavailable, match=r"busy \(status 503\)"):
        await fetch()
    assert len(server.asked) == 5


async def test_a_hub_out_of_reach_is_named(tmp_path: Path, server: HubServer) -> None:
    with closed_port() as port, pytest.raises(ModelUnavailable, match=r"cannot be reached. Check the connection"):
        hub = Hub(f"http://127.0.0.1:{port}", pause_seconds=0.01)
        await hub.fetch(server.file, tmp_path, lambda *_: None)


async def test_a_wrong_checksum_is_refused_and_deleted(server: HubServer, fetch: Fetch) -> None:
    server.announced_sha256 = "not a hash"
    with pytest.raises(ModelUnavailable, match="its checksum differs"):
        await fetch(replace(server.file, sha256="0" * 64))
    assert not (fetch.folder / server.name).exists()
    assert fetch.part.stat().st_size == 0


async def test_another_file_is_refused_before_its_bytes_are_read(server: HubServer, fetch: Fetch) -> None:
    server.announced_sha256 = "f" * 64
    with pytest.raises(ModelUnavailable, match="another file than the pinned"):
        await fetch()
    server.announced_sha256 = ""
    with pytest.raises(ModelUnavailable, match="another file than the pinned"):
        await fetch(replace(server.file, size_bytes=len(CONTENT) + 1))
    assert fetch.part.stat().st_size == 0


async def test_a_web_page_in_place_of_the_file_is_refused(server: HubServer, fetch: Fetch) -> None:
    server.is_page = True
    with pytest.raises(ModelUnavailable, match=r"a web page in place of model.gguf"):
        await fetch()


async def test_a_missing_file_is_named(server: HubServer, fetch: Fetch) -> None:
    with pytest.raises(ModelUnavailable, match=r"no other.gguf in Maker/Model-GGUF \(status 404\)"):
        await fetch(replace(server.file, name="other.gguf"))


async def test_a_full_disk_is_told_before_the_first_byte(
    server: HubServer, fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9 - 50_000_000, 50_000_000))
    with pytest.raises(StoreUnavailable, match="needs 100 MB more, but only 50 MB are free"):
        await fetch()
    assert server.asked == []


async def test_a_folder_that_is_a_file_is_told(server: HubServer, fetch: Fetch) -> None:
    fetch.folder.write_text("in the way")
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        await fetch()


async def test_two_programs_do_not_write_one_part(server: HubServer, fetch: Fetch) -> None:
    server.block_seconds = 1  # so that it lasts until the second one has knocked
    first = asyncio.create_task(fetch())
    await until(lambda: bool(server.ranges()))
    with pytest.raises(Conflict, match="Another program is downloading"):
        await fetch()
    server.block_seconds = 0
    assert await first == CONTENT


def test_an_address_that_is_none_is_a_bad_setting() -> None:
    with pytest.raises(BadSetting, match="HF_ENDPOINT"):
        Hub("huggingface")
