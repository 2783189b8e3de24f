"""The harness that answers from the documents on this machine, with or without a chat model (H16-H18, K08)."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from deeptrust.answering.calibration import find_calibration
from deeptrust.answering.calls import have_written, join_notes
from deeptrust.answering.citations import cite_claims
from deeptrust.answering.evidence import JUDGED_PASSAGES, gather_sentences
from deeptrust.answering.extractive import Part, quote_answer
from deeptrust.answering.grounding import write_prompt
from deeptrust.answering.questions import Question, split_parts
from deeptrust.answering.ranking import is_plain_answer
from deeptrust.answering.refusal import refuse_empty, refuse_not_ingested, refuse_unfound, tell_search
from deeptrust.answering.relevance import Judgement, judge
from deeptrust.domain.answer import AnswerDetail, GroundedAnswer, Verdict
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.document import WORKSPACE, Document, Retrieval, ScoredPassage
from deeptrust.domain.question import check_question
from deeptrust.domain.run import ReasoningEntry, RunStatus
from deeptrust.domain.study import PackDocument, PrepPack
from deeptrust.embedding.base import Embedder
from deeptrust.errors import BadInput, ModelUnavailable
from deeptrust.harness.base import Availability, Trace
from deeptrust.harness.ingest import IngestReport, PackStatus, job_collection
from deeptrust.language.clean import clean_text
from deeptrust.language.counting import count
from deeptrust.language.senses import other_words
from deeptrust.llm.base import ChatModel
from deeptrust.llm.selection import ModelSelection
from deeptrust.trust.support import keep_supported

_CANDIDATES = 12
"""Passages that the quoted sentence may come from; table in docs/answerability.md. Fewer are judged and shown."""
_REPLY_TOKENS = 400
_NOT_WRITTEN = "Nothing that the model wrote could be found in the sources, so the answer is quoted from them."
_MODEL_DOWN = "The chat model could not write the answer, so it is quoted from your documents. {reason}"


class OwnLibrary(Protocol):
    """What the harness needs of a person's library."""

    async def retrieve(self, question: str, *, collection: str, limit: int) -> Retrieval:
        """See `knowledge.library.Library.retrieve`."""
        ...

    async def replace(self, collection: str, documents: Sequence[PackDocument]) -> list[Document]:
        """See `knowledge.library.Library.replace`."""
        ...


@dataclass(frozen=True, slots=True)
class _Search:
    """What was found for one part of the question, and the judge's word on it."""

    part: Part
    retrieval: Retrieval
    judgement: Judgement


