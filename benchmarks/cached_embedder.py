"""An embedder that remembers on disk what it embedded, so that a benchmark can be run again in seconds."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from deeptrust.embedding.base import DIMENSIONS, Embedder, Vectors

_KEY_BYTES = 20
_RECORD_BYTES = _KEY_BYTES + 4 * DIMENSIONS


class CachedEmbedder:
    """Wraps an embedder; the file holds records of (sha1 of the text, vector), in the order of their making."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.fingerprint = embedder.fingerprint
        self.max_tokens = embedder.max_tokens
        self.reaches_network = embedder.reaches_network
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / (hashlib.sha1(embedder.fingerprint.encode()).hexdigest() + ".vectors")
        self._known = _load(self._path)

    async def identify(self) -> str:
        return self.fingerprint

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._embedder.count_tokens(texts)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if _key(text) not in self._known]
        if new:
            self._remember(new, await self._embedder.embed(new))
        return np.stack([self._known[_key(text)] for text in texts])

    async def embed_question(self, text: str) -> Vectors:
        if _key(text) not in self._known:
            self._remember([text], (await self._embedder.embed_question(text))[None, :])
        return self._known[_key(text)]

    async def close(self) -> None:
        await self._embedder.close()

    def _remember(self, texts: Sequence[str], vectors: Vectors) -> None:
        with self._path.open("ab") as file:
            for text, vector in zip(texts, vectors, strict=True):
                file.write(_key(text) + vector.astype(np.float32).tobytes())
                self._known[_key(text)] = vector


def _key(text: str) -> bytes:
    return hashlib.sha1(text.encode()).digest()


def _load(path: Path) -> dict[bytes, Vectors]:
    data = path.read_bytes() if path.exists() else b""
    whole = range(0, len(data) - _RECORD_BYTES + 1, _RECORD_BYTES)
    return {data[at : at + _KEY_BYTES]: np.frombuffer(data, np.float32, DIMENSIONS, at + _KEY_BYTES) for at in whole}
