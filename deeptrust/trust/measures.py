"""What a number says beside its digits: "$3.2 billion" is not "$3.2 million", "at least 900" is not "900"."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from deeptrust.language.words import fold, numbers

_UNITS: Mapping[str, tuple[str, ...]] = {
    "scale": (
        "thousand|tausend", "million|millions|mio|mn|millionen", "billion|billions|bn|mrd|milliarde|milliarden",
        "trillion|trillions",
    ),
    "share": (
        "%|percent|per cent|prozent", "percentage points|percentage point|points|point|prozentpunkte|prozentpunkt",
        "basis points|basis point|bps",
    ),
    "currency": ("$|usd|dollars|dollar", "€|eur|euros|euro", "£|gbp|pounds|pound", "¥|jpy|yen", "chf|franken|francs"),
    "time": (
        "milliseconds|millisecond|ms", "seconds|second|sekunden|sekunde", "minutes|minute|minuten|min",
        "hours|hour|stunden|stunde", "days|day|tagen|tage|tag", "weeks|week|wochen|woche",
        "months|month|monaten|monate|monat", "quarters|quarter|quartale|quartal",
        "years|year|jahren|jahre|jahr", "decades|decade", "centuries|century",
    ),
    "length": (
        "mm|millimetres|millimeters", "cm|centimetres|centimeters", "m|metres|metre|meters|meter|metern",
        "km|kilometres|kilometers|kilometer", "miles|mile", "feet|foot|ft", "inches|inch",
    ),
    "weight": ("mg|milligrams", "g|grams|gram|gramm", "kg|kilograms|kilogram|kilogramm", "tonnes|tonne|tons|ton"),
    "size": ("kb|kilobytes", "mb|megabytes", "gb|gigabytes", "tb|terabytes"),
    "temperature": ("°c|degrees celsius|celsius", "°f|degrees fahrenheit|fahrenheit"),
}  # fmt: skip
"""By family, the units that exclude one another, each with its spellings."""
_ALWAYS_SAID = ("scale", "share")
"""Families of which a number has a unit or has none; of the others it may go without saying ("the 30-day period")."""
_SPELLINGS = {
    spelling: (family, unit.split("|")[0])
    for family, units in _UNITS.items()
    for unit in units
    for spelling in unit.split("|")
}
_SHORT_SCALES = {"k": "thousand", "m": "million", "b": "billion"}
"""Only behind an amount of money: "$3.2m"."""
_BOUNDS = {
    "at least": r"at least|no(?:t)? (?:less|fewer) than|more than|over|above|exceed\w*|(?:a )?minimum(?: of)?|"
    r"mindestens|mehr als|über",
    "at most": r"at most|no(?:t)? more than|less than|fewer than|up to|under|below|(?:a )?maximum(?: of)?|"
    r"höchstens|weniger als|bis zu|unter",
}
_BOUNDS_BEHIND = {
    "at least": r"or (?:more|above|over|older)|and (?:more|above|over)|oder mehr|\+",
    "at most": r"or (?:less|fewer|below|under|younger)|and (?:below|under)|oder weniger",
}
_SPELLING = "|".join(re.escape(spelling) for spelling in sorted(_SPELLINGS, key=len, reverse=True))
_MEASURE = re.compile(
    rf"(?:(?<!\w)(?P<before>{'|'.join(_BOUNDS.values())})\s+)?(?P<sign>[$€£¥]|usd |eur |gbp |chf )?\s?"
    rf"(?<![\w.,])(?P<number>[-+−]?\d+(?:[.,]\d+)*)"
    rf"(?P<units>[kmb]\b|(?:[\s-]{{0,2}}(?:{_SPELLING})(?!\w))*)"
    rf"(?:\s?(?P<behind>{'|'.join(_BOUNDS_BEHIND.values())})(?!\w))?"
)
_UNIT = re.compile(rf"(?:{_SPELLING})(?!\w)")
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split(),
        start=2,
    )
}  # "one" is mostly a pronoun
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of a text: `units` by family, and whether it is a bound ("at least", "at most") or, empty, the value."""

    number: str
    units: Mapping[str, str]
    bound: str


def find_changed_measure(sentence: str, source: str) -> str:
    """Say how `sentence` measures a number otherwise than `source` ever does; empty if it does not.

    Numbers that `source` does not hold are no matter of this rule.
    """
    held: dict[str, list[Measure]] = {}
    for one in _measures(source):
        held.setdefault(one.number, []).append(one)
    for said in _measures(sentence):
        if theirs := held.get(said.number):
            if all(one.bound != said.bound for one in theirs):
                return f"the source does not say “{said.bound or 'exactly'}” of {said.number}"
            for family in _UNITS:
                if unit := _other_unit(said, theirs, family):
                    return f"the source says {said.number} {unit}"
    return ""


def write_digits(text: str) -> str:
    """`text` with the numbers from two to twenty in digits."""
    return _NUMBER_WORD.sub(lambda match: _NUMBER_WORDS[match.group().casefold()], text)


def _other_unit(said: Measure, theirs: list[Measure], family: str) -> str:
    """The unit that the source gives, if the sentence has another one of the family in its place."""
    ours = said.units.get(family)
    units = [one.units.get(family) for one in theirs]
    if ours in units:
        return ""
    if family in _ALWAYS_SAID:
        return units[0] or f"without {ours}"
    return next((unit for unit in units if unit), "") if ours else ""


def _measures(text: str) -> Iterator[Measure]:
    for match in _MEASURE.finditer(write_digits(fold(text))):
        units = dict(_SPELLINGS[name] for name in _UNIT.findall(match["units"]))
        if match["sign"]:
            units["currency"] = _SPELLINGS[match["sign"].strip()][1]
            if match["units"] in _SHORT_SCALES:
                units = {"currency": units["currency"], "scale": _SHORT_SCALES[match["units"]]}
        bound = _bound(match["before"], _BOUNDS) or _bound(match["behind"], _BOUNDS_BEHIND)
        yield Measure(min(numbers(match["number"]), default=match["number"]), units, bound)


def _bound(text: str | None, kinds: Mapping[str, str]) -> str:
    return next((kind for kind, pattern in kinds.items() if text and re.fullmatch(pattern, text)), "")
