"""Who offers the job."""

import re
from collections.abc import Iterator

from deeptrust.domain.study import Stated
from deeptrust.study.blocks import Block, BlockKind
from deeptrust.study.naming import INSTITUTION, JOB_WORD, NAME, trim
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section

_COMPANY_LABEL = re.compile(
    r"company(?: name)?|employer|organi[sz]ation|agency|hiring organi[sz]ation|unternehmen|arbeitgeber|firma|"
    r"institution"
)
_HIRING = re.compile(
    rf"(?:^|[.!?]\s+|\n)(?:\*\*)?{NAME}(?:\*\*)?(?: \([A-Z][\w .]+\))?(?:, [^.]{{3,80}},)? (?:is|are) (?:currently |"
    rf"now )?"
    r"(?:hiring|seeking|looking for|recruiting|searching for)\b"
    rf"|(?:^|[.!?]\s+|\n)(?:(?:Die|Der|Das) )?{NAME.replace('company', 'german')} such(?:t|en)\b"
)
_JOIN = re.compile(rf"\b[Jj]oin {NAME} as (?:an?|our)\b")
_AT = re.compile(rf"^(?P<title>.{{3,80}}?) (?:at|@|bei) {NAME}$")
_NOT_A_COMPANY = re.compile(
    r"^(?:we|our|the|a|an|this|that|you|who|what|your|it|they|he|she|working|benefits|compensation|life|applying|"
    r"candidates?|our client|client|team|us|about|role|job|position|"
    r"wir|der|die|"
    r"das|unser\w*|is|are|if|as|in|for|unternehmen|mandant\w*|kunde\w*)\b",
    re.I,
)
_SAYS_WHAT_IT_IS = re.compile(
    rf"{NAME} (?:is an? |is the |makes |builds |sells |provides |develops |protects |operates |helps |was founded )"
)
_LONGEST_NAME_WORDS = 8
_LONGEST_LINE = 300
_LONGEST_PARAGRAPH = 3000


def read_company(posting: Posting) -> Stated[str] | None:
    """The employer's name; a recruiter's "our client" is none."""
    for start, end in _companies(posting):
        name = posting.text[start:end]
        if not _NOT_A_COMPANY.match(name):
            return posting.cite(name, start, end)
    return None


def _companies(posting: Posting) -> Iterator[tuple[int, int]]:
    for label in posting.label(_COMPANY_LABEL):
        if len(label.value.split()) <= _LONGEST_NAME_WORDS:
            yield trim(posting.text, label.start, label.end)
    for block in posting.blocks[:3]:
        yield from _in_head(block)
    for block in posting.blocks:
        if block.kind is BlockKind.HEADING and (
            about := re.match(r"(?:About|Über) (?P<company>[A-Z0-9].*)$", block.text)
        ):
            yield block.start + about.start("company"), block.start + about.end("company")
    for block in posting.blocks:
        if block.kind is not BlockKind.ITEM and len(block.text) <= _LONGEST_PARAGRAPH:
            yield from _in_prose(posting.text, block)


def _in_head(block: Block) -> Iterator[tuple[int, int]]:
    """ "Data Engineer at Acme", "Acme · Lisbon, Portugal · Full-time", "Teacher, Harbour School, Galway"."""
    line = block.text.split("\n")[0][:_LONGEST_LINE]
    if match := _AT.match(re.split(r" [|·•–—-] |, ", line)[0]):
        yield block.start + match.start("company"), block.start + match.end("company")
    parts = [(match.start(), match.group()) for match in re.finditer(r"(?:(?! [|·•] ).)+", line)]
    if len(parts) > 2:
        names = [
            (at, part.strip(" |·•"))
            for at, part in parts
            if not (JOB_WORD.search(part) or re.search(r",|-time\b", part))
        ]
        if len(names) == 1 and re.fullmatch(NAME, names[0][1]):
            start = block.start + line.index(names[0][1], names[0][0])
            yield start, start + len(names[0][1])
    for match in re.finditer(r"[^,|·•]+", line):
        name = match.group().strip()
        if INSTITUTION.fullmatch(name) and not JOB_WORD.search(name):
            start = block.start + match.start() + match.group().index(name)
            yield start, start + len(name)


def _in_prose(text: str, block: Block) -> Iterator[tuple[int, int]]:
    for match in (_HIRING.search(block.text), _JOIN.search(block.text)):
        if match:
            group = "company" if match["company"] else "german"
            yield block.start + match.start(group), block.start + match.end(group)
    said = _SAYS_WHAT_IT_IS.match(block.text) if block.section is Section.COMPANY else None
    if said and not re.search(rf"\b{re.escape(said['company'].lower())}\b", text):
        yield block.start + said.start("company"), block.start + said.end("company")
