"""How many replies a model writes at once: each has a window of its own, and windows are memory."""

from deeptrust.errors import ModelUnavailable
from deeptrust.llm.memory import gigabytes, machine_memory_bytes
from deeptrust.llm.weights import Weights

MOST_WINDOWS = 4
"""More than four replies at once gain nothing on a CPU."""

_ENGINE_BYTES = 200_000_000
"""Working memory of llama.cpp beside weights and windows, measured with the bundled model."""

_SHARE = 0.5
"""Of the machine's memory, for a model with more than one window: the rest is the person's."""


def memory_bytes(size_bytes: int, weights: Weights, windows: int) -> int:
    """What a model takes in memory once it is loaded: an estimate from the size of its file."""
    return size_bytes + weights.window_bytes_per_token * weights.context_tokens * windows + _ENGINE_BYTES


def find_shortage(size_bytes: int, weights: Weights) -> str:
    """Return the sentence for a model that this machine cannot hold; an empty text where it can."""
    needed, has = memory_bytes(size_bytes, weights, windows=1), machine_memory_bytes()
    if needed <= has:
        return ""
    return (
        f"{weights.name} needs {gigabytes(needed)} of memory, but this machine has {gigabytes(has)}. "
        "Choose a smaller model."
    )


def choose_windows(size_bytes: int, weights: Weights) -> int:
    """Return how many replies fit at once: 4 or 2 where all of it takes at most half of the memory, else 1.

    Raises:
        ModelUnavailable: the machine does not have the memory for one.
    """
    if shortage := find_shortage(size_bytes, weights):
        raise ModelUnavailable(shortage)
    for windows in (MOST_WINDOWS, 2):
        if memory_bytes(size_bytes, weights, windows) <= machine_memory_bytes() * _SHARE:
            return windows
    return 1
