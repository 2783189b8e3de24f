"""What is said when nothing is answered: which of the soft failures it was, and what to do (H18, RET-18)."""

from deeptrust.answering.calibration import is_measured
from deeptrust.domain.answer import AnswerDetail, GroundedAnswer
from deeptrust.domain.document import DocumentKind, Retrieval
from deeptrust.language.counting import count
from deeptrust.trust.markdown import escape_markdown


def refuse_empty(embedder: str) -> AnswerDetail:
    """Nothing was ever added."""
    answer = GroundedAnswer(
        text="There are no documents to answer from yet.",
        grounded=False,
        guidance="Add a PDF, a text file or a note, or take the sample documents, and ask again.",
        embedder=embedder,
    )
    return AnswerDetail(answer=answer)


def refuse_not_ingested(embedder: str) -> AnswerDetail:
    """The collection of a job is empty: its pack was never taken in."""
    answer = GroundedAnswer(
        text="Nothing of this job has been ingested yet.",
        grounded=False,
        guidance="Ingest its prep pack first, then ask again.",
        embedder=embedder,
    )
    return AnswerDetail(answer=answer)


def refuse_unfound(retrieval: Retrieval, not_found: tuple[str, ...]) -> AnswerDetail:
    """Something was searched, and nothing in it answers."""
    nearest = ""
    if retrieval.passages:
        passage = retrieval.passages[0].passage
        page = f", page {passage.page}" if passage.kind is DocumentKind.PDF else ""
        nearest = f" The nearest place is “{escape_markdown(passage.title)}”{page}."
    answer = GroundedAnswer(
        text=f"Not found in your documents. {_searched(retrieval)}{nearest}",
        grounded=False,
        guidance=tell_search(retrieval)
        or "Add a document that covers this, or ask again with the words that your documents use.",
        embedder=retrieval.embedder,
    )
    return AnswerDetail(
        answer=answer,
        not_found=not_found,
        document_count=retrieval.document_count,
        passage_count=retrieval.passage_count,
    )


def tell_search(retrieval: Retrieval) -> str | None:
    """What a person should know of how it was searched and judged; None where all is as measured."""
    return " ".join(filter(None, [_tell_stale(retrieval), _tell_unmeasured(retrieval)])) or None


def _tell_unmeasured(retrieval: Retrieval) -> str | None:
    if is_measured(retrieval.embedder):
        return None
    return (
        f"It was never measured when the embedding model {retrieval.embedder} is sure enough, so an answer is shown "
        "only where one passage holds nearly all words of the question. Choose all-MiniLM-L6-v2 for a measured judge."
    )


def _tell_stale(retrieval: Retrieval) -> str | None:
    """What to do about passages that another model embedded; None where there are none."""
    if not retrieval.stale_count:
        return None
    return (
        f"{retrieval.stale_count:,} of {retrieval.passage_count:,} passages were read by another embedding model and "
        "were searched by words only. Remove their documents and add them again to search them by meaning too."
    )


def _searched(retrieval: Retrieval) -> str:
    return f"Searched: {count(retrieval.passage_count, 'passage')} of {count(retrieval.document_count, 'document')}."
