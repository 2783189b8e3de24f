"""An answer made of quotes: the sentence that answers, then what belongs to it, nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from deeptrust.answering.citations import CitationBook
from deeptrust.answering.evidence import Sentence
from deeptrust.answering.questions import Question, has_kind
from deeptrust.answering.relevance import is_latin
from deeptrust.domain.answer import Citation, Claim, Verdict
from deeptrust.embedding.base import Vectors
from deeptrust.trust.markdown import escape_markdown
from deeptrust.trust.marks import write_marks

MAX_SENTENCES = 5
MAX_CHARACTERS = 900
_WORDS_WEIGHT = 0.25
_KIND_BONUS = 0.1
_FRAGMENT_PENALTY = 0.15
_NEAR = 0.8
"""A further sentence must score this share of the first one's score; lower is off the question."""
_SAME = 0.8
"""Share of common words above which two sentences say the same."""


@dataclass(frozen=True, slots=True)
class QuotedAnswer:
    """Markdown with marks, its citations by number, and a claim for each sentence."""

    text: str
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Ranked:
    sentence: Sentence
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A question that has an answer among `sentences` (not empty), with its vector."""

    question: Question
    vector: Vectors
    sentences: Sequence[Sentence]


def quote_answer(parts: Sequence[Part]) -> QuotedAnswer:
    """Answer the parts of a question, each by its best sentences.

    The first sentence answers the first part; what follows is grouped by the place that it stands in.
    """
    leads: list[_Ranked] = []
    others: list[_Ranked] = []
    for part in parts:
        lead, *rest = rank_sentences(part.question, part.vector, part.sentences)
        leads.append(lead)
        others += [one for one in rest if one.score >= _NEAR * lead.score and _may_follow(one, lead)]
    chosen = _choose([*leads, *sorted(others, key=lambda candidate: -candidate.score)])
    return _write(_in_groups(chosen))


def _may_follow(candidate: _Ranked, lead: _Ranked) -> bool:
    """Fragments follow only a fragment: the rows of one table."""
    return lead.sentence.is_fragment or not candidate.sentence.is_fragment


def rank_sentences(question: Question, vector: Vectors, sentences: Sequence[Sentence]) -> list[_Ranked]:
    """Sentences by how well each answers by itself, best first."""
    weight = 0.0 if not is_latin(question.text) else 1.0
    ranked = [
        _Ranked(
            sentence,
            weight * float(sentence.vector @ vector)
            + _WORDS_WEIGHT * len(question.terms & sentence.terms) / max(1, len(question.terms))
            + _KIND_BONUS * has_kind(question.kind, sentence.text)
            - _FRAGMENT_PENALTY * sentence.is_fragment,
        )
        for sentence in sentences
    ]
    return sorted(ranked, key=lambda candidate: -candidate.score)


def _choose(candidates: Sequence[_Ranked]) -> list[Sentence]:
    chosen: list[Sentence] = []
    for sentence in (candidate.sentence for candidate in candidates):
        length = sum(len(one.text) for one in chosen) + len(sentence.text)
        if chosen and (len(chosen) >= MAX_SENTENCES or length > MAX_CHARACTERS):
            continue
        if not any(_says_the_same(sentence, one) for one in chosen):
            chosen.append(sentence)
    return chosen


def _says_the_same(one: Sentence, other: Sentence) -> bool:
    union = one.terms | other.terms
    return one is other or (bool(union) and len(one.terms & other.terms) / len(union) >= _SAME)


def _in_groups(chosen: Sequence[Sentence]) -> list[list[Sentence]]:
    """The first sentence opens its group; the rest of a group follows in reading order, groups by rank."""
    groups: dict[tuple[str, int, str | None], list[Sentence]] = {}
    for sentence in chosen:
        passage = sentence.passage
        groups.setdefault((passage.document_id, passage.page, passage.section), []).append(sentence)
    return [[group[0], *sorted(group[1:], key=lambda one: one.passage.start + one.start)] for group in groups.values()]


def _write(groups: Sequence[Sequence[Sentence]]) -> QuotedAnswer:
    book = CitationBook()
    paragraphs: list[str] = []
    claims: list[Claim] = []
    for group in groups:
        shown: list[str] = []
        for sentence in group:
            number = book.cite(sentence.scored, sentence.quote)
            shown.append(write_marks(escape_markdown(sentence.text), (number,)))
            claims.append(
                Claim(
                    text=sentence.text,
                    verdict=Verdict.SUPPORTED,
                    passage_ids=(sentence.passage.id,),
                    reason="quoted to the letter",
                )
            )
        paragraphs.append(" ".join(shown))
    return QuotedAnswer("\n\n".join(paragraphs), book.citations, tuple(claims))
