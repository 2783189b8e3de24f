"""Whether the time of a failed sign-in tells anything about the password (AUT-12).

Run at a quiet moment: python -m benchmarks.login_timing [failed sign-ins in all, 1000 by default]
"""

import asyncio
import random
import statistics
import sys
import time

from deeptrust.identity.password import Password

SECRET = "correct horse battery staple"
RIGHT_LETTERS = (0, 9, 18, len(SECRET) - 1)
"""How many letters are right before the first wrong one: what a comparison letter by letter would tell."""
KINDS = {
    **{f"{right} letters right": SECRET[:right] + "X" * (len(SECRET) - right) for right in RIGHT_LETTERS},
    "empty": "",
    "4,000 letters": "a" * 4000,
}
_TRIMMED = 0.1
"""Share that is left out at each end: what the neighbours on this machine did meanwhile is no trait of a password."""


async def main(tries: int) -> None:
    """Time the verification in rounds of all kinds, each in another order."""
    password, order = Password(SECRET, b"0123456789abcdef"), random.Random(2026)
    await password.matches(SECRET)
    elapsed: dict[str, list[float]] = {kind: [] for kind in KINDS}
    used: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(-(-tries // len(KINDS))):
        for kind in order.sample(list(KINDS), len(KINDS)):
            began, worked = time.perf_counter(), time.process_time()
            assert not await password.matches(KINDS[kind])
            used[kind].append(1000 * (time.process_time() - worked))
            elapsed[kind].append(1000 * (time.perf_counter() - began))
    report("milliseconds on the clock", elapsed)
    report("milliseconds of processor time, all threads", used)


def report(what: str, times: dict[str, list[float]]) -> None:
    """Print each kind, the largest difference of two means, and whether the kinds stand in any order."""
    print(f"\n{what} ({sum(map(len, times.values())):,} failed sign-ins)")
    for kind, values in times.items():
        low, middle, high = statistics.quantiles(values, n=4)
        print(f"  {kind:18} mean {trimmed_mean(values):7.2f}   quartiles {low:7.2f} {middle:7.2f} {high:7.2f}")
    means = [trimmed_mean(values) for values in times.values()]
    slope, error = slope_by_right_letters(times)
    print(f"  largest difference of two means: {max(means) - min(means):.2f} ms")
    print(f"  for each letter that is right: {1000 * slope:+.0f} ± {1000 * error:.0f} µs (two standard errors)")


def trimmed_mean(values: list[float]) -> float:
    """The mean without the tenth at each end."""
    cut = int(len(values) * _TRIMMED)
    return statistics.fmean(sorted(values)[cut : len(values) - cut])


def slope_by_right_letters(times: dict[str, list[float]]) -> tuple[float, float]:
    """Least squares of time over right letters within the trimmed values: (slope, two standard errors)."""
    points: list[tuple[int, float]] = []
    for right in RIGHT_LETTERS:
        values = sorted(times[f"{right} letters right"])
        cut = int(len(values) * _TRIMMED)
        points += [(right, value) for value in values[cut : len(values) - cut]]
    letters, milliseconds = [x for x, _ in points], [y for _, y in points]
    slope, intercept = statistics.linear_regression(letters, milliseconds)
    rest = sum((y - intercept - slope * x) ** 2 for x, y in points) / (len(points) - 2)
    mean = statistics.fmean(letters)
    return slope, 2 * (rest / sum((x - mean) ** 2 for x in letters)) ** 0.5


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
