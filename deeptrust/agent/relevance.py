"""Whether passages answer: the score floor of an ask, applied to what a run found (K05)."""

from collections.abc import Sequence
from dataclasses import dataclass

from deeptrust.answering.calibration import find_calibration
from deeptrust.answering.evidence import Sentence, gather_sentences
from deeptrust.answering.questions import Question, read_question, split_parts
from deeptrust.answering.relevance import judge
from deeptrust.domain.document import Passage, Retrieval, ScoredPassage
from deeptrust.embedding.base import Embedder, Vectors


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the question, its vector, and whether something that was read answers it."""

    question: Question
    vector: Vectors
    is_answered: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in a run, cut into sentences, and the parts of the question judged against it."""

    retrieval: Retrieval
    sentences: tuple[Sentence, ...]
    parts: tuple[Part, ...]


async def holds_answer(retrieval: Retrieval, texts: Sequence[str], embedder: Embedder) -> bool:
    """Whether the passages answer any of `texts`."""
    calibration = find_calibration(embedder.name)
    for text in texts if retrieval.passages else ():
        question = read_question(text)
        sentences = await gather_sentences(retrieval, question.terms, embedder)
        vector = await embedder.embed_question(text)
        if judge(question, vector, sentences, calibration, retrieval.passage_count).is_answerable:
            return True
    return False


async def read_evidence(passages: Sequence[Passage], question: str, embedder: Embedder, searched_count: int) -> Reading:
    """Score `passages` against the question, best first, and judge its parts.

    `searched_count` passages were looked through to find these; the floor grows with it.
    """
    scored = await _score(passages, question, embedder)
    retrieval = Retrieval(
        passages=tuple(scored),
        document_count=len({passage.document_id for passage in passages}),
        passage_count=len(passages),
        embedder=embedder.name,
    )
    questions = split_parts(question)
    terms = frozenset(term for part in questions for term in part.terms)
    sentences = await gather_sentences(retrieval, terms, embedder)
    calibration = find_calibration(embedder.name)
    parts: list[Part] = []
    for one in questions:
        vector = await embedder.embed_question(one.text)
        verdict = judge(one, vector, sentences, calibration, max(searched_count, len(passages)))
        parts.append(Part(one, vector, verdict.is_answerable))
    return Reading(retrieval, tuple(sentences), tuple(parts))


async def _score(passages: Sequence[Passage], question: str, embedder: Embedder) -> list[ScoredPassage]:
    """Passages by cosine; one that the embedder cannot read whole is scored by its beginning."""
    if not passages:
        return []
    wanted = await embedder.embed_question(question)
    vectors = [await embedder.embed_question(passage.text) for passage in passages]
    scored = [
        ScoredPassage(passage=passage, cosine=float(vector @ wanted), lexical=0.0, score=float(vector @ wanted))
        for passage, vector in zip(passages, vectors, strict=True)
    ]
    return sorted(scored, key=lambda one: -one.score)
