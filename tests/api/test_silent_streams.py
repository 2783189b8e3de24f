"""A stream in which nothing happens for long says so, before a proxy cuts it (UI-07)."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import pytest

from deeptrust.api import frames
from deeptrust.domain.run import RunEvent, RunStatus, StatusChanged
from tests.waiting import PATIENCE_SECONDS


async def test_ui_07_a_silent_stream_carries_comments_that_keep_a_proxy_from_cutting_it(
    monkeypatch: pytest.MonkeyPatch,
):
    assert frames.HEARTBEAT_SECONDS <= 15
    monkeypatch.setattr(frames, "HEARTBEAT_SECONDS", 0.02)
    may_end = asyncio.Event()

    async def silence() -> AsyncGenerator[RunEvent]:
        await may_end.wait()
        for event in ():
            yield event

    stream = frames.stream_frames(silence())
    for _ in range(3):
        comment = await asyncio.wait_for(anext(stream), PATIENCE_SECONDS)
        assert comment.startswith(":")
        assert comment.endswith("\n\n")
    may_end.set()
    assert [frame async for frame in stream if not frame.startswith(":")] == []


async def test_who_reads_slowly_is_served_from_the_log_and_fills_no_memory():
    taken = 0

    async def many() -> AsyncGenerator[RunEvent]:
        nonlocal taken
        for taken in range(1, 10_001):
            yield RunEvent(run_id="r", sequence=taken, at=datetime.now(UTC), body=StatusChanged(status=RunStatus.IDLE))

    stream = frames.stream_frames(many())
    for number in range(1, 4):
        assert (await anext(stream)).startswith(f"id: {number}\n")
        await asyncio.sleep(0.01)
        assert taken == number
    await stream.aclose()
