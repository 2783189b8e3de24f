"""A disk that fails on command, in a process of its own; prints what was lost, torn or doubled as JSON.

Usage: LD_PRELOAD=failing_disk.so python -m tests.knowledge.failing_disk FOLDER inject [STEP] | count
"""

import asyncio
import ctypes
import itertools
import json
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

from deeptrust.documents.reader import FileReader
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.errors import StoreUnavailable
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from tests.knowledge.conftest import OWNER
from tests.waiting import PATIENCE_SECONDS

WRITE, SYNC, TRUNCATE = range(3)
LAST_CALL = 40
TEXTS = {f"{number}.txt": f"Document {number} speaks of storms. " * 30 for number in range(2)}


def build(folder: Path) -> Path:
    """Compile the shim; the file to preload."""
    library = folder / "failing_disk.so"
    source = Path(__file__).with_suffix(".c")
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True, timeout=PATIENCE_SECONDS)
    return library


def open_library(users: Path) -> tuple[StorePool, Library]:
    pool = StorePool(users)
    return pool, Library(pool, OWNER, HashingEmbedder(), FileReader())


async def use(users: Path, acknowledged: dict[str, int]) -> None:
    """Add, remove, close and open again as a person would, who tries once more after an error."""
    pool, library = open_library(users)
    for name, text in TEXTS.items():
        for _ in range(2):
            with suppress(StoreUnavailable):
                outcome = await library.add_file(text.encode(), name)
                assert outcome.document is not None
                acknowledged[name] = outcome.document.passage_count
                break
        with suppress(StoreUnavailable):
            await pool.close()


async def inspect(users: Path, acknowledged: dict[str, int]) -> Counter[str]:
    """What is wrong once the disk works again."""
    faults: Counter[str] = Counter()
    pool, library = open_library(users)
    try:
        found = await library.documents()
        stored = {document.label: document.passage_count for document in found}
        faults["lost"] += sum(stored.get(name) != count for name, count in acknowledged.items())
        faults["torn"] += any(not document.passage_count or not document.page_count for document in found)
        for name, text in TEXTS.items():
            await library.add_file(text.encode(), name)
        labels = Counter(document.label for document in await library.documents())
        faults["doubled"] += labels != Counter(list(TEXTS))
    except StoreUnavailable:
        faults["not opened"] += 1
    await pool.close()
    return faults


async def inject(folder: Path, step: int) -> dict[str, int]:
    """Fail every `step`th call of each kind, once and from then on."""
    disk = ctypes.CDLL(None)
    total: Counter[str] = Counter()
    exhausted: set[int] = set()
    for kind, at, lasts in itertools.product((WRITE, SYNC, TRUNCATE), range(1, LAST_CALL + 1, step), (False, True)):
        if kind in exhausted:
            continue
        users, acknowledged = folder / f"{kind}-{at}-{lasts}", dict[str, int]()
        disk.disk_arm(kind, at, int(lasts))
        await use(users, acknowledged)
        if disk.disk_count(kind) < at:
            exhausted.add(kind)  # there is no such call, so nothing was injected
        disk.disk_arm(kind, 0, 0)
        faults = +await inspect(users, acknowledged)
        if faults:
            sys.stderr.write(f"kind {kind}, call {at}, lasts {lasts}: {dict(faults)}\n")
        total += faults
        total["injections"] += 1
        shutil.rmtree(users)
    return dict(total)


async def count(folder: Path) -> dict[str, int]:
    """Syncs of the store's files during ten commits."""
    disk = ctypes.CDLL(None)
    pool, library = open_library(folder / "users")
    await library.add_file(b"The first one opens the store.", "first.txt")
    disk.disk_arm(SYNC, 0, 0)
    for number in range(10):
        await library.add_file(f"Number {number} speaks of storms. ".encode() * 40, f"{number}.txt")
    syncs = disk.disk_count(SYNC)
    await pool.close()
    return {"commits": 10, "syncs": syncs}


if __name__ == "__main__":
    where, what, *more = sys.argv[1:]
    made = inject(Path(where), int(more[0]) if more else 1) if what == "inject" else count(Path(where))
    print(json.dumps(asyncio.run(made)))
