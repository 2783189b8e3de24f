"""What the job is called and who offers it."""

import re
from collections.abc import Iterator

from deeptrust.domain.study import Stated
from deeptrust.study.posting import Block, BlockKind, Posting
from deeptrust.study.sections import Section

_TITLE_LABEL = re.compile(
    r"(?:job |position |role |official )?title(?: in usajobs)?|position|role|job|stelle(?:nbezeichnung|ntitel)?|"
    r"vacancy|"
    r"opening|jobtitel|berufsbezeichnung"
)
_LOCATION_LABEL = re.compile(r"(?:job |work )?locations?|standort|arbeitsort")
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
    r"executive|surveyor|actuary|lawyer|attorney|physician|grower|clerk|welder|professor|postdoc|secretary|president|"
    r"advisor|adviser|agent|planner|producer|buyer|economist|statistician|chemist|biologist|physicist|translator|"
    r"journalist|pharmacist|therapist|psychologist|electrician|carpenter|receptionist|strategist|inspector|controller|"
    r"auditor|tester|expert|cook|barista|counsel|paralegal|librarian|fellow|advocate|owner|sre|\w*techniker(?:in)?|"
    r"buchhalter(?:in)?)\b"
    r"|\((?:m/w/d|w/m/d|d/m/w|all genders|f/m/d|m/f/d|m/f/x|gn)\)",
    re.I,
)
_NAME = r"(?P<company>(?:[A-Z0-9][\w&.'’-]*)(?: (?:(?:of|and|for|the|&|für|und|der) )?[A-Z0-9][\w&.'’-]*){0,4})"
_HIRING = re.compile(
    rf"(?:^|[.!?]\s+|\n)(?:\*\*)?{_NAME}(?:\*\*)?(?: \([A-Z][\w .]+\))?(?:, [^.]{{3,80}},)? (?:is|are) (?:currently |"
    rf"now )?"
    r"(?:hiring|seeking|looking for|recruiting|searching for)\b"
    rf"|(?:^|[.!?]\s+|\n)(?:(?:Die|Der|Das) )?{_NAME.replace('company', 'german')} such(?:t|en)\b"
)
_WANTED = re.compile(
    r"\b(?:hiring|seeking|looking for|recruiting|searching for|sucht|suchen)(?: zum \w+ \w+| ab sofort)?"
    r"(?:(?: for the role of|:)? (?:an?|(?:our|its|their) (?:next|first)|the|eine[n]?))?:? "
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
    r"^(?:role \d|position \d|we|our|the|join|about|job|position|apply|home|careers?|jobs?|stellenangebot|"
    r"stellenanzeige|hiring|now hiring|"
    r"help|are|is|why|how|who|what)\b|[.!?]$",
    re.I,
)
_INSTITUTION = re.compile(
    r"(?:[A-ZÄÖÜ][\w.&'’-]*|of|the|and|für|der|for) ?(?:[\w.&'’-]+ ){0,5}?"
    r"(?:University|College|School|Hospital|Museum|Institute|Council|Bank|Library|Foundation|Universität|Klinikum|"
    r"GmbH|AG|Inc\.?|Ltd\.?|LLC|Limited|plc|e\.V\.)(?: (?:of|for|für) (?:[A-ZÄÖÜ][\w-]+ ?){1,4})?"
    r"|University of (?:[A-ZÄÖÜ][\w-]+ ?){1,3}"
)
_SAYS_WHAT_IT_IS = re.compile(
    rf"{_NAME} (?:is an? |is the |makes |builds |sells |provides |develops |protects |operates |helps |was founded )"
)
_NAMED_TITLE = re.compile(
    r"(?:job (?:description|posting|title|opening)|vacancy|stellenanzeige|stellenausschreibung): ", re.I
)
_TYPE_BEHIND = re.compile(r"\s*\((?:full[- ]time|part[- ]time|remote|hybrid|on-?site|contract|permanent)[^)]*\)$", re.I)
_ABBREVIATED = re.compile(r"\b(?:e\.V|Inc|Co|Ltd|Corp|S\.A|B\.V|A\.G)\.$")
_LONGEST_TITLE_WORDS = 14
_LONGEST_NAME_WORDS = 8


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
            yield from _head_title(block, any(posting.label(_LOCATION_LABEL)))
    for block, sentence in posting.sentences:
        match = _WANTED.search(sentence.text)
        if match and block.kind is not BlockKind.ITEM and _JOB_WORD.search(match["title"]):
            yield _trim(posting.text, sentence.start + match.start("title"), sentence.start + match.end("title"))


