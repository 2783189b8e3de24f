"""What the job is about, in the posting's own words."""

from deeptrust.domain.study import Stated
from deeptrust.study.blocks import NAMED_LINE, Block, BlockKind
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section

_MOST_CHARACTERS = 700
_FEWEST_WORDS = 12


def read_description(posting: Posting) -> Stated[str] | None:
    """The first paragraph of the summary, else of the duties, else of the posting; whole sentences of it."""
    paragraphs = [block for block in posting.blocks if _is_paragraph(block)]
    for sections in ({Section.SUMMARY}, {Section.DUTIES}, {Section.OTHER, Section.COMPANY}):
        for block in paragraphs:
            if block.section in sections:
                return _first_sentences(posting, block)
    return None


def _is_paragraph(block: Block) -> bool:
    is_prose = block.kind is BlockKind.PROSE and not NAMED_LINE.match(block.text)
    return is_prose and len(block.text.split()) >= _FEWEST_WORDS


def _first_sentences(posting: Posting, block: Block) -> Stated[str]:
    end = block.end
    for owner, sentence in posting.sentences:
        if owner == block and sentence.end - block.start > _MOST_CHARACTERS and sentence.start > block.start:
            end = min(end, sentence.start)
    text = posting.text[block.start : end].rstrip()
    return Stated(value=" ".join(text.split()), quote=text, start=block.start, end=block.start + len(text))
