"""The sentences behind an answer: cut from retrieved passages, embedded at ask time, repeats dropped."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from deeptrust.answering.stretches import Stretch, find_stretches
from deeptrust.domain.document import Passage, Retrieval, ScoredPassage
from deeptrust.embedding.base import Embedder, Vectors
from deeptrust.language.senses import sense_terms

_COLON = ": "
"""Stands between the matter and the subject of a title."""
MAX_SENTENCES = 48
"""Sentences embedded for one question: about half a second of one core (docs/answerability.md)."""
JUDGED_PASSAGES = 4
"""The best passages, by which it is judged whether there is an answer (K05); their sentences are kept first."""


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A quotable stretch with its `terms` (by sense) and the `vector` of its meaning, see `stretches.Stretch`.

    `subject` is what its document is about, with its vector.
    """

    scored: ScoredPassage
    stretch: Stretch
    terms: frozenset[str]
    vector: Vectors
    subject: str
    subject_vector: Vectors

    @property
    def passage(self) -> Passage:
        """Where it stands."""
        return self.scored.passage

    @property
    def matter(self) -> frozenset[str]:
        """Terms of what the title says beside the subject: "Study plan" in "Study plan: Barista". Mostly none."""
        matter, _, subject = self.passage.title.partition(_COLON)
        return frozenset(sense_terms(matter)) if subject == self.subject else frozenset()

    @property
    def start(self) -> int:
        """Where it begins in the text of the passage."""
        return self.stretch.span.start

    @property
    def quote(self) -> str:
        """The exact substring of the stored passage."""
        return self.stretch.span.text

    @property
    def text(self) -> str:
        """The quote on one line, for the eye."""
        return self.stretch.text

    @property
    def is_fragment(self) -> bool:
        """Whether it is no whole sentence."""
        return self.stretch.is_fragment

    @property
    def is_pointer(self) -> bool:
        """Whether it is a heading or a question, which answers nothing by itself."""
        return self.stretch.is_pointer


@dataclass(frozen=True, slots=True)
class _Cut:
    scored: ScoredPassage
    stretch: Stretch


async def gather_sentences(retrieval: Retrieval, terms: frozenset[str], embedder: Embedder) -> list[Sentence]:
    """Cut and embed the sentences of the retrieved passages, in reading order within each passage.

    Of more than `MAX_SENTENCES` those of the judged passages are kept, then those that share most `terms` with the
    question, better passages first.

    Raises:
        ModelUnavailable: the embedder cannot be used.
    """
    cuts = _limit(_without_repeats(map(_cut, retrieval.passages)), retrieval.passages[:JUDGED_PASSAGES], terms)
    counts = embedder.count_tokens([cut.stretch.meaning for cut in cuts]) if cuts else []
    cuts = [cut for cut, count in zip(cuts, counts, strict=True) if count <= embedder.max_tokens]
    vectors = await embedder.embed([cut.stretch.meaning for cut in cuts]) if cuts else np.empty((0, 0), np.float32)
    subjects = _find_subjects(retrieval.passages)
    subject_vectors = {subject: await embedder.embed_question(subject) for subject in set(subjects.values())}
    return [
        Sentence(
            scored=cut.scored,
            stretch=cut.stretch,
            terms=frozenset(sense_terms(cut.stretch.meaning)),
            vector=vector,
            subject=subjects[cut.scored.passage.document_id],
            subject_vector=subject_vectors[subjects[cut.scored.passage.document_id]],
        )
        for cut, vector in zip(cuts, vectors, strict=True)
    ]


def _find_subjects(passages: Iterable[ScoredPassage]) -> dict[str, str]:
    """What each document is about, by its id: its title, or the one heading that all its passages stand under.

    The title of a file is often no more than its name; then its first heading says it. Of several documents on one
    subject ("Study plan: Barista", "JD & gaps: Barista") only what their titles share is the subject: what stands
    before the colon may be the very thing that is asked.
    """
    titles: dict[str, str] = {}
    sections: dict[str, set[str | None]] = {}
    for passage in (scored.passage for scored in passages):
        titles[passage.document_id] = passage.title
        sections.setdefault(passage.document_id, set()).add(passage.section)
    ends = {document: title.partition(_COLON)[2] for document, title in titles.items()}
    count = Counter(filter(None, ends.values()))
    shared = {document: end for document, end in ends.items() if count[end] > 1}
    only = {document: next(iter(found)) for document, found in sections.items() if len(found) == 1}
    return {document: shared.get(document) or only.get(document) or title for document, title in titles.items()}


def _cut(scored: ScoredPassage) -> list[_Cut]:
    return [_Cut(scored, stretch) for stretch in find_stretches(scored.passage)]


def _without_repeats(passages: Iterable[list[_Cut]]) -> list[_Cut]:
    """Passages overlap: keep one of equal sentences, and no piece of what stands whole in the passage beside it."""
    cuts = [cut for passage in passages for cut in passage]
    kept: list[_Cut] = []
    seen: set[str] = set()
    for cut in cuts:
        folded = cut.stretch.text.casefold()
        if folded not in seen and not any(_is_piece_of(cut, other) for other in cuts):
            seen.add(folded)
            kept.append(cut)
    return kept


def _is_piece_of(cut: _Cut, other: _Cut) -> bool:
    """Whether another stretch of the same page holds this one and more."""
    one, whole = cut.scored.passage, other.scored.passage
    start, whole_start = one.start + cut.stretch.span.start, whole.start + other.stretch.span.start
    end, whole_end = one.start + cut.stretch.span.end, whole.start + other.stretch.span.end
    return (
        (one.document_id, one.page) == (whole.document_id, whole.page)
        and whole_start <= start
        and end <= whole_end
        and end - start < whole_end - whole_start
    )


def _limit(cuts: list[_Cut], judged: Sequence[ScoredPassage], terms: frozenset[str]) -> list[_Cut]:
    if len(cuts) <= MAX_SENTENCES:
        return cuts
    first = {scored.passage.id for scored in judged}
    shared = [len(terms & _terms_with_heading(cut)) for cut in cuts]
    order = sorted(range(len(cuts)), key=lambda at: (cuts[at].scored.passage.id not in first, -shared[at], at))
    return [cuts[at] for at in sorted(order[:MAX_SENTENCES])]


def _terms_with_heading(cut: _Cut) -> set[str]:
    return set(sense_terms(f"{cut.scored.passage.section or ''} {cut.stretch.meaning}"))
