"""The report as Markdown: answer first, findings by step, what was not found, sources (K13, K27)."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from deeptrust.agent.relevance import Reading
from deeptrust.agent.state import ResearchState
from deeptrust.agent.tools import DOCUMENTS
from deeptrust.answering.citations import CitationBook
from deeptrust.answering.evidence import Sentence
from deeptrust.answering.questions import read_question
from deeptrust.answering.ranking import rank_sentences
from deeptrust.domain.answer import AnswerDetail, Citation, Claim, GroundedAnswer, Verdict
from deeptrust.domain.document import DocumentKind
from deeptrust.domain.plan import ResearchStep, StepResult, StepStatus, Tool
from deeptrust.embedding.base import Embedder
from deeptrust.trust.markdown import escape_markdown
from deeptrust.trust.marks import write_marks

_QUOTES_PER_STEP = 3
_NEAR = 0.8
"""A further quote of a step must score this share of the first one's score, as in an extractive answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Checked Markdown with marks, its citations by number, its claims, and the model that wrote it, if one did."""

    text: str
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    model: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is written from; `answer` is None if nothing answers the question as a whole."""

    state: ResearchState
    reading: Reading
    answer: Answer | None
    guidance: str | None


async def write_report(report: Report, embedder: Embedder) -> AnswerDetail:
    """Write the report. Its numbers run through: first the answer's, then those that the findings add."""
    book = CitationBook()
    _take_over(report, book)
    shown = {(citation.passage_id, citation.quote) for citation in book.citations}
    claims = list(report.answer.claims if report.answer else ())
    findings = [
        await _write_step(number, step, result, report, embedder, book, shown, claims)
        for number, (step, result) in enumerate(_done(report.state), start=1)
    ]
    missing = _missing(report.state, report.reading)
    opening = report.answer.text if report.answer else "Nothing that was read answers the question as a whole."
    sections = [
        f"# {escape_markdown(report.state.agreed_plan.objective)}",
        opening,
        "## Findings by step",
        *findings,
        *(["## Not found", "\n".join(f"- {line}" for line in missing)] if missing else []),
        "## Sources",
        "\n".join(_write_source(citation) for citation in book.citations),
        _write_origin(report),
    ]
    return _detail("\n\n".join(sections), report, book.citations, tuple(claims))


def write_no_findings(state: ResearchState, reading: Reading) -> AnswerDetail:
    """Say that nothing was found, what was tried and what failed; no sentence of it states a fact (K13, WEB-20)."""
    tried = [_write_attempt(number, step, result) for number, (step, result) in enumerate(_done(state), start=1)]
    text = "\n\n".join(
        [
            f"# {escape_markdown(state.agreed_plan.objective)}",
            "**No findings.** Nothing that was read answers this question, so this report states nothing about it.",
            "## What was tried",
            "\n".join(tried),
        ]
    )
    answer = GroundedAnswer(
        text=text,
        grounded=False,
        guidance="Add a document that covers this, allow web search, or ask in other words.",
        embedder=reading.retrieval.embedder,
    )
    not_found = tuple(part.question.text for part in reading.parts)
    return AnswerDetail(answer=answer, not_found=not_found, passage_count=reading.retrieval.passage_count)


def _done(state: ResearchState) -> list[tuple[ResearchStep, StepResult]]:
    return list(zip(state.agreed_plan.steps, state.step_results, strict=False))


def _take_over(report: Report, book: CitationBook) -> None:
    """Give the answer's citations their own numbers again, so that the findings go on counting."""
    scored = {one.passage.id: one for one in report.reading.retrieval.passages}
    for citation in report.answer.citations if report.answer else ():
        book.cite(scored[citation.passage_id], citation.quote)


