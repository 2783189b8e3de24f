"""The only way from model text to shown text (K08, RET-15): a sentence stays if a passage that it cites supports it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deeptrust.domain.answer import Claim, Verdict
from deeptrust.domain.document import Passage
from deeptrust.language.sentences import split_sentences
from deeptrust.language.words import fold
from deeptrust.trust.entailment import Support, find_support
from deeptrust.trust.markdown import neutralise_markdown
from deeptrust.trust.marks import Marked, read_marks, write_marks

_BLOCK_MARK = re.compile(r"\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,3}[.)]\s+|>\s+)")
_MARK_BEHIND_STOP = re.compile(r"([.!?…]['\"”’»)]*)((?:\s*[\[【［][^\[\]【】［］\n]{1,20}[\]】］])+)")
_HEADING = re.compile(r"\s*(?:#{1,6}\s+(?P<hashes>\S.*)|\*\*(?P<stars>[^*]+)\*\*:?\s*$)")
_EMPTY_HEADINGS = frozenset(
    "answer, short answer, summary, overview, background, details, key points, findings, result, results, sources, "
    "conclusion, introduction, notes".split(", ")
)
"""Headings that state nothing. Any other one must be the title or section of a source."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the draft after checking: what is shown of it (perhaps nothing) and whether it is a mere heading."""

    shown: str
    is_heading: bool


def keep_supported(draft: str, passages: Sequence[Passage]) -> tuple[str, tuple[Claim, ...]]:
    """Return the part of a model's `draft` that stands on `passages`, and a claim for every sentence of the draft.

    `[n]` in the draft names `passages[n - 1]`. A sentence is shown only if a passage that it cites supports it
    (`trust.entailment`); the marks of passages that do not are taken off. In the text returned, the k-th mark
    belongs to the k-th passage id of the supported claims, read in order. A heading stays only above a
    sentence that stays. HTML, links and images of the draft are never shown.
    """
    claims: list[Claim] = []
    lines = [_check_line(line, passages, claims) for line in neutralise_markdown(draft).splitlines()]
    return "\n".join(_without_empty_sections(lines)).strip(), tuple(claims)


def _check_line(line: str, passages: Sequence[Passage], claims: list[Claim]) -> _Line:
    if _is_heading(line, passages):
        return _Line(read_marks(line, 0).text, is_heading=True)
    opening = match.group() if (match := _BLOCK_MARK.match(line)) else ""
    kept: list[str] = []
    for sentence in _sentences(line[len(opening) :]):
        claim, shown = _check(sentence, passages)
        if claim:
            claims.append(claim)
        if shown:
            kept.append(shown)
    return _Line(opening.replace(">", "").lstrip("\n") + " ".join(kept) if kept else "", is_heading=False)


def _is_heading(line: str, passages: Sequence[Passage]) -> bool:
    """Whether a line is a heading that orders the text and states nothing of its own."""
    if not (match := _HEADING.match(line)):
        return False
    words = fold(match["hashes"] or match["stars"]).strip(" :#*")
    titles = {fold(name) for passage in passages for name in (passage.title, passage.section) if name}
    return words in _EMPTY_HEADINGS or words in titles


def _sentences(line: str) -> Iterator[str]:
    """Sentences of a line, marks behind the full stop ("It is so. [1]") counted to the sentence before them."""
    joined = _MARK_BEHIND_STOP.sub(lambda match: f"{match[2]}{match[1]}", line)
    for span in split_sentences(joined):
        yield span.text


def _check(sentence: str, passages: Sequence[Passage]) -> tuple[Claim | None, str]:
    marked = read_marks(sentence, len(passages))
    if not any(character.isalnum() for character in marked.text):
        return None, ""
    found = {number: _support(marked.text, passages[number - 1]) for number in marked.numbers}
    supporting = tuple(number for number, support in found.items() if support.is_supported)
    claim = Claim(
        text=marked.text,
        verdict=Verdict.SUPPORTED if supporting else Verdict.UNSUPPORTED,
        passage_ids=tuple(passages[number - 1].id for number in supporting),
        reason=_explain(marked, found, supporting),
    )
    return claim, write_marks(marked.text, supporting) if supporting else ""


def _support(sentence: str, passage: Passage) -> Support:
    return find_support(sentence, passage.text, f"{passage.title}\n{passage.section or ''}")


def _explain(marked: Marked, found: dict[int, Support], supporting: tuple[int, ...]) -> str:
    dead = f"{marked.dead_marks} citation mark(s) named no source" if marked.dead_marks else ""
    if supporting:
        return dead
    if not found:
        return "; ".join(filter(None, ("it cites no source", dead)))
    return "; ".join(filter(None, (next(iter(found.values())).reason, dead)))


def _without_empty_sections(lines: Sequence[_Line]) -> Iterator[str]:
    """Lines in order, without headings that have nothing below them and without runs of blank lines."""
    waiting: list[str] = []
    for line in lines:
        if line.is_heading:
            waiting.append(line.shown)
        elif line.shown:
            yield from (part for heading in waiting for part in (heading, ""))
            waiting.clear()
            yield line.shown
        elif not waiting:
            waiting.append("")
