"""Does what was found answer the question? The judge behind every refusal (K05: a score floor per embedder)."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from deeptrust.answering.calibration import WORDS_ONLY, Calibration
from deeptrust.answering.evidence import Sentence
from deeptrust.answering.questions import Question
from deeptrust.answering.ranking import heading_terms, is_plain_answer
from deeptrust.embedding.base import Vectors
from deeptrust.language.script import is_latin

_SUBJECT_SHARE = 0.5
"""Of what a question and a sentence each share with the subject, so much is taken away before they are compared."""
_NAMED_SHARE = 0.5
"""A title whose matter (`Sentence.matter`) has this share of the question's terms names what is asked."""
_PRIOR_TERMS = 0.5
"""Jeffreys' prior (half a term seen of one) keeps the share of one or two terms from being 0 or 1."""


@dataclass(frozen=True, slots=True)
class Features:
    """What is measured of one passage against a question.

    That a passage speaks of the subject says little; that it speaks of what is asked about the subject says much.
    `beyond_subject` is the best cosine of a sentence once half of the subject is taken away, `new_terms` the share of
    the question's terms that title and heading do not have and the passage does. What a title says beside the subject
    ("Study plan" in "Study plan: Barista") is no subject: those terms are asked for, and the passage has them.
    """

    beyond_subject: float
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
    """Judge the passage of the closest sentence, of a document whose title names what is asked if there is one.

    One passage is judged, alone, because a large library always holds the words of a question somewhere; for the
    same reason the floor grows with `passage_count`, the number of passages that were searched. To take the best
    verdict of several passages gives every wrong one a chance (table in docs/answerability.md).

    Two things a reader sees without weighing. A code ("CFOL009") says little to an embedder: a line that holds it and
    all other words of the question answers, and passages without it do not. And what stands under a heading that says
    all that is asked is the answer.
    """
    floor = calibration.find_floor(passage_count)
    if question.code:
        sentences = [one for one in sentences if question.code.search(f"{one.passage.title}\n{one.passage.text}")]
    if plain := next((one for one in sentences if is_plain_answer(question, one)), None):
        return Judgement(1.0, floor, plain.passage.id)
    if not sentences:
        return Judgement(0.0, floor, passage_id=None)
    if not is_latin(question.text):
        return _judge_words(question, vector, sentences, WORDS_ONLY.find_floor(passage_count))
    passage_id, features = measure_closest(question, vector, _keep_named(question, sentences))
    return Judgement(_probability(features, calibration), floor, passage_id)


def _keep_named(question: Question, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences of documents whose title names at least half of what is asked; all of them where no title does.

    "Which ATS does this job use?" is answered in "ATS & assessment platform: Barista", though a list in "JD & gaps:
    Barista" may come closer.
    """
    named = {one.passage.document_id: len(question.terms & one.matter) for one in sentences}
    most = max(named.values())
    if most < max(1, _NAMED_SHARE * len(question.terms)):
        return sentences
    return [one for one in sentences if named[one.passage.document_id] == most]


def measure_closest(question: Question, vector: Vectors, sentences: Sequence[Sentence]) -> tuple[str, Features]:
    """Id and features of the passage that holds the sentence closest to the question; `sentences` is not empty."""
    closest = max(sentences, key=lambda sentence: float(sentence.vector @ vector)).passage.id
    return closest, _measure(question, vector, [one for one in sentences if one.passage.id == closest])


def _judge_words(question: Question, vector: Vectors, sentences: Sequence[Sentence], floor: float) -> Judgement:
    """The best verdict by words alone, for questions of which the embedder knows no closest sentence."""
    grouped: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        grouped.setdefault(sentence.passage.id, []).append(sentence)
    verdicts = {
        passage_id: _probability(_measure(question, vector, group), WORDS_ONLY) for passage_id, group in grouped.items()
    }
    best = max(verdicts, key=lambda passage_id: verdicts[passage_id])
    return Judgement(verdicts[best], floor, best)


def _measure(question: Question, vector: Vectors, group: Sequence[Sentence]) -> Features:
    scored = group[0].scored
    subject = group[0].subject_vector
    cosines = [float(sentence.vector @ vector) for sentence in group]
    asked_of_it = _take_away(subject, vector)
    matter = group[0].matter
    asked = question.terms - (heading_terms(scored.passage) - matter)
    held = matter.union(*(sentence.terms for sentence in group))
    return Features(
        beyond_subject=max(float(_take_away(subject, sentence.vector) @ asked_of_it) for sentence in group),
        passage_cosine=scored.cosine,
        mean_cosine=sum(cosines) / len(cosines),
        new_terms=(len(asked & held) + _PRIOR_TERMS) / (len(asked) + 2 * _PRIOR_TERMS),
        is_keywords=float(question.is_keywords),
    )


def _take_away(subject: Vectors, vector: Vectors) -> Vectors:
    """`vector` without `_SUBJECT_SHARE` of its part along `subject`, of norm 1."""
    rest = vector - _SUBJECT_SHARE * float(vector @ subject) * subject
    return (rest / np.linalg.norm(rest)).astype(np.float32)


def _probability(features: Features, calibration: Calibration) -> float:
    values = zip(calibration.weights, astuple(features), strict=True)
    return 1 / (1 + math.exp(-(calibration.bias + sum(weight * value for weight, value in values))))
