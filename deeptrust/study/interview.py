"""The stages of the interview process, in their order."""

import re
from collections.abc import Iterator, Sequence

from deeptrust.domain.study import Stated
from deeptrust.study.blocks import BlockKind
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section

_LISTED = re.compile(
    r"\b(?:interview|hiring|selection|recruit(?:ment|ing)|application) process\b(?: for this \w+| at [A-Z]\w+)?\s*"
    r"(?:consists? of|includes?|involves|comprises|has \w+ (?:stages|steps|rounds):?|is(?: as follows)?:|:|looks "
    r"like this:?)\s*"
    r"(?P<stages>.+)"
    r"|\b(?:bewerbungsprozess|auswahlverfahren|auswahlprozess|bewerbungsablauf)\b[^.:]{0,40}?(?:umfasst|besteht aus|"
    r":)\s*(?P<german>.+)"
    r"|\bprocess\s*:\s*(?P<short>.+)",
    re.I | re.S,
)
_ORDERED = re.compile(r"\s*(?:→|->|=>|⇒|»|>)\s*")
_ENUMERATED = re.compile(
    r"\s*[,;]\s*(?:and |then |followed by |und |dann |anschließend )?|\s+(?:and finally|and then|and|then|followed "
    r"by|und|sowie|danach)\s+",
    re.I,
)
_LABEL = re.compile(r"interviews?|(?:interview|hiring|selection) (?:process|steps|stages)|process|bewerbungsprozess")
_ABOUT_WORK = frozenset({Section.DUTIES, Section.REQUIRED, Section.PREFERRED})
_FEWEST_STAGES = 2
_LONGEST_STAGE_WORDS = 14


def read_interview_stages(posting: Posting) -> Sequence[Stated[str]]:
    """The items of a section on the process, else the parts of a label or sentence that lists them."""
    items = [block for block in posting.blocks if block.section is Section.INTERVIEW and block.kind is BlockKind.ITEM]
    if items:
        return [posting.cite(" ".join(block.text.strip("*_ ").split()), block.start, block.end) for block in items]
    for start, end in _lists(posting):
        stages = list(_cut(posting.text, start, end))
        if len(stages) >= _FEWEST_STAGES and all(
            len(posting.text[a:b].split()) <= _LONGEST_STAGE_WORDS for a, b in stages
        ):
            return [posting.cite(posting.text[a:b], a, b) for a, b in stages]
    return []


def _lists(posting: Posting) -> Iterator[tuple[int, int]]:
    """Stretches that list stages."""
    for label in posting.label(_LABEL):
        yield label.start, label.end
    for block, sentence in posting.sentences:
        listed = _LISTED.search(sentence.text)
        if block.kind is BlockKind.ITEM and block.section in _ABOUT_WORK:
            continue
        if listed:
            group = next(name for name in ("stages", "german", "short") if listed[name])
            yield sentence.start + listed.start(group), sentence.end
        elif block.section is Section.INTERVIEW and _ORDERED.search(sentence.text):
            yield sentence.start, sentence.end


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stages of text[start:end], which arrows, commas or "then" divide."""
    separator = _ORDERED if _ORDERED.search(text, start, end) else _ENUMERATED
    position = start
    for match in [*separator.finditer(text, start, end), None]:
        last = match.start() if match else end
        stage = text[position:last].strip(" .*")
        if stage:
            first = position + text[position:last].index(stage)
            yield first, first + len(stage)
        position = match.end() if match else last
