"""The stages of the interview process, in their order."""

import re
from collections.abc import Iterator, Sequence

from deeptrust.domain.study import Stated
from deeptrust.study.posting import BlockKind, Posting
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
_FEWEST_STAGES = 2
_LONGEST_STAGE_WORDS = 14


def read_interview_stages(posting: Posting) -> Sequence[Stated[str]]:
    """The items of a section on the process, else the parts of a sentence that lists them."""
    items = [block for block in posting.blocks if block.section is Section.INTERVIEW and block.kind is BlockKind.ITEM]
    if items:
        return [posting.cite(" ".join(block.text.strip("*_ ").split()), block.start, block.end) for block in items]
    for block, sentence in posting.sentences:
        if block.section in (Section.DUTIES, Section.REQUIRED, Section.PREFERRED):
            continue
        stages = list(_stages(sentence.text, block.section is Section.INTERVIEW))
        if len(stages) >= _FEWEST_STAGES:
            return [
                posting.cite(sentence.text[start:end], sentence.start + start, sentence.start + end)
                for start, end in stages
            ]
    return []


def _stages(text: str, is_announced: bool) -> Iterator[tuple[int, int]]:
    listed = _LISTED.search(text)
    if listed:
        group = next(name for name in ("stages", "german", "short") if listed[name])
        start = listed.start(group)
    elif is_announced and _ORDERED.search(text):
        start = 0
    else:
        return
    separator = _ORDERED if _ORDERED.search(text, start) else _ENUMERATED
    position = start
    parts: list[tuple[int, int]] = []
    for match in [*separator.finditer(text, start), None]:
        end = match.start() if match else len(text)
        stage = text[position:end].strip(" .")
        if stage:
            first = position + text[position:end].index(stage)
            parts.append((first, first + len(stage)))
        position = match.end() if match else end
    if all(len(text[a:b].split()) <= _LONGEST_STAGE_WORDS for a, b in parts):
        yield from parts
