import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from deeptrust.domain.document import DocumentKind, Page
from deeptrust.embedding.hashing import HashingEmbedder
from deeptrust.knowledge.breaks import is_character_break
from deeptrust.knowledge.chunking import KNOWLEDGE, PACK, Chunk, ChunkProfile, split_pages

embedder = HashingEmbedder()
SMALL = ChunkProfile(characters=40, overlap=8)


def split(text: str, profile: ChunkProfile = KNOWLEDGE, kind: DocumentKind = DocumentKind.TEXT) -> list[Chunk]:
    pages = [Page(number=1, text=text)]
    return list(split_pages(pages, kind, profile=profile, max_tokens=256, count_tokens=embedder.count_tokens))


words = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "M", "S")), min_size=1, max_size=60)
spaces = st.sampled_from([" ", "  ", "\n", "\n\n", ". ", "\t", ".\n\n"])
prose = st.lists(st.tuples(words, spaces), max_size=60).map(lambda pairs: "".join(a + b for a, b in pairs))


@given(prose, st.sampled_from([SMALL, KNOWLEDGE, PACK]), st.sampled_from([DocumentKind.TEXT, DocumentKind.MARKDOWN]))
@settings(max_examples=150)
def test_chunks_progress_cover_the_text_and_keep_exact_offsets(text: str, profile: ChunkProfile, kind: DocumentKind):
    chunks = split(text, profile, kind)
    covered: set[int] = set()
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end] == chunk.text.strip() != ""
        assert len(chunk.text) <= profile.characters
        covered.update(range(chunk.start, chunk.end))
    assert all(index in covered or character.isspace() for index, character in enumerate(text))
    starts = [chunk.start for chunk in chunks]
    ends = [chunk.end for chunk in chunks]
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))


@given(st.lists(st.text("abcdefghijklmnop", min_size=1, max_size=30), min_size=1, max_size=200), st.integers(0, 9))
@settings(max_examples=100)
def test_chunks_never_start_or_end_inside_a_word(parts: list[str], seed: int):
    text = "".join(part + (" " if (index + seed) % 7 else ".\n") for index, part in enumerate(parts))
    for chunk in split(text, SMALL):
        assert chunk.start == 0 or text[chunk.start - 1].isspace()
        assert chunk.end == len(text) or text[chunk.end].isspace() or text[chunk.end - 1].isspace()


@given(prose, st.integers(1, 12))
@settings(max_examples=60)
def test_no_passage_is_over_the_embedders_limit(text: str, max_tokens: int):
    pages = [Page(number=1, text=text)]
    chunks = split_pages(
        pages, DocumentKind.TEXT, profile=KNOWLEDGE, max_tokens=max_tokens, count_tokens=embedder.count_tokens
    )
    assert all(count <= max_tokens for count in embedder.count_tokens([chunk.text for chunk in chunks]))


def test_a_word_longer_than_a_passage_is_cut_between_whole_characters():
    text = "e\u0301" * 600 + "👩\u200d👩\u200d👧" * 300 + "🇩🇪🇫🇷" * 200
    chunks = split(text)
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(is_character_break(text, chunk.end) for chunk in chunks[:-1])


def test_chinese_without_spaces_is_cut_between_characters_and_never_before_a_full_stop():
    text = "黑豹队的防守只丢了三百零八分，在联赛中排名第六。" * 60
    chunks = split(text)
    assert len(chunks) > 2
    assert all(chunk.text.endswith("。") for chunk in chunks)
    assert not any(chunk.text.startswith(("，", "。")) for chunk in chunks)


def test_paragraph_and_sentence_ends_are_preferred():
    sentence = "The committee met in Geneva and agreed on a plan for the year. "
    text = sentence * 5 + "\n\n" + sentence * 12
    chunks = split(text)
    assert chunks[0].text == (sentence * 5).strip()
    assert all(chunk.text.endswith(".") for chunk in chunks)


def test_neighbours_overlap_by_about_the_profile():
    text = " ".join(f"word{index}" for index in range(2000))
    for profile in (KNOWLEDGE, PACK):
        chunks = split(text, profile)
        overlaps = [a.end - b.start for a, b in pairwise(chunks)]
        assert all(profile.overlap - 20 <= overlap <= profile.overlap for overlap in overlaps)


def test_markdown_passages_carry_the_heading_above_them():
    text = (
        "Intro.\n\n# Guide\n\n## Install ##\n\nRun make.\n\n```sh\n# not a heading\n```\n\n## Use\n\nOpen the page.\n"
    )
    chunks = split(text, kind=DocumentKind.MARKDOWN)
    assert [chunk.section for chunk in chunks] == [None, "Install", "Use"]
    assert chunks[1].text.startswith("# Guide\n\n## Install")
    assert "# not a heading" in chunks[1].text


def test_a_long_book_costs_linear_time_per_passage():
    text = "A sentence of this book says little. " * 28000  # 1 MB
    chunks = split(text)
    assert len(chunks) > 2000
    assert re.sub(r"\s", "", text).startswith(re.sub(r"\s", "", chunks[0].text))
