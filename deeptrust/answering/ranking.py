"""Which sentence answers: nearness to the question, the rare words asked for, and the kind of thing wanted."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deeptrust.answering.evidence import Sentence
from deeptrust.answering.questions import OPEN_KINDS, USE_OF_CODES, Question, has_kind
from deeptrust.domain.document import Passage
from deeptrust.embedding.base import Vectors
from deeptrust.language.script import is_latin
from deeptrust.language.senses import sense_terms
from deeptrust.trust.entailment import denies

_WORDS_WEIGHT = 0.5
_NEIGHBOURS_WEIGHT = 0.2
_KIND_BONUS = 0.15
_FRAGMENT_PENALTY = 0.1
_DENIAL_PENALTY = 0.1
"""Beside the cosine, whose weight is 1; table in docs/answerability.md. What makes an exception weighs as a denial."""
_SILENCE = re.compile(r"\b(?:does|do|did) not (?:state|say|mention)\b", re.IGNORECASE)
"""What a text says of its own silence denies nothing of the matter, and answers whatever kind is asked for."""
_FEWEST_NAMED = 2
"""A label of one word, such as "Code", names no list."""
_EXCEPTION = re.compile(r"\b(?:exception|exempt)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A sentence with its score, the terms of the question that it and its heading hold, and the most telling one."""

    sentence: Sentence
    score: float
    held: frozenset[str]
    matter: str | None


def rank_sentences(question: Question, vector: Vectors, sentences: Sequence[Sentence]) -> list[Ranked]:
    """Sentences by how well each answers by itself, best first; headings and questions come last."""
    cosine_weight = 1.0 if is_latin(question.text) else 0.0
    cosines = [float(sentence.vector @ vector) for sentence in sentences]
    weights = weigh_terms(question, sentences)
    question_denies = _denies(question.text)
    headings = {sentence.passage.id: heading_terms(sentence.passage) for sentence in sentences}
    ranked: list[Ranked] = []
    for at, sentence in enumerate(sentences):
        held = question.terms & (sentence.terms | headings[sentence.passage.id])
        score = (
            cosine_weight * (cosines[at] + _NEIGHBOURS_WEIGHT * _mean_beside(at, cosines, sentences))
            + _WORDS_WEIGHT * sum(weights[term] for term in held)
            + _KIND_BONUS * (has_kind(question, sentence.text) or _SILENCE.search(sentence.text) is not None)
            - _FRAGMENT_PENALTY * sentence.is_fragment
            - _DENIAL_PENALTY * (_denies(sentence.text) is not question_denies)
            - _DENIAL_PENALTY * (_makes_exception(sentence.text) and not _makes_exception(question.text))
        )
        ranked.append(Ranked(sentence, score, held, max(held, key=lambda term: (weights[term], term), default=None)))
    return sorted(ranked, key=lambda one: (_find_class(question, one.sentence), -one.score))


def _find_class(question: Question, sentence: Sentence) -> int:
    """Lines of the code asked about come first, those that begin with it before the others; what points comes last.

    So does, in a list of codes that the question names, what another code than the one asked about means.
    """
    if is_entry(question, sentence):
        return 0
    if is_line_of_code(question, sentence):
        return 0 if question.code and question.code.match(sentence.text) else 1
    if _is_of_named_list(question, sentence):
        return 1 if sentence.stretch.key in question.keys else 4
    if sentence.is_pointer:
        return 4
    return 2 if is_headed(question, sentence) else 3


def _is_of_named_list(question: Question, sentence: Sentence) -> bool:
    """Whether a sentence is an entry of a list of codes whose label the question names, along with some key."""
    if not question.keys or not sentence.stretch.key:
        return False
    label = {term for term in sense_terms(sentence.stretch.meaning.removesuffix(sentence.text)) if not term.isdigit()}
    asked = question.terms - USE_OF_CODES - {key.lower() for key in question.keys}
    return len(label) >= _FEWEST_NAMED and (label <= question.terms or asked <= label)


def is_headed(question: Question, sentence: Sentence) -> bool:
    """Whether the heading right above says all that is asked beyond the title: "What is required?", "Requirements".

    Only of questions that ask for a matter to be explained: a heading promises no date and no name.
    """
    section = sentence.passage.section or ""
    if question.kind not in OPEN_KINDS or section == sentence.subject or sentence.is_pointer:
        return False
    if denies(section) is not denies(question.text):
        return False
    asked = question.terms - frozenset(sense_terms(f"{sentence.passage.title} {sentence.subject}"))
    return bool(asked) and asked <= frozenset(sense_terms(section))


def is_plain_answer(question: Question, sentence: Sentence) -> bool:
    """Whether the place of a sentence alone says that it answers: the line of the code asked about, or its heading."""
    return is_line_of_code(question, sentence) or is_entry(question, sentence) or is_headed(question, sentence)


def is_entry(question: Question, sentence: Sentence) -> bool:
    """Whether a sentence is the entry asked about in a list of codes that holds every other term of the question."""
    key = sentence.stretch.key
    return (
        key is not None
        and key in question.keys
        and question.terms - USE_OF_CODES <= sentence.terms | heading_terms(sentence.passage)
    )


def is_line_of_code(question: Question, sentence: Sentence) -> bool:
    """Whether a sentence holds the code that is asked about and every other term of the question."""
    return (
        question.code is not None
        and question.code.search(sentence.text) is not None
        and question.beside_code <= sentence.terms | heading_terms(sentence.passage)
    )


def _denies(text: str) -> bool:
    return denies(_SILENCE.sub("", text))


def _makes_exception(text: str) -> bool:
    return _EXCEPTION.search(text) is not None


def _mean_beside(at: int, cosines: Sequence[float], sentences: Sequence[Sentence]) -> float:
    """Mean cosine of the sentences right before and after in the same passage, its own where it stands alone."""
    passage_id = sentences[at].passage.id
    places = [near for near in (at - 1, at + 1) if 0 <= near < len(sentences)]
    beside = [cosines[near] for near in places if sentences[near].passage.id == passage_id]
    return sum(beside) / len(beside) if beside else cosines[at]


def weigh_terms(question: Question, sentences: Sequence[Sentence]) -> Mapping[str, float]:
    """How much each term tells among `sentences`; the weights of those that stand anywhere add up to 1.

    A word that nearly every sentence holds says nothing about which of them answers: inverse frequency as in BM25
    (`knowledge.retrieval`), over the sentences found. The words of a long name share the weight of one word, and the
    label of a list of codes counts once, however many entries it stands above.
    """
    count = len(sentences)
    frequency = Counter(term for sentence in sentences for term in _own_terms(sentence))
    weights = {
        term: math.log(1 + (count - frequency[term] + 0.5) / (frequency[term] + 0.5))
        / max((len(name) for name in question.names if term in name), default=1)
        for term in question.terms
    }
    passages = {sentence.passage.id: sentence.passage for sentence in sentences}
    headings = {term for passage in passages.values() for term in heading_terms(passage)}
    total = sum(weight for term, weight in weights.items() if frequency[term] or term in headings)
    return {term: weight / total if total else 0.0 for term, weight in weights.items()}


def _own_terms(sentence: Sentence) -> frozenset[str]:
    return frozenset(sense_terms(sentence.text)) if sentence.stretch.key else sentence.terms


def heading_terms(passage: Passage) -> frozenset[str]:
    """Terms of the title and the section, which the sentences below them need not repeat."""
    return frozenset(sense_terms(f"{passage.title} {passage.section or ''}"))
