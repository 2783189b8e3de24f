import subprocess
import sys

from deeptrust.embedding.hashing import HashingEmbedder
from tests.waiting import PATIENCE_SECONDS


async def test_vectors_are_the_same_in_every_process():
    code = (
        "import asyncio; from deeptrust.embedding.hashing import HashingEmbedder as H; "
        "print(asyncio.run(H().embed_question('Cats purr.')).tobytes().hex())"
    )
    there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_SECONDS
    )
    assert there.stdout.strip() == (await HashingEmbedder().embed_question("Cats purr.")).tobytes().hex()


async def test_shared_word_parts_bring_texts_together():
    embedder = HashingEmbedder()
    question = await embedder.embed_question("embedding")
    close, far = await embedder.embed(["embedded embeddings", "quarterly results"])
    assert float(close @ question) > float(far @ question) + 0.1
