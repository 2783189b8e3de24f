"""The sentences behind an answer: cut from retrieved passages, embedded at ask time, repeats dropped."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from deeptrust.domain.document import Passage, Retrieval, ScoredPassage
from deeptrust.embedding.base import Embedder, Vectors
from deeptrust.language.sentences import Span, split_sentences
from deeptrust.language.words import content_terms

MAX_SENTENCES = 48
"""Sentences embedded for one question: about half a second of one core (docs/answerability.md)."""

_LONGEST_PROSE = 320
"""A longer stretch over several lines without an end mark is a table or a form, not a sentence."""
_LINES_TOGETHER = 3
_HEADING = re.compile(r"\s*#{1,6}\s")
_HYPHEN_AT_LINE_END = re.compile(r"(?<=[a-zà-ÿ])[-\u00ad]\s*\n\s*(?=[a-zà-ÿ])")
_TERMINAL = re.compile(r"[.!?…。！？:;][\"'”’»)\]]*\s*$")


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A quotable stretch: `quote == passage.text[start:end]`; `text` is the same on one line, for the eye."""

    scored: ScoredPassage
    start: int
    end: int
    text: str
    terms: frozenset[str]
    is_cut: bool
    vector: Vectors

    @property
    def passage(self) -> Passage:
        """Where it stands."""
        return self.scored.passage

    @property
    def quote(self) -> str:
        """The exact substring of the stored passage."""
        return self.passage.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class _Cut:
    scored: ScoredPassage
    span: Span
    text: str
    is_cut: bool


def join_lines(text: str) -> str:
    """Return `text` on one line, words that a line end had hyphenated made whole."""
    return " ".join(_HYPHEN_AT_LINE_END.sub("", text).split())


async def gather_sentences(retrieval: Retrieval, terms: frozenset[str], embedder: Embedder) -> list[Sentence]:
    """Cut and embed the sentences of the retrieved passages, in reading order within each passage.

    Of more than `MAX_SENTENCES` those are kept that share most `terms` with the question, better passages first.

    Raises:
        ModelUnavailable: the embedder cannot be used.
    """
    cuts = _limit(_without_repeats(_cut(scored) for scored in retrieval.passages), terms)
    counts = embedder.count_tokens([cut.text for cut in cuts]) if cuts else []
    cuts = [cut for cut, count in zip(cuts, counts, strict=True) if count <= embedder.max_tokens]
    vectors = await embedder.embed([cut.text for cut in cuts]) if cuts else np.empty((0, 0), np.float32)
    return [
        Sentence(
            scored=cut.scored,
            start=cut.span.start,
            end=cut.span.end,
            text=cut.text,
            terms=frozenset(content_terms(cut.text)),
            is_cut=cut.is_cut,
            vector=vector,
        )
        for cut, vector in zip(cuts, vectors, strict=True)
    ]


def _cut(scored: ScoredPassage) -> list[_Cut]:
    text = scored.passage.text
    spans = [piece for span in split_sentences(text) for piece in _by_lines(span)]
    spans = [span for span in spans if not _HEADING.match(span.text) and any(c.isalnum() for c in span.text)]
    return [_Cut(scored, span, join_lines(span.text), _is_cut(scored.passage, span)) for span in spans]


def _by_lines(span: Span) -> list[Span]:
    """A sentence as it is; a table or form in groups of a few lines, each beginning at a line."""
    lines = list(re.finditer(r"[^\n]+", span.text))
    if len(span.text) <= _LONGEST_PROSE or len(lines) < _LINES_TOGETHER:
        return [span]
    groups = [lines[at : at + _LINES_TOGETHER] for at in range(0, len(lines), _LINES_TOGETHER)]
    pieces: list[Span] = []
    for group in groups:
        raw = span.text[group[0].start() : group[-1].end()]
        start = span.start + group[0].start() + len(raw) - len(raw.lstrip())
        if text := raw.strip():
            pieces.append(Span(start, start + len(text), text))
    return pieces


def _is_cut(passage: Passage, span: Span) -> bool:
    """Whether the edge of the passage, not the writer, begins or ends this sentence."""
    at_head = passage.start > 0 and span.start == 0 and span.text[0].islower()
    at_tail = span.end == len(passage.text) and not _TERMINAL.search(span.text)
    return at_head or at_tail


def _without_repeats(passages: Iterable[list[_Cut]]) -> list[_Cut]:
    """Passages overlap: keep one of equal sentences, and nothing that a whole sentence already contains."""
    kept: list[_Cut] = []
    cuts = [cut for passage in passages for cut in passage]
    whole = [cut.text.casefold() for cut in cuts if not cut.is_cut]
    seen: set[str] = set()
    for cut in cuts:
        folded = cut.text.casefold()
        if folded in seen or (cut.is_cut and any(folded in text for text in whole)):
            continue
        seen.add(folded)
        kept.append(cut)
    return kept


def _limit(cuts: list[_Cut], terms: frozenset[str]) -> list[_Cut]:
    if len(cuts) <= MAX_SENTENCES:
        return cuts
    order = sorted(range(len(cuts)), key=lambda at: (-len(terms & set(content_terms(cuts[at].text))), at))
    return [cuts[at] for at in sorted(order[:MAX_SENTENCES])]
