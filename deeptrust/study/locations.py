"""Where the work is done: labels, sections of their own, and sentences that place the job itself."""

import re
from collections.abc import Iterator, Sequence

from deeptrust.domain.study import Stated
from deeptrust.study.blocks import BlockKind
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section

_LABEL = re.compile(
    r"(?:job |work |office |primary |duty |position )?locations?(?:\(s\))?(?: of work)?|standorte?|arbeitsorte?|"
    r"einsatzort|"
    r"dienstort|"
    r"ort|duty stations?|where|workplace|based in|place of work|office"
)
_NAME = r"[A-ZÄÖÜ][\w.'’-]*(?:[ -](?:am|an der|im|of|the|de|la|upon|on)?[ ]?[A-ZÄÖÜ][\w.'’-]*)*"
_PLACE = rf"(?P<place>{_NAME}(?:, [A-ZÄÖÜ][\w.'’-]*(?: [A-ZÄÖÜ][\w.'’-]*)*)*)"
_WANTED_IN = re.compile(
    rf"\b(?:hiring|seeking|looking for|recruiting|sucht|suchen)\b[^.;:]{{3,90}}? in (?P<wanted>{_NAME}, "
    rf"{_NAME})(?=[.,;)]|$)"
)
_PLACED = re.compile(
    r"\b(?:(?:[Tt]his|[Tt]he) (?:role|position|job|post|opportunity|internship)(?: is| will be)?|[Yy]ou(?:'ll| will) "
    r"be|[Yy]ou will work) "
    r"(?:\w+ )?(?:based|located|situated) (?:in|at|out of)(?: our)? "
    + _PLACE
    + r"|\b(?:in|at|from|an|für) (?:our|unserem|unseren) (?P<office>[A-ZÄÖÜ][\w.-]+(?: [A-ZÄÖÜ][\w.-]+)*) (?:office|"
    r"headquarters|Standort|Büro)"
    + r"|\b(?:[Aa]m|für den) Standort (?P<standort>[A-ZÄÖÜ][\w-]+(?: (?:am|an der) [A-ZÄÖÜ]\w+)?)"
)
_REMOTE = re.compile(
    r"\b(?:[Tt]his|[Tt]he) (?:is an? |role is |position is |job is )(?P<remote>(?:100% |fully |entirely |completely )?"
    r"(?:remote|hybrid))\b(?! ?(?:team|company|first|friendly))"
)
_NOT_A_PLACE = re.compile(
    r"^in[- ]person|^on-?site$|\b(?:team|department|division|administration|office of|company|see|various|"
    r"competitive|list)\b|https?:",
    re.I,
)
_REGIONS = frozenset(
    "usa us u.s. uk germany deutschland austria österreich switzerland schweiz france italy spain netherlands "
    "belgium poland "
    "ireland canada australia india england scotland wales sweden norway denmark finland portugal brazil singapore "
    "japan "
    "california texas washington oregon massachusetts colorado illinois georgia ontario bayern hessen sachsen "
    "nordrhein-westfalen baden-württemberg bavaria virginia maryland florida ohio pennsylvania".split()
) | {"united states", "united kingdom", "new york", "north carolina", "new jersey", "british columbia", "new zealand"}
_LONGEST_WORDS = 12
_FIRST_BLOCKS = 6
_LONGEST_LINE = 300


def read_locations(posting: Posting) -> Sequence[Stated[str]]:
    """Each place once, in the order of the posting."""
    for read in (_labelled, _headed, _placed, _remote):
        found: dict[str, Stated[str]] = {}
        for start, end in read(posting):
            place = posting.text[start:end]
            found.setdefault(place.casefold(), posting.cite(place, start, end))
        if found:
            return list(found.values())
    return []


def _labelled(posting: Posting) -> Iterator[tuple[int, int]]:
    for label in posting.label(_LABEL):
        yield from _split(posting, label.start, label.end)
    for block in posting.blocks:
        is_listed = len(block.text) <= _LONGEST_LINE and (block.kind is BlockKind.ITEM or "\n" not in block.text)
        if block.section is Section.LOCATION and block.kind is not BlockKind.HEADING and is_listed:
            yield from _split(posting, block.start, block.end)


def _placed(posting: Posting) -> Iterator[tuple[int, int]]:
    for block, sentence in posting.sentences:
        if block.section in (Section.COMPANY, Section.BENEFITS):
            continue
        for match in _PLACED.finditer(sentence.text):
            if re.search(r"\bnot\b|\bnever\b", match.group()):
                continue
            group = next(name for name in ("place", "office", "standort") if match[name])
            start, end = match.span(group)
            end = start + len(match[group].rstrip(".,"))
            if not _NOT_A_PLACE.search(match[group]):
                yield from _split(posting, sentence.start + start, sentence.start + end)
        wanted = _WANTED_IN.search(sentence.text)
        if wanted and _is_region(wanted["wanted"].rsplit(", ", 1)[1].rstrip(".")):
            start = sentence.start + wanted.start("wanted")
            yield start, start + len(wanted["wanted"].rstrip("."))


def _headed(posting: Posting) -> Iterator[tuple[int, int]]:
    """A place with its region in the head line, as in "Pixelbrook · Lisbon, Portugal · Full-time"."""
    for block in posting.blocks[:_FIRST_BLOCKS]:
        for first, last in (
            _cut(block.text, r"\s+[|•·–—-]\s+") if "\n" not in block.text and len(block.text) <= _LONGEST_LINE else ()
        ):
            place, _, region = block.text[first:last].rpartition(", ")
            if place and _is_region(region) and re.fullmatch(_NAME, place):
                yield block.start + first, block.start + last


def _remote(posting: Posting) -> Iterator[tuple[int, int]]:
    for _, sentence in posting.sentences:
        for match in _REMOTE.finditer(sentence.text):
            yield sentence.start + match.start("remote"), sentence.start + match.end("remote")


def _split(posting: Posting, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The places of one value; "Austin, TX" stays one, "Berlin, Munich or Hamburg" are three."""
    text = posting.text[start:end]
    if (
        (len(text.split()) > _LONGEST_WORDS and not re.search(r"[;|/•]", text))
        or _NOT_A_PLACE.search(text)
        or text.endswith(".")
    ):
        return
    parts = list(_cut(text, r"\s*[;|/•·]\s*|,?\s+(?:or|oder|and|und)\s+"))
    is_list = len(parts) > 1 or text.count(",") > 1
    for first, last in parts:
        part = text[first:last]
        inner = list(_cut(part, r"\s*,\s*"))
        if is_list and len(inner) > 1 and "(" not in part and not _is_region(part[slice(*inner[-1])]):
            yield from ((start + first + a, start + first + b) for a, b in inner)
        elif part.strip():
            yield start + first, start + last


def _cut(text: str, separator: str) -> Iterator[tuple[int, int]]:
    """Stretches between separators that stand outside brackets, without marks at their ends."""
    position = 0
    for match in [*re.finditer(separator, text), None]:
        end = match.start() if match else len(text)
        if match and text[:end].count("(") > text[:end].count(")"):
            continue
        piece = text[position:end]
        stripped = piece.strip(" \t*_")
        if stripped:
            first = position + piece.index(stripped)
            yield first, first + len(stripped)
        position = match.end() if match else end


def _is_region(word: str) -> bool:
    return bool(re.fullmatch(r"[A-Z]{2}|[A-Z]\.[A-Z]\.", word)) or word.casefold() in _REGIONS
