"""What the job is called and who offers it."""

import re
from collections.abc import Iterator

from deeptrust.domain.study import Stated
from deeptrust.study.posting import Block, BlockKind, Posting
from deeptrust.study.sections import section_of

_TITLE_LABEL = re.compile(
    r"(?:job |position |role |official )?title(?: in usajobs)?|position|role|job|stelle(?:nbezeichnung|ntitel)?|"
    r"vacancy|"
    r"opening|jobtitel|berufsbezeichnung"
)
_COMPANY_LABEL = re.compile(
    r"company(?: name)?|employer|organi[sz]ation|agency|hiring organi[sz]ation|unternehmen|arbeitgeber|firma|"
    r"institution"
)
_JOB_WORD = re.compile(
    r"\b(?:\w*engineer(?:in)?|\w*developer|\w*manager(?:in)?|\w*analyst(?:in)?|\w*architect|designer|scientist|"
    r"director|"
    r"consultant|specialist|administrator|coordinator|assistant|associate|technician|nurse|teacher|lead|head|officer|"
    r"researcher|writer|editor|accountant|recruiter|operator|representative|supervisor|intern|trainee|programmer|"
    r"\w*entwickler(?:in)?|\w*ingenieur(?:in)?|\w*leiter(?:in)?|\w*berater(?:in)?|\w*kraft|\w*mitarbeiter(?:in)?|"
    r"referent(?:in)?|werkstudent(?:in)?|praktikant(?:in)?|sachbearbeiter(?:in)?|\w*pfleger(?:in)?|mechanic|driver|"
    r"chef|"
    r"cook|barista|counsel|paralegal|librarian|fellow|advocate|owner|sre|\w*techniker(?:in)?|buchhalter(?:in)?)\b"
    r"|\((?:m/w/d|w/m/d|d/m/w|all genders|f/m/d|m/f/d|m/f/x|gn)\)",
    re.I,
)
_NAME = r"(?P<company>(?:[A-Z0-9][\w&.'’-]*)(?: (?:(?:of|and|for|the|&|für|und|der) )?[A-Z0-9][\w&.'’-]*){0,4})"
_HIRING = re.compile(
    rf"(?:^|[.!?]\s+|\n)(?:\*\*)?{_NAME}(?:\*\*)?(?: \([A-Z][\w .]+\))?(?:, [^.]{{3,80}},)? (?:is|are) (?:currently |"
    rf"now )?"
    r"(?:hiring|seeking|looking for|recruiting|searching for)\b"
    rf"|(?:^|[.!?]\s+|\n){_NAME.replace('company', 'german')} sucht\b"
)
_WANTED = re.compile(
    r"\b(?:hiring|seeking|looking for|recruiting|searching for|sucht|suchen)(?: zum \w+ \w+| ab sofort)?"
    r"(?:(?: for the role of|:)? (?:an?|our (?:next|first)|the|eine[n]?))?:? "
    r"(?P<title>[A-ZÄÖÜ][\w/&+#.-]*(?: (?:(?:of|and|for|&|für|und) )?[A-ZÄÖÜ(][\w/&+#.()-]*){0,7})"
)
_JOIN = re.compile(rf"\b[Jj]oin {_NAME} as (?:an?|our)\b")
_AT = re.compile(rf"^(?P<title>.{{3,80}}?) (?:at|@|bei) {_NAME}$")
_NOT_A_COMPANY = re.compile(
    r"^(?:we|our|the|a|an|this|that|you|who|what|it|they|he|she|our client|client|team|us|about|role|job|position|"
    r"wir|der|die|"
    r"das|unser\w*|is|are|if|as|in|for|unternehmen|mandant\w*|kunde\w*)\b",
    re.I,
)
_NOT_A_TITLE = re.compile(
    r"^(?:we|our|the|join|about|job|position|apply|home|careers?|jobs?|stellenangebot|stellenanzeige|hiring|now hiring|"
    r"help|are|is|why|how|who|what)\b|[.!?]$",
    re.I,
)
_LONGEST_TITLE_WORDS = 14


def read_title(posting: Posting) -> Stated[str] | None:
    """The name of the job as the posting writes it."""
    for start, end in _titles(posting):
        title = posting.text[start:end]
        if 0 < len(title.split()) <= _LONGEST_TITLE_WORDS:
            return posting.cite(title, start, end)
    return None


def read_company(posting: Posting) -> Stated[str] | None:
    """The employer's name; a recruiter's "our client" is none."""
    for start, end in _companies(posting):
        name = posting.text[start:end]
        if not _NOT_A_COMPANY.match(name):
            return posting.cite(name, start, end)
    return None


def _titles(posting: Posting) -> Iterator[tuple[int, int]]:
    for label in posting.label(_TITLE_LABEL):
        yield _trim(posting.text, label.start, label.end)
    for block in posting.blocks[:4]:
        if block.kind is not BlockKind.ITEM and "\n" not in block.text:
            yield from _head_title(block)
    for block, sentence in posting.sentences:
        match = _WANTED.search(sentence.text)
        if match and block.kind is not BlockKind.ITEM and _JOB_WORD.search(match["title"]):
            yield _trim(posting.text, sentence.start + match.start("title"), sentence.start + match.end("title"))


def _head_title(block: Block) -> Iterator[tuple[int, int]]:
    """The title in a first line such as "Data Engineer at Acme - Berlin" or "Acme | Data Engineer"."""
    line = block.text
    wanted = _WANTED.search(line)
    if wanted and _JOB_WORD.search(wanted["title"]):
        yield _trim(line, *wanted.span("title"), offset=block.start)
        return
    if _NOT_A_TITLE.search(line) or ": " in line:
        return
    for match in re.finditer(r"(?:(?! [|·•–—-] | at | @ | bei ).)+", line):
        part = match.group().strip(" |·•–—-")
        part = re.sub(r"^(?:at|@|bei) .*", "", part)
        if part and _JOB_WORD.search(part) and not (section_of(part) and not _JOB_WORD.search(part)):
            start = block.start + match.start() + match.group().index(part)
            yield start, start + len(part)
            return


def _companies(posting: Posting) -> Iterator[tuple[int, int]]:
    for label in posting.label(_COMPANY_LABEL):
        if len(label.value.split()) <= 8:
            yield _trim(posting.text, label.start, label.end)
    for block in posting.blocks[:3]:
        line = block.text.split("\n")[0]
        if match := _AT.match(re.split(r" [|·•–—-] |, ", line)[0]):
            yield block.start + match.start("company"), block.start + match.end("company")
    for block in posting.blocks:
        if block.kind is BlockKind.HEADING and (
            about := re.match(r"(?:About|Über) (?P<company>[A-Z0-9].*)$", block.text)
        ):
            yield block.start + about.start("company"), block.start + about.end("company")
        if block.kind is BlockKind.ITEM:
            continue
        for match in (_HIRING.search(block.text), _JOIN.search(block.text)):
            if match:
                group = "company" if match["company"] else "german"
                yield block.start + match.start(group), block.start + match.end(group)


def _trim(text: str, start: int, end: int, offset: int = 0) -> tuple[int, int]:
    """Cut white space, bold marks and closing punctuation from the ends."""
    piece = text[start:end]
    kept = piece.strip(" \t*_").rstrip(".,;:")
    first = start + piece.index(kept)
    return offset + first, offset + first + len(kept)
