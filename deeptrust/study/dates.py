"""When a job was posted, closes, starts and interviews: a date counts only beside words that say which it is."""

import re
from collections.abc import Sequence

from deeptrust.domain.study import Moment, Stated
from deeptrust.study.moments import MOMENT, read_moment
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section

_POSTED = re.compile(
    r"\b(?:posted|posting date|date posted|published|listed|veröffentlicht|online seit|ausgeschrieben am)\b", re.I
)
_DEADLINE = re.compile(
    r"\b(?:(?:to apply|send|submit)\b[^;]{0,140}?\bby\b|apply (?:by|before|until|no later than)|(?:application "
    r")?deadline|closing date|applications? close[sd]?|"
    r"(?:posting|position|job|vacancy|announcement) closes?|closes(?: on)?|close date|closing on|open until|"
    r"applications? (?:must be|are|will be) (?:received|submitted|accepted|due)|applications? (?:are )?due|"
    r"bewerbungsfrist|bewerbungsschluss|bewerbung(?:en)? (?:bitte )?bis|bewirb dich bis|bewerben sie sich (?:bitte "
    r")?bis|"
    r"einsendeschluss|bis (?:zum|spätestens))\b",
    re.I,
)
_START = re.compile(
    r"\b(?:start(?:ing)? date|start(?=:)|(?:expected|earliest) start|"
    r"(?:role|position|job|post|contract|internship|employment|work|you|you'll|we'd like you to) (?:will )?"
    r"(?:starts?|begins?|commences?|is to start)|(?:position|role|job) starting|start(?:ing)?(?= (?:immediately|asap|"
    r"as soon))|"
    r"eintritt(?:sdatum|stermin)?|(?:arbeits|ausbildungs)?beginn|startdatum|starttermin|(?:sucht|suchen) (?:wir "
    r")?(?:ab|zum)|"
    r"(?:stelle|position) ist (?:ab|zum)|zu besetzen|besetzung)\b",
    re.I,
)
_INTERVIEW = re.compile(
    r"\b(?:interviews?|assessment (?:day|centre|center)|vorstellungsgespräche?|auswahltag)\b[^.;]{0,60}?"
    r"\b(?:on|in|held|scheduled|take place|week of|am|finden|dates?|:)",
    re.I,
)
_SOON = re.compile(
    r"\b(?:as soon as possible|immediate(?:ly| start)?|asap|ab sofort|(?:zum )?nächstmögliche[nr]? (?:zeitpunkt|"
    r"termin)|"
    r"sofort)\b",
    re.I,
)
_OPEN_END = re.compile(r"\b(?:until (?:the (?:position|role|post) is )?filled|rolling basis|bis zur besetzung)\b", re.I)
_AGO = re.compile(
    r"\b(?:\d+\+?|a|an|one|two|three) (?:hours?|days?|weeks?|months?) ago\b|\b(?:today|yesterday)\b|\bvor \d+ "
    r"(?:tagen|wochen)\b",
    re.I,
)
_NEAR = 70
"""Longest way in characters from the words to their date."""


def read_posted(posting: Posting) -> Stated[Moment] | None:
    """When it was posted; "3 days ago" stays text."""
    return _beside(posting, _POSTED, _AGO)


def read_deadline(posting: Posting) -> Stated[Moment] | None:
    """The last day to apply; "until filled" stays text."""
    return _beside(posting, _DEADLINE, _OPEN_END) or _words_alone(posting, _OPEN_END, {Section.APPLY})


def read_start(posting: Posting) -> Stated[Moment] | None:
    """When the work begins; "ab sofort" stays text."""
    return _beside(posting, _START, _SOON)


def read_interview(posting: Posting) -> Stated[Moment] | None:
    """The day on which interviews are held."""
    return _beside(posting, _INTERVIEW, None)


def _beside(posting: Posting, words: re.Pattern[str], loose: re.Pattern[str] | None) -> Stated[Moment] | None:
    """The date of a label that has the words, else one that follows them in a sentence; two different ones are none."""
    for windows in (_label_windows(posting, words), _sentence_windows(posting, words)):
        if found := _moments(posting, windows, loose):
            days = {one.value.day or one.value.text.casefold() for one in found}
            return found[0] if len(days) == 1 else None
    return None


def _moments(
    posting: Posting, windows: Sequence[tuple[int, int]], loose: re.Pattern[str] | None
) -> list[Stated[Moment]]:
    found: list[Stated[Moment]] = []
    for start, end in windows:
        window = posting.text[start:end]
        match = MOMENT.search(window)
        if match:
            found.append(posting.cite(read_moment(match), start + match.start(), start + match.end()))
        elif loose and (soft := loose.search(window)):
            found.append(posting.cite(Moment(text=soft.group()), start + soft.start(), start + soft.end()))
    return found


def _label_windows(posting: Posting, words: re.Pattern[str]) -> list[tuple[int, int]]:
    return [(label.start, label.end) for label in posting.labels if words.match(label.name + ":")]


def _sentence_windows(posting: Posting, words: re.Pattern[str]) -> list[tuple[int, int]]:
    """Stretches behind the words, up to the end of their sentence."""
    windows: list[tuple[int, int]] = []
    for _, sentence in posting.sentences:
        for match in words.finditer(sentence.text):
            start = sentence.start + match.start()
            windows.append((start, min(sentence.end, start + len(match.group()) + _NEAR)))
    return windows


def _words_alone(posting: Posting, words: re.Pattern[str], sections: set[Section]) -> Stated[Moment] | None:
    for block, sentence in posting.sentences:
        if block.section in sections and (match := words.search(sentence.text)):
            start = sentence.start + match.start()
            return posting.cite(Moment(text=match.group()), start, start + len(match.group()))
    return None
