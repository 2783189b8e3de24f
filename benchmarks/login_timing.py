"""Whether the time of a failed sign-in tells anything about the password (AUT-12).

Run: python -m benchmarks.login_timing [tries of each kind]
"""

import asyncio
import statistics
import sys
import time

from deeptrust.identity.password import Password

SECRET = "correct horse battery staple"
KINDS = {
    "right": SECRET,
    "wrong first letter": "X" + SECRET[1:],
    "wrong last letter": SECRET[:-1] + "X",
    "empty": "",
    "4,000 letters": "a" * 4000,
}


async def main(tries: int) -> None:
    """Measure in turns, and processor time of all threads: what the neighbours of this machine do stays out of it."""
    password = Password(SECRET, b"0123456789abcdef")
    seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(tries):
        for kind, attempt in KINDS.items():
            began = time.process_time()
            await password.matches(attempt)
            seconds[kind].append(time.process_time() - began)
    means = {kind: 1000 * statistics.mean(times) for kind, times in seconds.items()}
    for kind, times in seconds.items():
        print(f"{kind:20} mean {means[kind]:7.2f} ms   median {1000 * statistics.median(times):7.2f} ms")
    spread = max(means.values()) - min(means.values())
    print(f"largest difference of two means: {spread:.2f} ms ({tries} tries of each)")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
