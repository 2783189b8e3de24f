"""What the job is called."""

import re
from collections.abc import Iterator

from deeptrust.domain.study import Stated
from deeptrust.study.blocks import Block, BlockKind
from deeptrust.study.naming import INSTITUTION, JOB_WORD, trim
from deeptrust.study.posting import Posting

_TITLE_LABEL = re.compile(
    r"(?:job |position |role |official )?title(?: in usajobs)?|position|role|job|stelle(?:nbezeichnung|ntitel)?|"
    r"vacancy|"
    r"opening|jobtitel|berufsbezeichnung"
)
_LOCATION_LABEL = re.compile(r"(?:job |work )?locations?|standort|arbeitsort")
_WANTED = re.compile(
    r"\b(?:hiring|seeking|looking for|recruiting|searching for|sucht|suchen)(?: wir)?(?: zum \w+ \w+| ab sofort)?"
    r"(?:(?: for the role of|:)? (?:an?|(?:our|its|their) (?:next|first)|the|eine[n]?))?:? "
    r"(?P<title>[A-ZÄÖÜ][\w/&+#.-]*(?: (?:(?:of|and|for|&|für|und) )?[A-ZÄÖÜ(][\w/&+#.()-]*){0,7})"
)
_NOT_A_TITLE = re.compile(
    r"^(?:role \d|position \d|we|our|the|join|about|job|position|apply|home|careers?|jobs?|stellenangebot|"
    r"stellenanzeige|hiring|now hiring|"
    r"help|are|is|why|how|who|what)\b|[.!?]$",
    re.I,
)
_NAMED_TITLE = re.compile(
    r"(?:job (?:description|posting|title|opening)|vacancy|stellenanzeige|stellenausschreibung): ", re.I
)
_TYPE_BEHIND = re.compile(r"\s*\((?:full[- ]time|part[- ]time|remote|hybrid|on-?site|contract|permanent)[^)]*\)$", re.I)
_LONGEST_TITLE_WORDS = 14
_LONGEST_LINE = 300


def read_title(posting: Posting) -> Stated[str] | None:
    """The name of the job as the posting writes it."""
    for start, end in _titles(posting):
        title = posting.text[start:end]
        if 0 < len(title.split()) <= _LONGEST_TITLE_WORDS:
            return posting.cite(title, start, end)
    return None


def _titles(posting: Posting) -> Iterator[tuple[int, int]]:
    for label in posting.label(_TITLE_LABEL):
        yield trim(posting.text, label.start, label.end)
    for block in posting.blocks[:4]:
        if block.kind is not BlockKind.ITEM and "\n" not in block.text and len(block.text) <= _LONGEST_LINE:
            yield from _head_title(block, any(posting.label(_LOCATION_LABEL)))
    for block, sentence in posting.sentences:
        match = _WANTED.search(sentence.text)
        if match and block.kind is not BlockKind.ITEM and JOB_WORD.search(match["title"]):
            yield trim(posting.text, sentence.start + match.start("title"), sentence.start + match.end("title"))


def _head_title(block: Block, has_location: bool) -> Iterator[tuple[int, int]]:
    """The title in a first line such as "Data Engineer at Acme - Berlin" or "Acme | Data Engineer"."""
    line = block.text
    wanted = _WANTED.search(line)
    if wanted and JOB_WORD.search(wanted["title"]):
        yield trim(line, *wanted.span("title"), offset=block.start)
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
        part = name if comma and INSTITUTION.search(behind) else part
        if part and JOB_WORD.search(part):
            start = block.start + match.start() + match.group().index(part)
            yield start, start + len(part)
            return
