"""Does what was found answer the question? The judge behind every refusal (K05: a score floor per embedder)."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from deeptrust.answering.calibration import WORDS_ONLY, Calibration
from deeptrust.answering.evidence import Sentence
from deeptrust.answering.questions import Question
from deeptrust.answering.ranking import heading_terms
from deeptrust.embedding.base import Vectors
from deeptrust.language.script import is_latin

_PRIOR_TERMS = 0.5
"""Jeffreys' prior (half a term seen of one) keeps the share of one or two terms from being 0 or 1."""


@dataclass(frozen=True, slots=True)
class Features:
    """What is measured of one passage against a question.

    `new_terms`: share of the question's terms that the title does not have and the passage does. That the
    passage speaks of the subject says little; that it speaks of what is asked about the subject says much.
    """

    best_cosine: float
    passage_cosine: float
    mean_cosine: float
    new_terms: float
    is_keywords: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """`probability` that the best passage answers, and the `floor` that it had to reach."""

    probability: float
    floor: float
    passage_id: str | None

    @property
    def is_answerable(self) -> bool:
        """Whether there is an answer to show."""
        return self.passage_id is not None and self.probability >= self.floor


def judge(
    question: Question,
    vector: Vectors,
    sentences: Sequence[Sentence],
    calibration: Calibration,
    passage_count: int,
) -> Judgement:
    """Judge the passages that `sentences` come from, each by itself, and return the best verdict.

    A passage is judged alone because a large library always holds the words of a question somewhere; for the
    same reason the floor grows with `passage_count`, the number of passages that were searched.
    """
    if not is_latin(question.text):
        calibration = WORDS_ONLY
    floor = calibration.find_floor(passage_count)
    best = Judgement(0.0, floor, passage_id=None)
    for passage_id, features in measure(question, vector, sentences).items():
        probability = _probability(features, calibration)
        if probability > best.probability:
            best = Judgement(probability, floor, passage_id)
    return best


def measure(question: Question, vector: Vectors, sentences: Sequence[Sentence]) -> dict[str, Features]:
    """Features of each passage, by passage id."""
    grouped: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        grouped.setdefault(sentence.passage.id, []).append(sentence)
    return {passage_id: _measure(question, vector, group) for passage_id, group in grouped.items()}


def _measure(question: Question, vector: Vectors, group: Sequence[Sentence]) -> Features:
    scored = group[0].scored
    cosines = [float(sentence.vector @ vector) for sentence in group]
    asked = question.terms - heading_terms(scored.passage)
    held = {term for sentence in group for term in sentence.terms}
    return Features(
        best_cosine=max(cosines),
        passage_cosine=scored.cosine,
        mean_cosine=sum(cosines) / len(cosines),
        new_terms=(len(asked & held) + _PRIOR_TERMS) / (len(asked) + 2 * _PRIOR_TERMS),
        is_keywords=float(question.is_keywords),
    )


def _probability(features: Features, calibration: Calibration) -> float:
    values = zip(calibration.weights, astuple(features), strict=True)
    return 1 / (1 + math.exp(-(calibration.bias + sum(weight * value for weight, value in values))))
