"""The synthesizer: a report of what was read, and of nothing else (D19, K13)."""

from dataclasses import dataclass

from deeptrust.agent.parts import Parts
from deeptrust.agent.relevance import Reading, read_evidence
from deeptrust.agent.report import Answer, Report, write_no_findings, write_report
from deeptrust.agent.state import ResearchState, StateUpdate
from deeptrust.answering.calls import have_written, join_notes, sum_tokens
from deeptrust.answering.citations import cite_claims
from deeptrust.answering.extractive import Part, quote_answer
from deeptrust.answering.grounding import write_prompt
from deeptrust.domain.answer import AnswerDetail, Verdict
from deeptrust.domain.chat import ModelCall
from deeptrust.domain.document import Passage
from deeptrust.domain.run import ReasoningEntry, RunStatus
from deeptrust.errors import BadInput, NotFound
from deeptrust.language.clean import clean_text
from deeptrust.llm.base import ChatModel
from deeptrust.trust.support import keep_supported

_NOT_WRITTEN = "Nothing that the model wrote could be found in the sources, so the report is quoted from them."
_NOT_NAMED = (
    "Your approval did not name {name}, which would be sent the passages, so the report is quoted from them. "
    "Try again to let it write."
)
_MODEL_DOWN = "The chat model could not write the report, so it is quoted from the sources. {reason}"


@dataclass(frozen=True, slots=True)
class _Written:
    """What stays of a model's text, if anything does; what to tell otherwise; calls and what was left out of them."""

    answer: Answer | None = None
    guidance: str | None = None
    calls: tuple[ModelCall, ...] = ()
    left_out: str = ""


async def synthesize(state: ResearchState, parts: Parts) -> StateUpdate:
    """Write the report from the passages that the steps name; none means an honest "no findings"."""
    passages = await _read_passages(state, parts)
    searched = sum(document.passage_count for document in await parts.knowledge.documents(state.collection))
    reading = await read_evidence(passages, state.user_query, parts.embedder, searched)
    report, written = await _write(state, parts, reading)
    count = len(report.answer.citations)
    places = "1 place" if count == 1 else f"{count} places"
    summary = f"The report cites {places}." if count else "Nothing was found, and the report says so."
    entry = ReasoningEntry(
        node="synthesizer",
        summary=join_notes(summary, written.guidance or "", written.left_out),
        status=RunStatus.SYNTHESIZING,
        calls=written.calls,
    )
    return StateUpdate(
        final_report=report,
        tokens_used=state.tokens_used + sum_tokens(written.calls),
        reasoning=(entry,),
        status=RunStatus.COMPLETE,
    )


async def _read_passages(state: ResearchState, parts: Parts) -> list[Passage]:
    """The evidence by its ids; a passage whose document was removed since is not evidence any more."""
    ids = dict.fromkeys((*state.knowledge_context, *(name for one in state.step_results for name in one.passage_ids)))
    kept = {passage.id: passage for passage in await parts.evidence.get(state.thread_id, list(ids))}
    passages: list[Passage] = []
    for passage_id in ids:
        if passage_id in kept:
            passages.append(kept[passage_id])
            continue
        try:
            passages.append(await parts.knowledge.passage(passage_id))
        except NotFound:
            continue
    return passages


async def _write(state: ResearchState, parts: Parts, reading: Reading) -> tuple[AnswerDetail, _Written]:
    answered = [part for part in reading.parts if part.is_answered]
    written = _Written()
    if not reading.sentences or (not answered and not _found_something(state)):
        return write_no_findings(state, reading), written
    if answered and parts.writer:
        written = await _let_write(parts.writer, state, parts, reading)
    answer = written.answer
    if answered and answer is None:
        quoted = quote_answer([Part(part.question, part.vector, reading.sentences) for part in answered])
        answer = Answer(quoted.text, quoted.citations, quoted.claims, model=None)
    report = Report(state=state, reading=reading, answer=answer, guidance=written.guidance)
    return await write_report(report, parts.embedder), written


def _found_something(state: ResearchState) -> bool:
    return any(result.passage_ids for result in state.step_results)


async def _let_write(model: ChatModel, state: ResearchState, parts: Parts, reading: Reading) -> _Written:
    if parts.hosted_writer not in (None, state.named_writer):
        return _Written(guidance=_NOT_NAMED.format(name=parts.hosted_writer))
    limits = parts.limits
    try:
        prompt = write_prompt(state.user_query, reading.retrieval.passages, model, reply_tokens=limits.report_tokens)
    except BadInput as error:
        return _Written(guidance=_MODEL_DOWN.format(reason=error))
    wrote = await have_written(
        model,
        prompt.messages,
        max_tokens=limits.report_tokens,
        timeout_seconds=limits.model_call_seconds,
        note=prompt.note,
    )
    if wrote.text is None:
        return _Written(None, _MODEL_DOWN.format(reason=wrote.reason), wrote.calls, prompt.note)
    text, claims = keep_supported(clean_text(wrote.text), [source.passage for source in prompt.sources])
    if not any(claim.verdict is Verdict.SUPPORTED for claim in claims):
        return _Written(None, _NOT_WRITTEN, wrote.calls, prompt.note)
    text, citations = cite_claims(text, claims, {source.passage.id: source for source in prompt.sources})
    return _Written(Answer(text, citations, claims, model=model.name), None, wrote.calls, prompt.note)
