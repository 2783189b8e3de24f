import asyncio

from deeptrust.ui.locked import LockedFile, LockedFiles

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
