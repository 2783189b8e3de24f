"""The harness with the models that ship: MiniLM finds, SmolLM2 may write, and every quote is in the PDF."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from deeptrust.documents.reader import FileReader
from deeptrust.domain.answer import Verdict
from deeptrust.domain.document import WORKSPACE
from deeptrust.embedding.minilm import MiniLmEmbedder
from deeptrust.harness.local_rag import LocalRag
from deeptrust.knowledge.library import Library
from deeptrust.knowledge.pool import StorePool
from deeptrust.llm.bundled import BundledModel
from deeptrust.llm.selection import ModelSelection
from tests.harness.conftest import BOILING, LEASE

pytestmark = pytest.mark.models


@pytest.fixture
async def embedder() -> AsyncIterator[MiniLmEmbedder]:
    made = MiniLmEmbedder()
    yield made
    await made.close()


@pytest.fixture
async def shelf(tmp_path: Path, embedder: MiniLmEmbedder) -> AsyncIterator[Library]:
    pool = StorePool(tmp_path / "users")
    library = Library(pool, str(uuid4()), embedder, FileReader(10_000_000))
    await library.add_file(BOILING.encode(), "boiling.md")
    await library.add_file(LEASE.encode(), "lease.md")
    yield library
    await pool.close()


async def test_meaning_is_found_and_nonsense_refused(shelf: Library, embedder: MiniLmEmbedder):
    rag = LocalRag(lambda _: shelf, embedder, ModelSelection(None))
    detail = await rag.ask("owner", WORKSPACE, "how much do i pay the landlord every month")
    assert detail.answer.grounded
    assert "900 euros" in detail.answer.citations[0].quote
    assert not (await rag.ask("owner", WORKSPACE, "Who won the 1998 final?")).answer.grounded


async def test_what_the_bundled_model_writes_is_checked(shelf: Library, embedder: MiniLmEmbedder):
    model = BundledModel()
    try:
        rag = LocalRag(lambda _: shelf, embedder, ModelSelection(model, "written"))
        detail = await rag.ask("owner", WORKSPACE, "At what temperature does water boil at sea level?")
    finally:
        await model.close()
    assert detail.answer.grounded
    for citation in detail.answer.citations:
        assert citation.quote in (await shelf.passage(citation.passage_id)).text
    assert any(claim.verdict is Verdict.SUPPORTED for claim in detail.claims)


@pytest.mark.parametrize(
    ("name", "question", "word"),
    [
        ("dmca.pdf", "When was the Digital Millennium Copyright Act signed into law?", "1998"),
        ("la-precinct-bulletin-2014-p1.pdf", "How many ballots were cast in precinct 0050003A?", "327"),
    ],
)
async def test_the_cited_page_is_the_one_where_the_fact_stands(
    shelf: Library, embedder: MiniLmEmbedder, shared_data: Path, name: str, question: str, word: str
):
    await shelf.add_file((shared_data / "pdfs" / "files" / name).read_bytes(), name)
    answer = (await LocalRag(lambda _: shelf, embedder, ModelSelection(None)).ask("owner", WORKSPACE, question)).answer
    assert word in answer.citations[0].quote
    assert answer.citations[0].page == 1
    for citation in answer.citations:
        assert citation.quote in (await shelf.passage(citation.passage_id)).text
