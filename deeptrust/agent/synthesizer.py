"""The synthesizer: a report of what was read, and of nothing else (D19, K13)."""

import asyncio

from deeptrust.agent.parts import Parts
from deeptrust.agent.relevance import Reading, read_evidence
from deeptrust.agent.report import Answer, Report, write_no_findings, write_report
from deeptrust.agent.state import ResearchState, StateUpdate
from deeptrust.answering.citations import cite_claims
from deeptrust.answering.extractive import Part, quote_answer
from deeptrust.answering.grounding import write_prompt
from deeptrust.domain.answer import AnswerDetail, Verdict
from deeptrust.domain.document import Passage
from deeptrust.domain.run import ReasoningEntry, RunStatus
from deeptrust.errors import BadInput, ModelUnavailable, NotFound
from deeptrust.language.clean import clean_text
from deeptrust.llm.base import ChatModel
from deeptrust.trust.support import keep_supported

_NOT_WRITTEN = "Nothing that the model wrote could be found in the sources, so the report is quoted from them."
_MODEL_DOWN = "The chat model could not write the report ({reason}), so it is quoted from the sources."


async def synthesize(state: ResearchState, parts: Parts) -> StateUpdate:
    """Write the report from the passages that the steps name; none means an honest "no findings"."""
    passages = await _read_passages(state, parts)
    searched = sum(document.passage_count for document in await parts.knowledge.documents(state.collection))
    reading = await read_evidence(passages, state.user_query, parts.embedder, searched)
    report, tokens = await _write(state, parts, reading)
    count = len(report.answer.citations)
    entry = ReasoningEntry(
        node="synthesizer",
        summary=f"The report cites {count} places." if count else "Nothing was found, and the report says so.",
        status=RunStatus.SYNTHESIZING,
    )
    return StateUpdate(
        final_report=report,
        tokens_used=state.tokens_used + tokens,
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


async def _write(state: ResearchState, parts: Parts, reading: Reading) -> tuple[AnswerDetail, int]:
    """(report, tokens used)."""
    answered = [part for part in reading.parts if part.is_answered]
    if not reading.sentences or (not answered and not _found_something(state)):
        return write_no_findings(state, reading), 0
    tokens, guidance = 0, None
    answer: Answer | None = None
    if answered and parts.writer:
        answer, tokens, guidance = await _let_write(parts.writer, state, parts, reading)
    if answered and answer is None:
        quoted = quote_answer([Part(part.question, part.vector, reading.sentences) for part in answered])
        answer = Answer(quoted.text, quoted.citations, quoted.claims, model=None)
    report = Report(state=state, reading=reading, answer=answer, guidance=guidance)
    return await write_report(report, parts.embedder), tokens


def _found_something(state: ResearchState) -> bool:
    return any(result.passage_ids for result in state.step_results)


async def _let_write(
    model: ChatModel, state: ResearchState, parts: Parts, reading: Reading
) -> tuple[Answer | None, int, str | None]:
    """(what stays of the model's text, tokens used, what to tell if nothing does)."""
    sources = reading.retrieval.passages
    prompt = write_prompt(state.user_query, sources, model, reply_tokens=parts.limits.report_tokens)
    try:
        async with asyncio.timeout(parts.limits.model_call_seconds):
            completion = await model.complete(prompt.messages, max_tokens=parts.limits.report_tokens)
    except TimeoutError:
        return None, 0, _MODEL_DOWN.format(reason="it took too long")
    except (ModelUnavailable, BadInput) as error:
        return None, 0, _MODEL_DOWN.format(reason=str(error))
    tokens = completion.prompt_tokens + completion.completion_tokens
    text, claims = keep_supported(clean_text(completion.text), [source.passage for source in prompt.sources])
    if not any(claim.verdict is Verdict.SUPPORTED for claim in claims):
        return None, tokens, _NOT_WRITTEN
    text, citations = cite_claims(text, claims, {source.passage.id: source for source in prompt.sources})
    return Answer(text, citations, claims, model=model.name), tokens, None
