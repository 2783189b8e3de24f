"""The embedder that needs no model: hashed words and letter groups (Weinberger et al., 2009, arXiv:0902.2206).

It finds what shares words or word parts with the question, in any script, and knows nothing of meaning.
Tests, demos and machines without the model file use it through the same door as the real one.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np

from deeptrust.embedding.base import DIMENSIONS, Vectors
from deeptrust.errors import BadDocument

_WORD = re.compile(r"\w+")
_PIECE_LETTERS = 12
_GROUP_LETTERS = 3
_GROUP_WEIGHT = 0.4


class HashingEmbedder:
    """Deterministic on every machine: crc32, not Python's salted `hash`."""

    name = "hashing"
    fingerprint = f"hashing:1:{DIMENSIONS}"
    max_tokens = 256
    reaches_network = False

    async def identify(self) -> str:
        """It never changes."""
        return self.fingerprint

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """A token is a run of at most 12 letters of one word."""
        return [sum(-(-len(word) // _PIECE_LETTERS) for word in _WORD.findall(text)) for text in texts]

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Hash each text, off the event loop.

        Raises:
            BadDocument: a text has more than `max_tokens` tokens.
        """
        if any(count > self.max_tokens for count in self.count_tokens(texts)):
            raise BadDocument("A passage is longer than the embedder reads; split it into smaller passages.")
        return await asyncio.to_thread(_hash_all, texts)

    async def embed_question(self, text: str) -> Vectors:
        """Hash the question; there is no limit to cut at, so all of it counts."""
        return _hash(text)

    async def close(self) -> None:
        """Nothing is held."""


def _hash_all(texts: Sequence[str]) -> Vectors:
    return np.stack([_hash(text) for text in texts]) if texts else np.empty((0, DIMENSIONS), np.float32)


def _hash(text: str) -> Vectors:
    vector = np.zeros(DIMENSIONS, np.float32)
    for feature, weight in _features(text.casefold()):
        code = crc32(feature.encode("utf-8", "replace"))
        vector[code % DIMENSIONS] += weight if code & 0x80000000 else -weight
    norm = float(np.linalg.norm(vector))
    if norm == 0:  # signs can cancel out; the store takes unit vectors only
        vector[0] = norm = 1.0
    return vector / np.float32(norm)


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text):
        yield word, 1.0
        marked = f"<{word}>"
        for start in range(len(marked) - _GROUP_LETTERS + 1):
            yield "#" + marked[start : start + _GROUP_LETTERS], _GROUP_WEIGHT
