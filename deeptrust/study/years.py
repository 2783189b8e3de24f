"""Years of experience in a sentence: the least that is asked for, or the most that is claimed."""

import re
from collections.abc import Iterator

_WORDS = {
    word: number
    for number, words in enumerate(
        (
            "one ein eine einem einer", "two zwei", "three drei", "four vier", "five fünf", "six sechs", "seven sieben",
            "eight acht", "nine neun", "ten zehn",
        ),
        1,
    )
    for word in words.split()
}  # fmt: skip
_NUMBER = r"\d{1,2}|" + "|".join(sorted(_WORDS, key=len, reverse=True))
_YEARS = re.compile(
    rf"(?<![\w.$€£])(?P<least>{_NUMBER})(?:\s?\((?P<figure>\d{{1,2}})\))?\s?\+?(?:\s?(?:-|–|to|bis|or|"
    rf"oder)\s?(?:{_NUMBER})\+?)?"
    r"\s*(?:or more\s+|plus\s+|full\s+)?(?:years?|yrs?|jahren?|jahre)\b(?P<behind>.{0,60})",
    re.I | re.S,
)
_AGE = re.compile(
    r"^['’]?\s*(?:of age|old|older|or older|alt)\b|^\s*(?:contract|term|fellowship|warranty|ago|guarantee|appointment)",
    re.I,
)
_COMPANY = re.compile(
    r"\b(?:we|our|us|company|founded|for over|for more than|firm|agency|history|tradition|seit|wir|"
    r"unser\w*)\b[^.]{0,40}$",
    re.I,
)
_SPAN_OF_TIME = re.compile(
    r"\b(?:less than|weniger als|within|last|past|next|first|every|each|age[ds]?|under|until|after|der letzten|"
    r"alle)\b(?: \w+)?\s*$",
    re.I,
)
_ALTERNATIVE = re.compile(r"\((?:or|oder|alternatively)\b[^)]*\)", re.I)  # "(or BS with 5 years)" is not asked of all
_EXPERIENCE = re.compile(
    r"experien|expertise|erfahrung|berufs|practice|background|working|work |in (?:an?|the) |of |with |mit |in |"
    r"\w+ing\b",
    re.I,
)


def least_years(sentence: str) -> int | None:
    """Least years of experience that a requirement asks for: 3 for "3-5 years", None for an age."""
    return min(_found(sentence), default=None)


def most_years(sentence: str) -> int | None:
    """Most years that a line of a resume states."""
    return max(_found(sentence), default=None)


def _found(sentence: str) -> Iterator[int]:
    for match in _YEARS.finditer(_ALTERNATIVE.sub(" ", sentence)):
        before, behind = match.string[: match.start()], match["behind"]
        if _AGE.search(behind) or _COMPANY.search(before) or _SPAN_OF_TIME.search(before):
            continue
        if _EXPERIENCE.search(behind) or re.search(r"experience|erfahrung", before, re.I) or not behind.strip(" .)"):
            least = match["figure"] or match["least"].casefold()
            yield int(least) if least.isdigit() else _WORDS[least]