def _head_title(block: Block, has_location: bool) -> Iterator[tuple[int, int]]:
    """The title in a first line such as "Data Engineer at Acme - Berlin" or "Acme | Data Engineer"."""
    line = block.text
    wanted = _WANTED.search(line)
    if wanted and _JOB_WORD.search(wanted["title"]):
        yield _trim(line, *wanted.span("title"), offset=block.start)
        return
    named = _NAMED_TITLE.match(line)
    is_title = named is not None or block.kind is BlockKind.HEADING or ": " not in line
    if (named is None and _NOT_A_TITLE.search(line)) or not is_title:
        return
    # A dash before a place ends the title; where the place has a line of its own, the dash is the title's.
    marks = "|·•" if has_location else "|·•–—-"
    for match in re.compile(rf"(?:(?! [{marks}] | at | @ | bei ).)+").finditer(line, named.end() if named else 0):
        part = _TYPE_BEHIND.sub("", re.sub(r"^(?:at|@|bei) .*", "", match.group().strip(" |·•–—-")))
        name, comma, behind = part.partition(", ")
        part = name if comma and _INSTITUTION.search(behind) else part
        if part and _JOB_WORD.search(part):
            start = block.start + match.start() + match.group().index(part)
            yield start, start + len(part)
            return


def _companies(posting: Posting) -> Iterator[tuple[int, int]]:
    for label in posting.label(_COMPANY_LABEL):
        if len(label.value.split()) <= _LONGEST_NAME_WORDS:
            yield _trim(posting.text, label.start, label.end)
    for block in posting.blocks[:3]:
        yield from _in_head(block)
    for block in posting.blocks:
        if block.kind is BlockKind.HEADING and (
            about := re.match(r"(?:About|Über) (?P<company>[A-Z0-9].*)$", block.text)
        ):
            yield block.start + about.start("company"), block.start + about.end("company")
    for block in posting.blocks:
        if block.kind is not BlockKind.ITEM:
            yield from _in_prose(posting.text, block)


def _in_head(block: Block) -> Iterator[tuple[int, int]]:
    """ "Data Engineer at Acme", "Acme · Lisbon, Portugal · Full-time", "Teacher, Harbour School, Galway"."""
    line = block.text.split("\n")[0]
    if match := _AT.match(re.split(r" [|·•–—-] |, ", line)[0]):
        yield block.start + match.start("company"), block.start + match.end("company")
    parts = [(match.start(), match.group()) for match in re.finditer(r"(?:(?! [|·•] ).)+", line)]
    if len(parts) > 2:
        names = [
            (at, part.strip(" |·•"))
            for at, part in parts
            if not (_JOB_WORD.search(part) or re.search(r",|-time\b", part))
        ]
        if len(names) == 1 and re.fullmatch(_NAME, names[0][1]):
            start = block.start + line.index(names[0][1], names[0][0])
            yield start, start + len(names[0][1])
    for match in re.finditer(r"[^,|·•]+", line):
        name = match.group().strip()
        if _INSTITUTION.fullmatch(name) and not _JOB_WORD.search(name):
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


def _trim(text: str, start: int, end: int, offset: int = 0) -> tuple[int, int]:
    """Cut white space, bold marks and closing punctuation from the ends."""
    piece = text[start:end]
    kept = piece.strip(" \t*_")
    kept = kept if _ABBREVIATED.search(kept) else kept.rstrip(".,;:")
    first = start + piece.index(kept)
    return offset + first, offset + first + len(kept)
