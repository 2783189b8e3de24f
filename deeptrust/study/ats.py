"""Which system takes the application, and with what the candidate is tested.

The host of the apply address decides, else a how-to-apply sentence. "Experience with Workday" is a skill.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from deeptrust.domain.study import Stated
from deeptrust.study.platforms import ASSESSMENT_NAMES, ATS_NAMES, name_pattern, platform_of
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section

_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>()\[\]\"'*|]+|(?<![\w@./-])(?:[a-z0-9-]+\.)+[a-z]{2,6}/[^\s<>()\[\]\"'*|]*", re.I
)
_APPLY = re.compile(r"\b(?:appl(?:y|ication|ications|ying|icants?)|bewerb\w*|bewirb\w*|submit|candidates?)\b", re.I)
_NEGATED = re.compile(
    r"\b(?:not|no longer|never|don't|do not|instead of|nicht|kein\w*|rather than|formerly|previously|former)\b", re.I
)
_SKILL = re.compile(
    r"\b(?:experience|knowledge|familiar\w*|proficien\w*|skills?|expertise|administ\w+|implement\w*|integrat\w*|"
    r"configur\w*|"
    r"maintain\w*|build|customers?|competitors?|erfahrung|kenntnisse\w*)\b",
    re.I,
)
_THROUGH = re.compile(
    r"\b(?:via|through|on|in|using|at|over|with|über|auf|bei|uses?|nutzen|verwenden|powered "
    r"by)\s+(?:\w+['’]?\w*\s+){0,3}$",
    re.I,
)
_RECEIVES = re.compile(
    r"\b(?:applicant tracking|\bATS\b|recruiting (?:system|platform|software)|application (?:portal|system|platform)|"
    r"bewerbermanagement\w*|bewerbungsportal|bewerberportal|open on)\b",
    re.I,
)
_TESTS = re.compile(
    r"\b(?:assessments?|tests?|challenge|exercise|interviews?|screen(?:ing)?|questionnaire|exam|video|eignungstest|"
    r"testverfahren)\b",
    re.I,
)
_PLACE_BEHIND = re.compile(r",? [A-Z]{2}\b|, [A-Z]")  # "our office in Ashby, Massachusetts"
_ATS = name_pattern((*ATS_NAMES, "USAJobs"))
_ASSESSMENT = name_pattern(ASSESSMENT_NAMES)


@dataclass(frozen=True, slots=True)
class _Address:
    url: str
    start: int
    end: int
    is_to_apply: bool
    platform: str | None


def read_apply_url(posting: Posting) -> Stated[str] | None:
    """The address at which to apply: a job board's, or one in a sentence or section about applying."""
    found = [address for address in _addresses(posting) if address.platform or address.is_to_apply]
    found.sort(key=lambda address: (not (address.platform and address.is_to_apply), not address.platform))
    if not found or len({address.platform for address in found if address.platform}) > 1:
        found = [address for address in found if address.is_to_apply]
    first = found[0] if found else None
    return posting.cite(first.url, first.start, first.end) if first else None


def read_ats(posting: Posting) -> Stated[str] | None:
    """The applicant tracking system; two that contradict each other are none."""
    boards = [address for address in _addresses(posting) if address.platform]
    to_apply = [address for address in boards if address.is_to_apply] or boards
    if len({address.platform for address in to_apply}) == 1 and to_apply[0].platform:
        return posting.cite(to_apply[0].platform, to_apply[0].start, to_apply[0].end)
    named = list(_named(posting)) if not boards else []
    return named[0] if len({one.value for one in named}) == 1 else None


def read_assessment(posting: Posting) -> Stated[str] | None:
    """The platform on which candidates are tested or filmed."""
    for _, sentence in posting.sentences:
        match = _ASSESSMENT.search(sentence.text)
        if (
            match
            and _TESTS.search(sentence.text)
            and not (_NEGATED.search(sentence.text) or _SKILL.search(sentence.text))
        ):
            start, end = sentence.start + match.start(), sentence.start + match.end()
            return posting.cite(match["name"], start, end)
    return None


def _addresses(posting: Posting) -> Iterator[_Address]:
    for block, sentence in posting.sentences:
        if _NEGATED.search(sentence.text):
            continue
        for match in _ADDRESS.finditer(sentence.text):
            url = match.group().rstrip(".,;:!?")
            before = sentence.text[: match.start()]
            is_to_apply = bool(_APPLY.search(before) or _APPLY.search(block.heading)) or (
                block.section is Section.APPLY and sentence.text.strip("()<> ") == url
            )
            start = sentence.start + match.start()
            yield _Address(url, start, start + len(url), is_to_apply, platform_of(_host(url)))


def _host(url: str) -> str:
    try:
        return urlsplit(url if "://" in url else "https://" + url).hostname or ""
    except ValueError:
        return ""


def _named(posting: Posting) -> Iterator[Stated[str]]:
    for block, sentence in posting.sentences:
        if _NEGATED.search(sentence.text) or _SKILL.search(sentence.text):
            continue
        is_about_applying = block.section is Section.APPLY or _APPLY.search(sentence.text)
        for match in _ATS.finditer(sentence.text):
            before = sentence.text[: match.start()]
            if _PLACE_BEHIND.match(sentence.text, match.end()):
                continue
            is_received = _RECEIVES.search(sentence.text) is not None
            if is_received or (is_about_applying and _THROUGH.search(before)):
                name = "USAJOBS" if match["name"] == "USAJobs" else match["name"]
                yield posting.cite(name, sentence.start + match.start(), sentence.start + match.end())
