"""Speed of the bundled chat model, alone and four at once, and how long Stop takes: `python benchmarks/chat_model.py`.

Four at once are compared with one as a ratio of tokens a second, run by run, so that other work on the machine
counts for both.
"""

import asyncio
import statistics
import threading
import time
from collections.abc import Callable

from deeptrust.domain.chat import Message
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.engine import BATCH_TOKENS, Engine
from deeptrust.llm.weights import SMOLLM2_135M, locate_weights, verify_weights

PROMPT = " ".join(f"the river number {number} runs to the sea" for number in range(160))
STORY = "Tell me a long story about a river and the town beside it."
PARALLEL = 4
ROUNDS = 5
TOKENS = 64


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


async def lags(model: BundledModel) -> list[float]:
    """How long the event loop was kept from each 1 ms sleep while four replies were written, in seconds."""
    running = asyncio.gather(*(model.complete(ask(turn), max_tokens=60) for turn in range(PARALLEL)))
    found: list[float] = []
    while not running.done():
        started = time.perf_counter()
        await asyncio.sleep(0.001)
        found.append(time.perf_counter() - started - 0.001)
    await running
    return sorted(found)


async def speed(model: BundledModel, replies: int) -> float:
    """Tokens a second, over all replies."""
    started = time.perf_counter()
    made = await asyncio.gather(*(model.complete(ask(turn), max_tokens=TOKENS) for turn in range(replies)))
    return sum(completion.completion_tokens for completion in made) / (time.perf_counter() - started)


def ask(turn: int) -> tuple[Message, ...]:
    return (Message(role="user", content=f"{STORY} It is story {turn}."),)


async def measure_together() -> None:
    model = BundledModel(temperature=0)
    await model.load()
    pairs = [(await speed(model, 1), await speed(model, PARALLEL)) for _ in range(ROUNDS)]
    ratios = sorted(four / one for one, four in pairs)
    print(f"four replies       {statistics.median(four for _, four in pairs):6.0f} tokens/s together")
    print(
        f"four against one   {statistics.median(ratios):6.2f} x, median of {ROUNDS} ({ratios[0]:.2f}-{ratios[-1]:.2f})"
    )
    found = await lags(model)
    p99 = found[int(len(found) * 0.99)]
    print(f"event loop lag     {p99 * 1000:6.1f} ms p99, {found[-1] * 1000:.1f} ms at worst, while four are written")
    await model.close()


def main() -> None:
    path = locate_weights(SMOLLM2_135M)
    print(f"verify the hash    {seconds(lambda: verify_weights(path, SMOLLM2_135M, lambda _: None)):6.2f} s")
    engines: list[Engine] = []
    load = lambda: engines.append(Engine(path, name="m", context_tokens=8192, parallel=4))  # noqa: E731
    print(f"load the engine    {seconds(load):6.2f} s")
    engine = engines.pop()
    one, _ = write(engine, STORY, 1)
    many, _ = write(engine, STORY, 101)
    print(f"write              {100 / (many - one):6.0f} tokens/s")
    reading, prompt_tokens = write(engine, PROMPT, 1)
    print(f"read a prompt      {prompt_tokens / reading:6.0f} tokens/s ({prompt_tokens} tokens)")
    print(f"Stop while writing {stop_latency(engine, STORY, 1):6.3f} s")
    print(f"Stop while reading {stop_latency(engine, 'Now: ' + PROMPT, 1):6.3f} s (batch {BATCH_TOKENS})")
    engine.close()
    asyncio.run(measure_together())


if __name__ == "__main__":
    main()
