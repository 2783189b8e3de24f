"""What a job pays: an amount counts only where the words round it speak of the pay of this job."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from deeptrust.domain.study import Pay, PayPeriod, Stated
from deeptrust.language.sentences import Span
from deeptrust.study.posting import Posting
from deeptrust.study.sections import Section

_CODES = "USD|EUR|CNY|RMB|HKD|KRW|MXN|AED|CZK|HUF|GBP|CHF|CAD|AUD|NZD|INR|SEK|NOK|DKK|PLN|JPY|SGD|BRL|ZAR"
_SYMBOLS = {
    "US$": "USD",
    "CA$": "CAD",
    "C$": "CAD",
    "A$": "AUD",
    "AU$": "AUD",
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "Euro": "EUR",
    "RMB": "CNY",
}
_MARK = rf"US\$|CA\$|AU\$|C\$|A\$|\$|€|£|₹|(?:{_CODES})\b|Euro\b"
_NUMBER = r"\d{1,3}(?:[.,'’ ]\d{3}){1,3}(?:[.,]\d{2})?|\d{1,9}(?:[.,]\d{1,2})?"
_AMOUNT = re.compile(
    rf"(?P<mark>{_MARK})?\s*(?<![\d.,])(?P<low>{_NUMBER})\s?(?P<low_k>[kK]\b)?\s*(?P<mark_low>{_MARK})?"
    rf"(?:\s*(?:-|–|—|to|bis|and|und)\s*(?P<mark_high>{_MARK})?\s*(?P<high>{_NUMBER})\s?(?P<high_k>[kK]\b)?\s*"
    rf"(?P<mark_after>{_MARK})?)?(?![\d%])",
)
_PERIODS = (
    (PayPeriod.HOUR, r"(?:per|an|a|/|pro|je) ?(?:hour|hr|h|stunde)\b|hourly|stundenlohn|/std"),
    (PayPeriod.DAY, r"(?:per|a|/|pro) ?(?:day|tag)\b|daily rate|day rate|tagessatz"),
    (PayPeriod.WEEK, r"(?:per|a|/|pro) ?(?:week|woche)\b|weekly"),
    (PayPeriod.MONTH, r"(?:per|a|/|pro|im) ?(?:month|monat)\b|monthly|monatlich|monatsgehalt"),
    (
        PayPeriod.YEAR,
        r"(?:per|a|/|pro|im) ?(?:year|yr|annum|jahr)\b|annual(?:ly)?|yearly|\bp\. ?a\.|jährlich|jahresgehalt|"
        r"jahresbrutto|bruttojahres|\bpa\b",
    ),
)
_PAY_WORDS = re.compile(
    r"\b(?:salary|salaries|pay|pays|wage|compensation|base|ote|earn|remuneration|hourly|(?:pay|day|base) rate|rate "
    r"of pay|comp|gross|stipend|"
    r"\w*gehalt\w*|\w*vergütung|\w*verdienst|entgelt|stundenlohn|tagessatz|brutto\w*)\b",
    re.I,
)
_NOT_THIS_PAY = re.compile(
    r"\b(?:bonus(?:es)?|sign[- ]?on|signing|referral|equity|stock|401\(?k?|budget|allowance|stipend|reimburse\w*|"
    r"relocation|"
    r"funding|funded|raised|series [a-e]|revenue|arr|valuation|assets|turnover|umsatz|weiterbildungs\w*|zuschuss|"
    r"insurance|differential|discount|value|parking|rent|ticket|subsid\w+|per diem|learning|training|education|"
    r"customers|contracts?|deals?|portfolio|grant|savings|"
    r"prize|fee|"
    r"credit|up front|quota|"
    r"million(?:en)?|billion|mio|mrd|payments?|transactions?|vouchers?|jobrad|membership)\b",
    re.I,
)
_MAXIMUM = re.compile(r"\b(?:up to|maximum|max|at most|no more than|bis zu|höchstens)\b[^.$€£\d]{0,70}$", re.I)
_MINIMUM = re.compile(
    r"\b(?:from|at least|mindest\w*|starting (?:at|from)|starts at|minimum|min|ab|mindestens)\b[^.$€£\d]{0,30}$", re.I
)

_BARE_WORDS = 5
_MOST_AMOUNTS = 8  # a sentence with more is a table of something else


def read_pay(posting: Posting) -> Sequence[Stated[Pay]]:
    """Every pay that is stated, each with its sentence; places with pay of their own give several."""
    found: dict[Pay, Stated[Pay]] = {}
    for block, sentence in posting.sentences:
        if block.section is Section.SMALL_PRINT or (block.section is Section.BENEFITS and not _is_pay_line(sentence)):
            continue
        is_announced = block.section is Section.PAY or bool(_PAY_WORDS.search(sentence.text))
        amounts = list(islice(_AMOUNT.finditer(sentence.text), _MOST_AMOUNTS + 1))
        for match in amounts if len(amounts) <= _MOST_AMOUNTS else ():
            pay = _read(match, sentence, is_announced)
            if pay is not None:
                cited = posting.cite(pay, sentence.start + match.start(), sentence.start + match.end())
                found.setdefault(pay, cited)
    return [stated for pay, stated in found.items() if not _is_told_better(pay, found)]


def _is_told_better(pay: Pay, found: Iterable[Pay]) -> bool:
    """Whether the same range stands elsewhere with its period."""
    if pay.period is not None:
        return False
    return any(other.period and other.model_copy(update={"period": None}) == pay for other in found)


def _is_pay_line(sentence: Span) -> bool:
    """Among benefits, "CHF 2,500 per month" is pay, "$1,500 a year for learning" is not."""
    is_bare = len(sentence.text.split()) <= _BARE_WORDS and _AMOUNT.match(sentence.text) is not None
    return is_bare or _PAY_WORDS.search(sentence.text) is not None


def _read(match: re.Match[str], sentence: Span, is_announced: bool) -> Pay | None:
    marks = [match[name] for name in ("mark", "mark_low", "mark_high", "mark_after") if match[name]]
    period = _period(sentence.text, match)
    if not (is_announced or (marks and period)) or _NOT_THIS_PAY.search(_clause(sentence.text, match)):
        return None
    low = _amount(match["low"], bool(match["low_k"] or (match["high_k"] and not _is_large(match["low"]))))
    high = _amount(match["high"], bool(match["high_k"])) if match["high"] else None
    if not marks and not _is_pay_without_currency(low, high, match, period):
        return None
    if (high is not None and high <= low) or low < 3:
        return None
    bounds = _bounds(low, high, sentence.text[: match.start()])
    return Pay(minimum=bounds[0], maximum=bounds[1], currency=_currency(marks), period=period)


def _bounds(low: float, high: float | None, before: str) -> tuple[float | None, float | None]:
    if high is not None:
        return low, high
    if _MAXIMUM.search(before):
        return None, low
    return (low, None) if _MINIMUM.search(before) else (low, low)


def _clause(text: str, match: re.Match[str]) -> str:
    """The words round an amount, up to the next comma, semicolon, bracket or "plus"."""
    cut = re.compile(r",\s|[;()|]|\bplus\b|\s\+\s|\band a\b|\bsowie\b")
    before = list(cut.finditer(text, 0, match.start()))
    after = cut.search(text, match.end())
    return text[before[-1].end() if before else 0 : after.start() if after else len(text)]


def _period(text: str, match: re.Match[str]) -> PayPeriod | None:
    """The period that follows the amount closely, else one that the sentence names before it."""
    behind, before = text[match.end() : match.end() + 40], text[: match.start()]
    places = [(found.start(), period) for period, pattern in _PERIODS if (found := re.search(pattern, behind, re.I))]
    if places:
        return min(places)[1]
    named = {period for period, pattern in _PERIODS if re.search(pattern, before, re.I)}
    return named.pop() if len(named) == 1 else None


def _is_pay_without_currency(low: float, high: float | None, match: re.Match[str], period: PayPeriod | None) -> bool:
    """Bare numbers are pay only right behind the word itself, as in "Salary: 60,000 - 75,000 per year"."""
    before = match.string[: match.start()]
    is_near = re.search(r"(?:salary|pay|compensation|gehalt|vergütung)(?: range)?\W{0,6}$", before, re.I)
    return bool(is_near) and (high is not None or period is not None) and low >= 1000


def _is_large(number: str) -> bool:
    return _amount(number, False) >= 1000


def _amount(number: str, is_thousands: bool) -> float:
    bare = re.sub(r"[ '’]", "", number)
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", bare):
        bare = re.sub(r"[.,]", "", bare)
    else:
        whole, mark, cents = bare.replace(",", ".").rpartition(".")
        bare = whole.replace(".", "") + mark + cents
    return float(bare) * (1000 if is_thousands else 1)


def _currency(marks: Sequence[str]) -> str | None:
    """The ISO code; a bare $ may be any dollar, so it stays "$" unless a mark beside it says which."""
    codes = [_SYMBOLS.get(mark, mark) for mark in marks]
    return next((code for code in codes if code != "$"), codes[0] if codes else None)
