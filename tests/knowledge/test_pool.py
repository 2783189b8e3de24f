"""The pool of open stores, when its callers go away."""

import asyncio
import uuid
from pathlib import Path

import pytest

from deeptrust.knowledge import catalogue
from deeptrust.knowledge.pool import StorePool
from tests.knowledge.conftest import OWNER


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
