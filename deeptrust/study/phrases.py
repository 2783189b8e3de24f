"""Facts as whole sentences, each with the sentence of the posting behind it, so that an answer can quote both."""

from collections.abc import Iterator, Sequence

from deeptrust.domain.study import JobFacts, Moment, Pay, Stated, missing_facts

_BY_HAND = "(entered by you)"
_ASKED_FOR = {
    "title": "the title of this job",
    "company": "the company (employer)",
    "description": "a description of this job",
    "requirements": "what this job requires (requirements)",
    "locations": "where this job is (locations)",
    "pay": "what this job pays (pay, salary)",
    "date posted": "when this job was posted (date posted)",
    "application deadline": "until when to apply (application deadline)",
    "start date": "when this job starts (start date)",
    "interview date": "when interviews are held (interview date)",
}
"""What is missing in the words in which it is asked for; by its plain name where that is how it is asked for."""


def with_quote(sentence: str, quote: str | None) -> str:
    """The sentence as a list item, and the posting's own words; without a quote it says who entered it."""
    return f"- {sentence} The posting says: “{flat(quote)}”" if quote else f"- {sentence} {_BY_HAND}"


def flat(text: str) -> str:
    """The text on one line, letters unchanged."""
    return " ".join(text.split())


def say_missing(facts: JobFacts) -> Iterator[str]:
    """One list item for each field that the posting does not state: whoever asks for it is told so."""
    for name in missing_facts(facts):
        yield f"- The posting does not state {_ASKED_FOR.get(name, f'the {name}')}."


def say_facts(facts: JobFacts) -> Iterator[str]:
    """One list item for each fact that describes the job itself."""
    if facts.title:
        yield with_quote(f"The title of this job is {facts.title.value}.", facts.title.quote)
    if facts.company:
        yield with_quote(f"The company (employer) is {facts.company.value}.", facts.company.quote)
    for place in facts.locations:
        yield with_quote(f"The location of this job is {place.value}.", place.quote)
    for kind in facts.employment:
        yield with_quote(f"The employment type is {kind.value}.", kind.quote)
    for pay in facts.pay:
        yield with_quote(f"This job pays {say_pay(pay.value)} (salary).", pay.quote)
    yield from say_dates(facts)


def say_dates(facts: JobFacts) -> Iterator[str]:
    """One list item for each date that is stated."""
    for stated, what in (
        (facts.posted, "The job was posted"),
        (facts.deadline, "The deadline to apply is"),
        (facts.start, "The start date is"),
        (facts.interview, "Interviews are held"),
    ):
        if stated:
            yield with_quote(f"{what} {_say_moment(stated)}.", stated.quote)


def say_pay(pay: Pay) -> str:
    """For instance "USD 120,000 to 150,000 per year", "at least EUR 55,000", "at most $191,900"."""
    low, high = pay.minimum, pay.maximum
    if low is None and high is None:
        return "an amount that is not stated"
    if low is None or high is None:
        amount = f"at least {_money(low, pay)}" if low is not None else f"at most {_money(high or 0, pay)}"
    else:
        amount = _money(low, pay) if low == high else f"{_money(low, pay)} to {_number(high)}"
    return f"{amount} per {pay.period}" if pay.period else f"{amount} (period not stated)"


def say_list(values: Sequence[str]) -> str:
    """The values with commas between them."""
    return ", ".join(values)


def _say_moment(stated: Stated[Moment]) -> str:
    moment = stated.value
    if moment.day and moment.day.isoformat() != moment.text:
        return f"{moment.text} ({moment.day.isoformat()})"
    return moment.text


def _money(amount: float, pay: Pay) -> str:
    mark = pay.currency or ""
    return f"{mark}{_number(amount)}" if mark == "$" else f"{mark} {_number(amount)}".strip()


def _number(amount: float) -> str:
    return f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.2f}"
