"""The pool of open stores, when its callers go away."""

import asyncio
import uuid
from pathlib import Path

import pytest

from deeptrust.knowledge import catalogue
from deeptrust.knowledge.pool import StorePool
from tests.knowledge.conftest import OWNER
from tests.waiting import PATIENCE_SECONDS


async def look(pool: StorePool) -> int:
    async with pool.lease(OWNER) as store:
        return len(await store.read(catalogue.count_rows))


@pytest.mark.parametrize("steps", range(1, 6))
async def test_a_caller_that_goes_while_the_file_opens_leaves_it_usable(tmp_path: Path, steps: int):
    pool = StorePool(tmp_path / "users")
    going = asyncio.create_task(look(pool))
    for _ in range(steps):
        await asyncio.sleep(0)
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    assert await look(pool) == 0
    await pool.close()
    assert (tmp_path / "users" / uuid.UUID(OWNER).hex).is_dir()


@pytest.mark.parametrize("steps", range(1, 30, 3))
async def test_a_deletion_whose_caller_goes_leaves_the_store_usable(tmp_path: Path, steps: int):
    pool = StorePool(tmp_path / "users")
    assert await look(pool) == 0
    going = asyncio.create_task(pool.forget(OWNER))
    for _ in range(steps):
        await asyncio.sleep(0)
    going.cancel()
    going.cancel()
    await asyncio.wait({going})
    assert await asyncio.wait_for(look(pool), PATIENCE_SECONDS) == 0
    await pool.close()


async def test_a_deletion_that_is_given_up_while_somebody_reads_locks_nobody_out(tmp_path: Path):
    pool = StorePool(tmp_path / "users")
    async with pool.lease(OWNER):
        going = asyncio.create_task(pool.forget(OWNER))
        await asyncio.sleep(0.01)
        going.cancel()
        await asyncio.wait({going})
    assert await asyncio.wait_for(look(pool), PATIENCE_SECONDS) == 0
    await pool.close()


@pytest.mark.parametrize("steps", range(1, 6))
async def test_a_reader_that_is_cancelled_twice_gives_its_place_back(tmp_path: Path, steps: int):
    pool = StorePool(tmp_path / "users", limit=1)
    going = asyncio.create_task(look(pool))
    for _ in range(steps):
        await asyncio.sleep(0)
    going.cancel()
    await asyncio.sleep(0)
    going.cancel()
    await asyncio.wait({going})
    async with pool.lease(uuid.uuid4().hex) as other:  # needs the only place
        assert await asyncio.wait_for(other.read(catalogue.count_rows), PATIENCE_SECONDS) == {}
    await pool.close()
