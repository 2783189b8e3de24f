"""A library on real parts, with the embedder that needs no model."""

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deeptrust.documents.reader import FileReader
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool

OWNER = uuid.UUID(int=7).hex


@pytest.fixture
async def pool(tmp_path: Path) -> AsyncIterator[StorePool]:
    made = StorePool(tmp_path / "users")
    yield made
    await made.close()


@pytest.fixture
def library(pool: StorePool) -> Library:
    return Library(pool, OWNER, HashingEmbedder(), FileReader())
