"""The password: one hash for each attempt, whatever is wrong with it."""

import unicodedata
from collections.abc import Iterator

import pytest

from deeptrust.errors import BadSetting
from deeptrust.identity import password as module
from deeptrust.identity.password import MAX_CHARACTERS, Password

SALT = b"0123456789abcdef"
SECRET = "correct horse Ünïcode"


@pytest.fixture
def password() -> Password:
    return Password(SECRET, SALT)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[object, ...]]]:
    """The parameters of every argon2id hash that is made; the hash itself is the real one."""
    done: list[tuple[object, ...]] = []
    real = module.hash_secret_raw

    def counted(secret: bytes, salt: bytes, *cost: object) -> bytes:
        done.append(cost)
        return real(secret, salt, *cost)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(module, "hash_secret_raw", counted)
    yield done


async def test_only_the_very_password_matches(password: Password):
    assert await password.matches(SECRET)
    for wrong in ("", "x", SECRET + "x", SECRET[:-1], SECRET.lower(), "\x00", "a" * 100_000):
        assert not await password.matches(wrong)


async def test_aut_12_every_attempt_costs_the_same_work(password: Password, work: list[tuple[object, ...]]):
    for attempt in ("", "x", SECRET[0] + "wrong", SECRET, "a" * 100_000):
        await password.matches(attempt)
    assert len(work) == 5
    assert len(set(work)) == 1


def test_version_is_that_of_the_password_and_the_home(password: Password):
    assert password.version == Password(SECRET, SALT).version
    assert password.version != Password(SECRET + "x", SALT).version
    assert password.version != Password(SECRET, SALT[::-1]).version


async def test_the_longest_password_matches_and_letters_may_be_written_in_both_ways(password: Password):
    longest = "🔑" * MAX_CHARACTERS
    assert await Password(longest, SALT).matches(longest)
    assert await password.matches(unicodedata.normalize("NFD", SECRET))


@pytest.mark.parametrize("never", ["x" * 1025, "secret\n", "a\x00b", "a\udcff"], ids=["long", "line", "nul", "bytes"])
def test_a_password_that_nobody_could_give_is_refused_at_the_start(never: str):
    with pytest.raises(BadSetting, match="DEEPTRUST_PASSWORD"):
        Password(never, SALT)
