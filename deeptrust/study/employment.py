"""The type of employment, from labels, the head of a posting, and sentences about the job itself."""

import re
from collections.abc import Iterator, Sequence

from deeptrust.domain.study import Stated
from deeptrust.language.sentences import Span
from deeptrust.study.blocks import Block, BlockKind
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section

_TYPES = (
    ("full-time", r"full[- ]time|vollzeit"),
    ("part-time", r"part[- ]time|teilzeit"),
    ("permanent", r"permanent|unbefristete?\w*|festanstellung"),
    ("fixed-term", r"fixed[- ]term|(?<!un)befristete?\w*|term[- ]limited"),
    ("contract", r"contract(?:or)?(?=\W*$|\W*[|·,(/]| (?:position|role|job|to hire))"),
    ("temporary", r"temporary|temp(?= |\b)|aushilfe"),
    ("internship", r"internship|praktikum"),
    ("working student", r"working student|werkstudent\w*"),
    ("freelance", r"freelance|freiberuflich"),
    ("apprenticeship", r"apprenticeship|ausbildungsplatz"),
    ("mini-job", r"minijob|mini-job"),
)
_LABEL = re.compile(
    r"(?:employment|job|contract|position)(?: type)?|type|type of (?:employment|contract)|(?:work )?schedule|work "
    r"type|hours|"
    r"anstellungsart|beschäftigungs(?:art|umfang)|vertragsart|arbeitszeit|art der (?:anstellung|beschäftigung)|umfang"
)
_OF_THE_JOB = re.compile(
    r"\b(?:this is an?|we offer an?|it is an?|this (?:role|position|job|post) is(?: an?)?|the (?:role|position|job|"
    r"post) is(?: "
    r"an?)?|"
    r"die stelle ist|wir bieten (?:dir |ihnen )?eine?|in (?=vollzeit|teilzeit)|eine?n? (?=unbefristet|"
    r"befristet))\b[^.;]{0,60}",
    re.I,
)
_FRAGMENT = re.compile(r"[^\n|·•()]+")
_HEAD_BLOCKS = 6
_LONGEST_FRAGMENT_WORDS = 5
_LONGEST_VALUE_WORDS = 12


def read_employment(posting: Posting) -> Sequence[Stated[str]]:
    """Each type once; "full-time employees get ..." says nothing about this job."""
    found: dict[str, Stated[str]] = {}
    for start, end in _stretches(posting):
        stretch = posting.text[start:end]
        for name, pattern in _TYPES:
            match = re.search(rf"\b(?:{pattern})\b", stretch, re.I)
            if match and not re.search(r"\b(?:not|no|kein\w*|nicht)\b", stretch[: match.start()], re.I):
                found.setdefault(name, posting.cite(name, start + match.start(), start + match.end()))
    return list(found.values())


def _stretches(posting: Posting) -> Iterator[tuple[int, int]]:
    for label in posting.label(_LABEL):
        if len(label.value.split()) <= _LONGEST_VALUE_WORDS:
            yield label.start, label.end
    for block in posting.blocks[:_HEAD_BLOCKS]:
        for match in _FRAGMENT.finditer(block.text):
            if len(match.group().split()) <= _LONGEST_FRAGMENT_WORDS:
                yield block.start + match.start(), block.start + match.end()
    for block, sentence in posting.sentences:
        yield from _in_sentence(block, sentence)


def _in_sentence(block: Block, sentence: Span) -> Iterator[tuple[int, int]]:
    if block.section is Section.EMPLOYMENT and block.kind is not BlockKind.HEADING:
        if len(sentence.text.split()) <= _LONGEST_VALUE_WORDS:
            yield sentence.start, sentence.end
    elif block.section is not Section.COMPANY:
        for match in _OF_THE_JOB.finditer(sentence.text):
            yield sentence.start + match.start(), sentence.start + match.end()
