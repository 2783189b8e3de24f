"""Guessing gets slower and slower, by address and by browser."""

import pytest

from deeptrust.identity.attempts import FREE_TRIES, LONGEST_DELAY_SECONDS, Attempts


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def attempts(clock: Clock) -> Attempts:
    return Attempts(clock)


def test_a_few_mistakes_are_free(attempts: Attempts):
    for _ in range(FREE_TRIES - 1):
        attempts.note("address a")
        assert attempts.wait_seconds("address a") == 0


def test_each_further_try_doubles_the_wait_up_to_a_limit(attempts: Attempts, clock: Clock):
    waits: list[int] = []
    for _ in range(30):
        attempts.note("address a")
        waits.append(attempts.wait_seconds("address a"))
        clock.now += waits[-1]
    assert waits[FREE_TRIES - 1 : FREE_TRIES + 3] == [1, 2, 4, 8]
    assert waits[-1] == LONGEST_DELAY_SECONDS


def test_another_address_does_not_wait_but_the_same_browser_does(attempts: Attempts):
    for _ in range(FREE_TRIES):
        attempts.note("address a", "browser x")
    assert attempts.wait_seconds("address b") == 0
    assert attempts.wait_seconds("address b", "browser x") > 0


def test_the_right_password_forgets_the_mistakes(attempts: Attempts):
    for _ in range(FREE_TRIES):
        attempts.note("address a")
    attempts.forget("address a")
    assert attempts.wait_seconds("address a") == 0


def test_memory_is_bounded_by_forgetting_the_oldest(attempts: Attempts):
    for number in range(10_001):
        for _ in range(FREE_TRIES):
            attempts.note(f"address {number}")
    assert attempts.wait_seconds("address 0") == 0
    assert attempts.wait_seconds("address 10000") > 0
