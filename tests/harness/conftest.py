"""A library on disk with the small embedder, and harnesses over it."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from uuid import uuid4

import pytest

from deeptrust.database.engine import Database
from deeptrust.documents.reader import FileReader
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.harness.local_rag import LocalRag
from deeptrust.identity.users import find_local_user
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.llm.base import ChatModel
from deeptrust.llm.selection import ModelSelection
from deeptrust.settings import Answers
from tests.harness.notebooks import Notebooks

BOILING = (
    "# Boiling\n\nWater boils at 100 degrees Celsius at sea level. At the top of Mount Everest it boils at "
    "71 degrees. Salt raises the boiling point of water a little.\n\nSteam burns more badly than hot water."
)
LEASE = (
    "# Lease\n\nThe rent is 900 euros a month. The deposit is three months of rent. Either side may give notice "
    "three months before the end of a quarter. Pets need the written consent of the landlord."
)


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    pool = StorePool(tmp_path / "users")
    yield Library(pool, str(uuid4()), HashingEmbedder(), FileReader(1_000_000))
    await pool.close()


@pytest.fixture
async def filled(library: Library) -> Library:
    await library.add_file(BOILING.encode(), "boiling.md")
    await library.add_file(LEASE.encode(), "lease.md")
    return library


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(tmp_path / "deeptrust.sqlite")
    await made.open()
    yield made
    await made.close()


@pytest.fixture
async def owner(database: Database) -> str:
    return await find_local_user(database)


@pytest.fixture
def notebooks(tmp_path: Path) -> Notebooks:
    return Notebooks(tmp_path)


MakeRag = Callable[..., LocalRag]


@pytest.fixture
def make_rag() -> MakeRag:
    def make(library: Library, model: ChatModel | None = None, answers: Answers = "auto") -> LocalRag:
        return LocalRag(lambda _: library, HashingEmbedder(), ModelSelection(model, answers))

    return make
