"""From the start of the process to the first answered question over one PDF, with the time of each stage.

    python -m benchmarks.ingest [--runs 1] [PDF]

Each run is a process of its own with an empty home; the default PDF has 400 pages (336,000 characters).
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

PDF = Path("../shared/data/pdfs/files/irs-irm-2.3.59-400p.pdf")
QUESTION = "Which command code displays an entity with its tax modules?"


async def _ingest_once(pdf: Path) -> dict[str, float]:
    """Seconds of each stage. The imports are inside, since they count."""
    started = time.perf_counter()
    from deeptrust.documents.reader import FileReader
    from deeptrust.domain.document import IngestProgress, IngestStage
    from deeptrust.embedding.minilm import MiniLmEmbedder
    from deeptrust.knowledge.library import Library
    from deeptrust.knowledge.pool import StorePool

    begun: dict[IngestStage, float] = {}

    def note(progress: IngestProgress) -> None:
        begun.setdefault(progress.stage, time.perf_counter())

    imported = time.perf_counter()
    with tempfile.TemporaryDirectory() as home:
        pool, embedder = StorePool(Path(home)), MiniLmEmbedder()
        library = Library(pool, uuid.uuid4().hex, embedder, FileReader())
        outcome = await library.add_file(pdf.read_bytes(), pdf.name, on_progress=note)
        stored = time.perf_counter()
        assert outcome.document is not None, outcome.reason
        await library.retrieve(QUESTION, limit=4)
        answered = time.perf_counter()
        await pool.close()
        await embedder.close()
    return {
        "passages": outcome.document.passage_count,
        "import": imported - started,
        "read and chunk": begun[IngestStage.EMBEDDING] - imported,
        "embed": begun[IngestStage.STORING] - begun[IngestStage.EMBEDDING],
        "store": stored - begun[IngestStage.STORING],
        "first question": answered - stored,
    }


def _run_once(pdf: Path) -> dict[str, float]:
    started = time.perf_counter()
    arguments = [sys.executable, "-m", "benchmarks.ingest", "--inside", str(pdf)]
    shown = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    return {"process start to first answer": time.perf_counter() - started, **json.loads(shown)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pdf", nargs="?", type=Path, default=PDF)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(asyncio.run(_ingest_once(options.pdf))))
        return
    runs = [_run_once(options.pdf) for _ in range(options.runs)]
    best = min(runs, key=lambda run: run["process start to first answer"])
    load = os.getloadavg()[0]
    print(f"{options.pdf.name}, best of {options.runs}, load {load:.1f} on {os.cpu_count()} cores")
    for stage, value in best.items():
        print(f"  {stage:32}{value:8.2f}{'' if stage == 'passages' else ' s'}")


if __name__ == "__main__":
    main()
