"""The one chunker (K04): pages to passages that the embedder reads whole."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from deeptrust.domain.document import DocumentKind, Page
from deeptrust.errors import BadDocument
from deeptrust.knowledge.breaks import find_end, find_overlap

CountTokens = Callable[[Sequence[str]], list[int]]

# A fence swallows what it holds, so that a `#` in code is no heading.
_FENCE_OR_HEADING = re.compile(
    r"^ {0,3}(?:(```|~~~).*?(?:^ {0,3}\1[^\n]*$|\Z)|\#{1,6}[ \t]+([^\n]+)$)", re.MULTILINE | re.DOTALL
)
_COUNTED_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class ChunkProfile:
    """Longest passage, and how much of it the next one repeats, in characters."""

    characters: int
    overlap: int


KNOWLEDGE = ChunkProfile(characters=500, overlap=80)
PACK = ChunkProfile(characters=900, overlap=150)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage to be: `text == page.text[start:end]`, without whitespace at its ends, never empty."""

    page: int
    start: int
    end: int
    section: str | None
    text: str


def split_pages(
    pages: Sequence[Page],
    kind: DocumentKind,
    *,
    profile: ChunkProfile,
    max_tokens: int,
    count_tokens: CountTokens,
) -> Iterator[Chunk]:
    """Yield the passages of a document in reading order; together they hold every character but whitespace.

    Only Markdown has sections: a passage never goes across a heading, and carries the nearest one above it.

    Raises:
        BadDocument: one single character is more than the embedder reads.
    """
    waiting: list[Chunk] = []
    for chunk in _split_by_characters(pages, kind, profile):
        waiting.append(chunk)
        if len(waiting) == _COUNTED_AT_ONCE:
            yield from _clamp(waiting, pages, profile, max_tokens, count_tokens)
            waiting = []
    yield from _clamp(waiting, pages, profile, max_tokens, count_tokens)


def _split_by_characters(pages: Sequence[Page], kind: DocumentKind, profile: ChunkProfile) -> Iterator[Chunk]:
    for page in pages:
        sections = _find_sections(page.text) if kind is DocumentKind.MARKDOWN else [(0, len(page.text), None)]
        for start, end, section in sections:
            yield from _split(page, start, end, section, profile)


def _split(page: Page, start: int, stop: int, section: str | None, profile: ChunkProfile) -> Iterator[Chunk]:
    text = page.text
    stop = start + len(text[start:stop].rstrip())
    previous_end = start
    while (start := _skip_space(text, start, stop)) < stop:
        limit = start + profile.characters
        end = stop if limit >= stop else find_end(text, start, limit)
        if end <= previous_end:  # the repeated words stand before one that is too long: begin with that one
            start = previous_end
            continue
        kept = text[start:end].rstrip()
        yield Chunk(page.number, start, start + len(kept), section, kept)
        if end == stop:
            return
        previous_end = end
        start = find_overlap(text, max(start + 1, end - profile.overlap), end)


def _clamp(
    chunks: list[Chunk],
    pages: Sequence[Page],
    profile: ChunkProfile,
    max_tokens: int,
    count_tokens: CountTokens,
) -> Iterator[Chunk]:
    """Split what the embedder would cut into pieces of half the length, again and again, until all fit."""
    for chunk, tokens in zip(chunks, count_tokens([chunk.text for chunk in chunks]) if chunks else [], strict=True):
        if tokens <= max_tokens:
            yield chunk
            continue
        if len(chunk.text) == 1:
            raise BadDocument("The embedder cannot read a character of this document. Choose another embedder.")
        smaller = ChunkProfile(characters=(len(chunk.text) + 1) // 2, overlap=len(chunk.text) // 8)
        page = _page(pages, chunk.page)
        halves = list(_split(page, chunk.start, chunk.end, chunk.section, smaller))
        yield from _clamp(halves, pages, smaller, max_tokens, count_tokens)


def _page(pages: Sequence[Page], number: int) -> Page:
    return next(page for page in pages if page.number == number)


def _find_sections(text: str) -> list[tuple[int, int, str | None]]:
    """Stretches (start, end, heading) of a Markdown page; a heading with nothing below it joins the next."""
    headings = [match for match in _FENCE_OR_HEADING.finditer(text) if match[2]]
    ends = [*(heading.start() for heading in headings[1:]), len(text)][: len(headings)]
    sections: list[tuple[int, int, str | None]] = []
    start, name = 0, None
    if headings and text[: headings[0].start()].strip():
        sections.append((0, start := headings[0].start(), None))
    for heading, end in zip(headings, ends, strict=True):
        name = heading[2].strip(" \t#")
        if text[heading.end() : end].strip():
            sections.append((start, end, name))
            start = end
    if start < len(text):
        sections.append((start, len(text), name))
    return sections


def _skip_space(text: str, start: int, stop: int) -> int:
    while start < stop and text[start].isspace():
        start += 1
    return start
