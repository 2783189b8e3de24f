import asyncio
import gc
import weakref
from pathlib import Path

from deeptrust.knowledge.locked import LockedFile, LockedFiles
from deeptrust.knowledge.pool import StorePool
from tests.knowledge.conftest import OWNER

FILE = LockedFile("me", "a.pdf", b"12345678")


async def test_a_locked_file_is_given_to_its_owner_alone():
    files = LockedFiles()
    files.keep("k", FILE)
    assert files.find("k", "me") is FILE
    assert files.find("k", "you") is None
    assert files.find("other", "me") is None


async def test_the_oldest_make_room():
    files = LockedFiles(most_bytes=10)
    files.keep("first", FILE)
    files.keep("second", FILE)
    assert files.find("first", "me") is None
    assert files.find("second", "me") is FILE


async def test_a_file_larger_than_all_room_is_not_kept():
    files = LockedFiles(most_bytes=4)
    files.keep("k", FILE)
    assert files.find("k", "me") is None


async def test_a_file_is_let_go_after_a_while_but_not_the_one_that_took_its_place():
    files = LockedFiles(kept_seconds=0.01)
    files.keep("k", FILE)
    await asyncio.sleep(0.05)
    assert files.find("k", "me") is None


async def test_what_is_let_go_is_held_by_nothing():
    files = LockedFiles()
    mine, yours = LockedFile("me", "a.pdf", b"1"), LockedFile("you", "b.pdf", b"2")
    files.keep("mine", mine)
    files.keep("yours", yours)
    held = weakref.ref(mine)
    del mine
    files.drop_all("me")
    gc.collect()
    assert held() is None
    assert files.find("yours", "you") is yours


async def test_deleting_all_data_takes_the_locked_files_too(tmp_path: Path):
    pool = StorePool(tmp_path / "users")
    pool.locked.keep("k", LockedFile(OWNER, "a.pdf", b"1"))
    await pool.forget(OWNER)
    assert pool.locked.find("k", OWNER) is None
    await pool.close()
