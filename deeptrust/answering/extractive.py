"""An answer made of quotes: the sentence that answers, then what belongs to it, nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deeptrust.answering.citations import CitationBook
from deeptrust.answering.evidence import Sentence
from deeptrust.answering.questions import OPEN_KINDS, Question, holds_code
from deeptrust.answering.ranking import Ranked, is_entry, is_headed, is_line_of_code, rank_sentences
from deeptrust.domain.answer import Citation, Claim, Verdict
from deeptrust.embedding.base import Vectors
from deeptrust.trust.markdown import escape_markdown
from deeptrust.trust.marks import write_marks

MAX_SENTENCES = 5
MAX_CHARACTERS = 900
_NEAR = 0.85
"""A further sentence must score this share of the first one's score (table in docs/answerability.md)."""
_SAME = 0.8
"""Share of common words above which two sentences say the same."""


@dataclass(frozen=True, slots=True)
class QuotedAnswer:
    """Markdown with marks, its citations by number, and a claim for each sentence."""

    text: str
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]


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
    leads: list[Ranked] = []
    others: list[Ranked] = []
    for part in parts:
        lead, *rest = rank_sentences(part.question, part.vector, part.sentences)
        leads.append(lead)
        others += _find_followers(part.question, lead, rest)
    chosen = _choose([*leads, *sorted(others, key=lambda candidate: -candidate.score)])
    return _write(_in_groups(chosen))


def _find_followers(question: Question, lead: Ranked, rest: Sequence[Ranked]) -> Iterator[Ranked]:
    """Sentences nearly as good as the first one that add to it.

    They speak of the same matter; where one fact is asked for, they must hold a word of the question that was not met
    yet. Fragments follow only a fragment: the rows of one table. The line of a code is followed by the next one, an
    entry of a list by those of the same code, and under a heading that says what is asked all belongs to the answer.
    """
    if is_entry(question, lead.sentence):
        yield from (one for one in rest if is_entry(question, one.sentence) and _is_of_one_passage(one, lead))
        return
    if is_line_of_code(question, lead.sentence):
        yield from _find_next(lead, rest)
        return
    if is_headed(question, lead.sentence):
        yield from (one for one in rest if is_headed(question, one.sentence) and _is_beside(one, lead))
        return
    met = lead.held
    for one in rest:
        if one.sentence.is_pointer or one.score < _NEAR * lead.score:
            return
        spoken_of = one.sentence.terms & question.terms
        adds = lead.matter in spoken_of and (spoken_of - met or question.kind in OPEN_KINDS)
        if adds and (lead.sentence.is_fragment or not one.sentence.is_fragment):
            met |= spoken_of
            yield one


def _find_next(lead: Ranked, rest: Sequence[Ranked]) -> Iterator[Ranked]:
    """The stretch right after `lead` on its page, which says what its code means, unless it is another code's."""
    place = _find_place(lead.sentence)
    after = [one for one in rest if place < _find_place(one.sentence) and place[:2] == _find_place(one.sentence)[:2]]
    following = min(after, key=lambda one: _find_place(one.sentence), default=None)
    if following and not holds_code(following.sentence.text):
        yield following


def _is_of_one_passage(one: Ranked, lead: Ranked) -> bool:
    return one.sentence.passage.id == lead.sentence.passage.id


def _is_beside(one: Ranked, lead: Ranked) -> bool:
    """Whether both stand in one section of one document."""
    first, second = one.sentence.passage, lead.sentence.passage
    return (first.document_id, first.section) == (second.document_id, second.section)


def _find_place(sentence: Sentence) -> tuple[str, int, int]:
    """Document, page, and where on it a sentence begins."""
    passage = sentence.passage
    return passage.document_id, passage.page, passage.start + sentence.start


def _choose(candidates: Sequence[Ranked]) -> list[Sentence]:
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
