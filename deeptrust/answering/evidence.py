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

_FULL_LINE = 0.7
"""Share of the widest line below which a line of a PDF was ended by its writer, not by the margin."""
_GOES_ON = re.compile(
    r"(?:[,;(\-–—&]|\b(?:a|an|the|of|and|or|in|to|for|by|with|on|at|from|as|is|are|was|were))\s*$", re.I
)
_HEADING = re.compile(r"\s*#{1,6}\s")
_HYPHEN_AT_LINE_END = re.compile(r"(?<=[a-zà-ÿ])[-\u00ad]\s*\n\s*(?=[a-zà-ÿ])")
_TERMINAL = re.compile(r"[.!?…。！？][\"'”’»)\]]*\s*$")


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A quotable stretch: `quote == passage.text[start:end]`; `text` is the same on one line, for the eye."""

    scored: ScoredPassage
    start: int
    end: int
    text: str
    terms: frozenset[str]
    is_fragment: bool
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
    is_fragment: bool


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
            is_fragment=cut.is_fragment,
            vector=vector,
        )
        for cut, vector in zip(cuts, vectors, strict=True)
    ]


def _cut(scored: ScoredPassage) -> list[_Cut]:
    text = scored.passage.text
    widest = max(map(len, text.splitlines()), default=0)
    spans = [piece for span in split_sentences(text) for piece in _by_paragraphs(span, widest)]
    spans = [span for span in spans if not _HEADING.match(span.text) and any(c.isalnum() for c in span.text)]
    return [_Cut(scored, span, join_lines(span.text), _is_fragment(scored.passage, span)) for span in spans]


def _by_paragraphs(span: Span, widest: int) -> list[Span]:
    """Cut where a line ends early and the next one begins anew: a heading, a row of a table, a form's field.

    Prose fills its lines, so a line much shorter than the `widest` of the passage was ended by its writer.
    """
    pieces: list[Span] = []
    start = 0
    for line in re.finditer(r"[^\n]*\n\s*(?=\S)", span.text):
        following = span.text[line.end() : line.end() + 1]
        is_early = len(line.group().rstrip()) < _FULL_LINE * widest and not following.islower()
        if is_early and not _GOES_ON.search(line.group()):
            pieces.append(_strip(span, start, line.end()))
            start = line.end()
    return [*pieces, _strip(span, start, len(span.text))]


def _strip(span: Span, start: int, end: int) -> Span:
    raw = span.text[start:end]
    begin = span.start + start + len(raw) - len(raw.lstrip())
    return Span(begin, begin + len(raw.strip()), raw.strip())


def _is_fragment(passage: Passage, span: Span) -> bool:
    """Whether this is no whole sentence: begun before the passage, ended after it, or a line without an end mark."""
    return (passage.start > 0 and span.start == 0 and span.text[0].islower()) or not _TERMINAL.search(span.text)


def _without_repeats(passages: Iterable[list[_Cut]]) -> list[_Cut]:
    """Passages overlap: keep one of equal sentences, and nothing that a whole sentence already contains."""
    kept: list[_Cut] = []
    cuts = [cut for passage in passages for cut in passage]
    whole = [cut.text.casefold() for cut in cuts if not cut.is_fragment]
    seen: set[str] = set()
    for cut in cuts:
        folded = cut.text.casefold()
        if folded in seen or (cut.is_fragment and any(folded in text for text in whole)):
            continue
        seen.add(folded)
        kept.append(cut)
    return kept


def _limit(cuts: list[_Cut], terms: frozenset[str]) -> list[_Cut]:
    if len(cuts) <= MAX_SENTENCES:
        return cuts
    order = sorted(range(len(cuts)), key=lambda at: (-len(terms & set(content_terms(cuts[at].text))), at))
    return [cuts[at] for at in sorted(order[:MAX_SENTENCES])]