class LocalRag:
    """Retrieves, judges whether that answers, and quotes it, or has a model write and keeps what is supported."""

    id = "local-rag"
    display_name = "Local documents"
    answers_here = True

    def __init__(
        self,
        open_library: Callable[[str], OwnLibrary],
        embedder: Embedder,
        models: ModelSelection,
        limit: int = 4,
        max_question_characters: int = 8000,
        model_call_seconds: float = 600,
    ) -> None:
        """`open_library` maps an owner to that person's library; `models` is read at each question."""
        self._open_library = open_library
        self._embedder = embedder
        self._models = models
        self._limit = limit
        self._max_question_characters = max_question_characters
        self._model_call_seconds = model_call_seconds
        self._calibration = find_calibration(embedder.name)

    async def availability(self) -> Availability:
        """Whether the embedder answers; a missing chat model is no obstacle (K08)."""
        try:
            self._embedder.count_tokens(["ready"])
        except ModelUnavailable as error:
            return Availability(is_available=False, reason=str(error))
        return Availability(is_available=True)

    async def ingest(self, owner: str, pack: PrepPack, confirmation: str | None = None) -> IngestReport:
        """Index the pack on this machine, wholly in the place of the one before (H15); nothing needs confirming."""
        documents = await self._open_library(owner).replace(job_collection(pack.job_id), pack.documents)
        passages = sum(document.passage_count for document in documents)
        return IngestReport(
            harness_id=self.id,
            status=PackStatus.READY,
            message=f"Ready to be asked, on this machine: {count(len(documents), 'document')}.",
            document_count=len(documents),
            passage_count=passages,
        )

    async def forget(self, owner: str, collection: str) -> None:
        """See `ResearchHarness.forget`."""
        await self._open_library(owner).replace(collection, ())

    async def ask(self, owner: str, collection: str, question: str, trace: Trace | None = None) -> AnswerDetail:
        """See `ResearchHarness.ask`."""
        began = time.perf_counter()
        question = check_question(question, self._max_question_characters)
        note = _Notes(trace)
        detail = await self._answer(owner, collection, question, note)
        return detail.model_copy(update={"seconds": round(time.perf_counter() - began, 3)})

    async def _answer(self, owner: str, collection: str, question: str, note: "_Notes") -> AnswerDetail:
        searches = [await self._search(owner, collection, part, note) for part in split_parts(question)]
        retrieval = searches[0].retrieval
        if not retrieval.passage_count:
            refuse = refuse_empty if collection == WORKSPACE else refuse_not_ingested
            return refuse(self._embedder.name)
        found = [search for search in searches if search.judgement.is_answerable]
        not_found = tuple(one.part.question.text for one in searches if not one.judgement.is_answerable)
        if not found:
            return refuse_unfound(retrieval, not_found)
        detail = await self._write(question, found, note)
        guidance = " ".join(filter(None, [detail.answer.guidance, tell_search(retrieval)])) or None
        return detail.model_copy(
            update={
                "answer": detail.answer.model_copy(update={"guidance": guidance}),
                "not_found": not_found,
                "document_count": retrieval.document_count,
                "passage_count": retrieval.passage_count,
            }
        )

    async def _search(self, owner: str, collection: str, question: Question, note: "_Notes") -> _Search:
        library = self._open_library(owner)
        retrieval = await library.retrieve(question.text, collection=collection, limit=_CANDIDATES)
        note.tell("retrieve", f"{len(retrieval.passages)} of {count(retrieval.passage_count, 'passage')} closest.")
        others = await self._retrieve_others(library, collection, question, retrieval)
        wider = retrieval.model_copy(update={"passages": _join(retrieval.passages, others)})
        sentences = await gather_sentences(wider, question.terms, self._embedder)
        vector = await self._embedder.embed_question(question.text)
        best = {scored.passage.id for scored in (*retrieval.passages[:JUDGED_PASSAGES], *others[:1])}
        judged = [one for one in sentences if one.passage.id in best or is_plain_answer(question, one)]
        verdict = judge(question, vector, judged, self._calibration, retrieval.passage_count)
        outcome = "an answer" if verdict.is_answerable else "not an answer"
        note.tell("judge", f"Best match {verdict.probability:.0%}, floor {verdict.floor:.0%}: {outcome}.")
        return _Search(Part(question, vector, sentences), retrieval, verdict)

    async def _retrieve_others(
        self, library: OwnLibrary, collection: str, question: Question, retrieval: Retrieval
    ) -> tuple[ScoredPassage, ...]:
        """Passages that may say it in other words ("prohibited" where "forbid" was asked); the best one is judged."""
        words = other_words(question.text)
        if not words or len(retrieval.passages) == retrieval.passage_count:
            return ()
        others = await library.retrieve(f"{question.text} {' '.join(words)}", collection=collection, limit=_CANDIDATES)
        return others.passages

    async def _write(self, question: str, found: Sequence[_Search], note: "_Notes") -> AnswerDetail:
        guidance = None
        if model := self._models.writer:
            written, guidance = await self._let_write(model, question, found, note)
            if written:
                return written
        quoted = quote_answer([search.part for search in found])
        note.tell("quote", f"Sentences quoted: {len(quoted.claims)}.")
        answer = GroundedAnswer(
            text=quoted.text,
            grounded=True,
            citations=quoted.citations,
            guidance=guidance,
            embedder=self._embedder.name,
        )
        return AnswerDetail(answer=answer, claims=quoted.claims)

    async def _let_write(
        self, model: ChatModel, question: str, found: Sequence[_Search], note: "_Notes"
    ) -> tuple[AnswerDetail | None, str | None]:
        """(what stays of the model's text, what to tell if nothing does)."""
        passages = {one.passage.id: one for search in found for one in search.retrieval.passages[: self._limit]}
        try:
            prompt = write_prompt(question, list(passages.values()), model, reply_tokens=_REPLY_TOKENS)
        except BadInput as error:
            note.tell("check", guidance := _MODEL_DOWN.format(reason=error))
            return None, guidance
        wrote = await have_written(
            model,
            prompt.messages,
            max_tokens=_REPLY_TOKENS,
            timeout_seconds=self._model_call_seconds,
            note=prompt.note,
        )
        if wrote.text is None:
            note.tell("check", guidance := _MODEL_DOWN.format(reason=wrote.reason), wrote.calls)
            return None, guidance
        text, claims = keep_supported(clean_text(wrote.text), [source.passage for source in prompt.sources])
        kept = sum(claim.verdict is Verdict.SUPPORTED for claim in claims)
        stand = "stands on its source" if len(claims) == 1 else "stand on their source"
        stands = f"{kept} of {count(len(claims), 'sentence')} of {model.name} {stand}."
        note.tell("check", join_notes(stands, prompt.note, "" if kept else _NOT_WRITTEN), wrote.calls)
        if not kept:
            return None, _NOT_WRITTEN
        text, citations = cite_claims(text, claims, passages)
        answer = GroundedAnswer(
            text=text, grounded=True, citations=citations, model=model.name, embedder=self._embedder.name
        )
        return AnswerDetail(answer=answer, claims=claims), None


def _join(found: Sequence[ScoredPassage], others: Sequence[ScoredPassage]) -> tuple[ScoredPassage, ...]:
    """Those found, and behind them the others that are not among them."""
    known = {scored.passage.id for scored in found}
    return (*found, *(scored for scored in others if scored.passage.id not in known))


class _Notes:
    """Tells the trace, if there is one."""

    def __init__(self, trace: Trace | None) -> None:
        self._trace = trace

    def tell(self, node: str, summary: str, calls: tuple[ModelCall, ...] = ()) -> None:
        if self._trace:
            self._trace(ReasoningEntry(node=node, summary=summary, status=RunStatus.THINKING, calls=calls))
