"""Speed of the bundled chat model and how long Stop takes: `python benchmarks/chat_model.py`."""

import asyncio
import threading
import time
from collections.abc import Callable

from deeptrust.llm.engine import BATCH_TOKENS, Engine
from deeptrust.llm.weights import SMOLLM2_135M, locate_weights, verify_weights

PROMPT = " ".join(f"the river number {number} runs to the sea" for number in range(160))
STORY = "Tell me a long story about a river and the town beside it."


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def write(engine: Engine, text: str, max_tokens: int, stop: threading.Event | None = None) -> tuple[float, int]:
    """Seconds to write, and tokens of the prompt."""
    request: dict[str, object] = {"messages": [{"role": "user", "content": text}], "max_tokens": max_tokens}
    started = time.perf_counter()
    usage = engine.generate(request, lambda _: None, stop or threading.Event())
    return time.perf_counter() - started, usage.prompt_tokens


def stop_latency(engine: Engine, text: str, after_seconds: float) -> float:
    """Seconds from Stop until a new call could have the engine."""
    stop = threading.Event()
    stopped_at: list[float] = []

    def press() -> None:
        stopped_at.append(time.perf_counter())
        stop.set()

    timer = threading.Timer(after_seconds, press)
    timer.start()
    write(engine, text, 1000, stop)
    _ = engine.steps_made  # answered between two steps: the engine has let go
    return time.perf_counter() - stopped_at[0]


async def worst_lag(work: Callable[[], object]) -> float:
    """Longest that the event loop was kept from a 1 ms sleep, while `work` ran in a thread."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    worst = 0.0
    while not running.done():
        started = time.perf_counter()
        await asyncio.sleep(0.001)
        worst = max(worst, time.perf_counter() - started - 0.001)
    return worst


def main() -> None:
    path = locate_weights(SMOLLM2_135M)
    print(f"verify the hash    {seconds(lambda: verify_weights(path, SMOLLM2_135M, lambda _: None)):6.2f} s")
    engines: list[Engine] = []
    load = lambda: engines.append(Engine(path, name="m", context_tokens=8192, parallel=2))  # noqa: E731
    print(f"load the engine    {seconds(load):6.2f} s")
    engine = engines.pop()
    one, _ = write(engine, STORY, 1)
    many, _ = write(engine, STORY, 101)
    print(f"write              {100 / (many - one):6.0f} tokens/s")
    reading, prompt_tokens = write(engine, PROMPT, 1)
    print(f"read a prompt      {prompt_tokens / reading:6.0f} tokens/s ({prompt_tokens} tokens)")
    print(f"Stop while writing {stop_latency(engine, STORY, 1):6.3f} s")
    print(f"Stop while reading {stop_latency(engine, 'Now: ' + PROMPT, 1):6.3f} s (batch {BATCH_TOKENS})")
    lag = asyncio.run(worst_lag(lambda: write(engine, STORY, 60)))
    print(f"event loop lag     {lag * 1000:6.1f} ms at worst while writing")
    engine.close()


if __name__ == "__main__":
    main()