async def _write_step(
    number: int,
    step: ResearchStep,
    result: StepResult,
    report: Report,
    embedder: Embedder,
    book: CitationBook,
    shown: set[tuple[str, str]],
    claims: list[Claim],
) -> str:
    heading = _write_attempt(number, step, result).removeprefix("- ")
    if result.status is not StepStatus.OK:
        return heading
    lines: list[str] = []
    for sentence in await _best_sentences(step, result, report.reading.sentences, shown, embedder):
        shown.add((sentence.passage.id, sentence.quote))
        mark = book.cite(sentence.scored, sentence.quote)
        lines.append(f"- {write_marks(escape_markdown(sentence.text), (mark,))}")
        claims.append(
            Claim(
                text=sentence.text,
                verdict=Verdict.SUPPORTED,
                passage_ids=(sentence.passage.id,),
                reason="quoted to the letter",
            )
        )
    return "\n".join([heading, *(lines or ["- Nothing beyond what is quoted above."])])


async def _best_sentences(
    step: ResearchStep,
    result: StepResult,
    sentences: Sequence[Sentence],
    shown: Set[tuple[str, str]],
    embedder: Embedder,
) -> list[Sentence]:
    """The sentences nearly as good for the step as the best one, without those `shown` already."""
    ids = set(result.passage_ids)
    candidates = [sentence for sentence in sentences if sentence.passage.id in ids]
    if not candidates:
        return []
    question = read_question(step.input)
    ranked = rank_sentences(question, await embedder.embed_question(step.input), candidates)
    near = [one.sentence for one in ranked if one.score >= _NEAR * ranked[0].score]
    new = [one for one in near if one.terms & question.terms and (one.passage.id, one.quote) not in shown]
    return [one for one in new if not one.is_fragment][:_QUOTES_PER_STEP]


def _write_attempt(number: int, step: ResearchStep, result: StepResult) -> str:
    where = "Your documents" if step.tool is Tool.KNOWLEDGE_SEARCH else f"Web search ({result.engine or 'not run'})"
    outcome = {
        StepStatus.OK: f"passages read: {len(result.passage_ids)}",
        StepStatus.EMPTY: "nothing found",
        StepStatus.FAILED: "failed",
        StepStatus.REFUSED: "not run",
    }[result.status]
    reason = f" {escape_markdown(result.reason)}" if result.reason else ""
    return f"- **Step {number}. {escape_markdown(where)}:** “{escape_markdown(step.input)}”: {outcome}.{reason}"


def _missing(state: ResearchState, reading: Reading) -> list[str]:
    questions = [escape_markdown(part.question.text) for part in reading.parts if not part.is_answered]
    steps = [
        f"Step {number}: “{escape_markdown(step.input)}” ({result.status.value})"
        for number, (step, result) in enumerate(_done(state), start=1)
        if result.status is not StepStatus.OK
    ]
    return questions + steps


def _write_source(citation: Citation) -> str:
    place = f", page {citation.page}" if citation.page and not citation.url else ""
    section = f", {escape_markdown(citation.section)}" if citation.section else ""
    url = f", {escape_markdown(citation.url)}" if citation.url else ""
    return f"- [{citation.number}] {escape_markdown(citation.title)}{place}{section}{url}"


def _write_origin(report: Report) -> str:
    results = report.state.step_results
    engines = dict.fromkeys(result.engine for result in results if result.engine and result.engine != DOCUMENTS)
    model = report.answer.model if report.answer else None
    author = f"Written by {escape_markdown(model)}, each sentence checked" if model else "Quoted, no model wrote"
    searched = escape_markdown(", ".join(engines)) if engines else "none"
    return f"{author}. Embedder: {escape_markdown(report.reading.retrieval.embedder)}. Search engines: {searched}."


def _detail(text: str, report: Report, citations: tuple[Citation, ...], claims: tuple[Claim, ...]) -> AnswerDetail:
    reading = report.reading
    answer = GroundedAnswer(
        text=text,
        grounded=bool(citations),
        citations=citations,
        guidance=report.guidance,
        model=report.answer.model if report.answer else None,
        embedder=reading.retrieval.embedder,
    )
    documents = {
        one.passage.document_id for one in reading.retrieval.passages if one.passage.kind is not DocumentKind.URL
    }
    return AnswerDetail(
        answer=answer,
        claims=claims,
        not_found=tuple(part.question.text for part in reading.parts if not part.is_answered),
        document_count=len(documents),
        passage_count=reading.retrieval.passage_count,
    )
