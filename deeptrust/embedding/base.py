"""The embedder seam: text to unit vectors."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]

DIMENSIONS = 384
"""Width of every vector in the store (K02: FLOAT[384])."""


class Embedder(Protocol):
    """Maps texts to L2-normalised vectors of `DIMENSIONS` numbers; cosine is then the inner product."""

    @property
    def name(self) -> str:
        """Shown to the person, for instance `all-MiniLM-L6-v2`."""
        ...

    @property
    def reaches_network(self) -> bool:
        """True if texts leave this machine to be embedded."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever vectors would: model bytes, pooling or truncation. Vectors are never mixed (K06).

        It is that of the vectors that came last; `identify` brings it up to date before there are any.
        """
        ...

    async def identify(self) -> str:
        """Return the fingerprint of the vectors that `embed` would give now.

        Raises:
            ModelUnavailable: who runs the model cannot be asked.
        """
        ...

    @property
    def max_tokens(self) -> int:
        """Longest text that is read whole, special tokens included."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special tokens included; fast enough to size passages with."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (len(texts), DIMENSIONS), finite and of norm 1, off the event loop.

        Raises:
            BadDocument: a text is longer than `max_tokens` (nothing is ever cut silently, K04).
            ModelUnavailable: the model file is missing or damaged.
        """
        ...

    async def embed_question(self, text: str) -> Vectors:
        """Vector of shape (DIMENSIONS,) for a question; one too long is cut at `max_tokens`.

        Raises:
            ModelUnavailable: the model file is missing or damaged.
        """
        ...

    async def close(self) -> None:
        """Free the session."""
        ...
