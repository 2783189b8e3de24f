"""Passages and retrievals for the tests of this room and of the harness."""

from deeptrust.domain.document import DocumentKind, Passage, Retrieval, ScoredPassage


def make_scored(text: str, number: int = 1, **changes: object) -> ScoredPassage:
    """A retrieved passage `p<number>` that begins its page."""
    passage = Passage(
        id=f"p{number}",
        document_id=f"d{number}",
        title=f"Title {number}",
        kind=DocumentKind.TEXT,
        page=1,
        start=0,
        end=len(text),
        text=text,
    )
    return ScoredPassage(passage=passage.model_copy(update=changes), cosine=0.5, lexical=1.0, score=0.5)


def make_retrieval(*passages: ScoredPassage) -> Retrieval:
    """A search that found `passages` and nothing else."""
    return Retrieval(
        passages=passages,
        document_count=len({one.passage.document_id for one in passages}),
        passage_count=len(passages),
        embedder="hashing",
    )
