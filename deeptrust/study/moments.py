"""Dates as postings write them; one that can be read in two ways stays text."""

import re
from datetime import date

from deeptrust.domain.study import Moment

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jänner",
            "feb february februar",
            "mar march märz mär maerz",
            "apr april",
            "may mai",
            "jun june juni",
            "jul july juli",
            "aug august",
            "sep sept september",
            "oct october okt oktober",
            "nov november",
            "dec december dez dezember",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag),?\s+"
    r"(?:den\s+|dem\s+)?"
)
MOMENT = re.compile(
    rf"""(?:{_WEEKDAY})?(?<![\w.])(?:
        (?P<iso>(?P<iso_year>20\d\d)-(?P<iso_month>\d\d)-(?P<iso_day>\d\d))
      | (?P<named>(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s*(?:of\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s+(?P<year>20\d\d))?)
      | (?P<american>(?P<a_month>{_MONTH})\b\.?\s+(?P<a_day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)
            (?:,?\s+(?P<a_year>20\d\d))?)
      | (?P<dotted>(?P<d_day>\d{{1,2}})\.\s?(?P<d_month>\d{{1,2}})\.\s?(?P<d_year>20\d\d)?)
      | (?P<slashed>(?P<s_first>\d{{1,2}})[/-](?P<s_second>\d{{1,2}})[/-](?P<s_year>20\d\d))
      | (?P<month_only>(?P<m_month>{_MONTH})\b\.?,?\s+20\d\d)
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)


def read_moment(match: re.Match[str]) -> Moment:
    """Turn a match of `MOMENT` into a moment; 03/04/2027 and dates without a year have no `day`."""
    text = " ".join(match.group().split())
    if match["named"] or match["american"]:
        text = text.rstrip(".")  # of the sentence, or of an abbreviated month
    return Moment(text=text, day=_day(match))


def _day(match: re.Match[str]) -> date | None:
    found = match.groupdict()
    if found["iso"]:
        return _date(found["iso_year"], int(found["iso_month"]), found["iso_day"])
    if found["named"]:
        return _date(found["year"], _MONTHS[found["month"].casefold()], found["day"])
    if found["american"]:
        return _date(found["a_year"], _MONTHS[found["a_month"].casefold()], found["a_day"])
    if found["dotted"]:
        return _date(found["d_year"], int(found["d_month"]), found["d_day"])
    if found["slashed"]:
        first, second = int(found["s_first"]), int(found["s_second"])
        if first > 12 >= second or first == second:
            return _date(found["s_year"], second, first)
        return _date(found["s_year"], first, second) if second > 12 >= first else None
    return None


def _date(year: str | None, month: int, day: str | int) -> date | None:
    try:
        return date(int(year), month, int(day)) if year else None
    except ValueError:
        return None
