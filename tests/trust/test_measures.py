"""RET-15: a number that is measured otherwise than in its source is another fact."""

import pytest

from deeptrust.trust.entailment import find_support
from deeptrust.trust.measures import find_changed_measure

SOURCE = (
    "Revenue rose by 5% in 2023 to $3.2 million. The deposit is 900 euros and is paid back within 30 days. "
    "Applicants need at least 3 years of practice; the fine is up to 250 euros. Die Miete beträgt 1.200,50 Euro. "
    "The tank holds no more than 40 litres and weighs 12 kg."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Revenue rose to $3.2 billion.",
        "Revenue rose to $3.2.",
        "Revenue rose to €3.2 million.",
        "Revenue rose by 5 percentage points.",
        "Revenue rose by 5.",
        "The deposit is 900 dollars.",
        "The deposit is paid back within 30 months.",
        "The deposit is less than 900 euros.",
        "The deposit is at least 900 euros.",
        "The deposit is 900 euros or more.",
        "Applicants need 3 years of practice.",
        "Applicants need at most three years of practice.",
        "The fine is 250 euros.",
        "The fine is at least 250 euros.",
        "Die Miete beträgt mindestens 1.200,50 Euro.",
        "The tank weighs 12 tonnes.",
    ],
)
def test_ret_15_a_changed_unit_scale_or_bound_is_not_supported(sentence: str):
    assert find_changed_measure(sentence, SOURCE)
    assert not find_support(sentence, SOURCE).is_supported


@pytest.mark.parametrize(
    "sentence",
    [
        "Revenue rose 5 percent in 2023 to 3.2 million dollars.",
        "Revenue rose to USD 3.2m.",
        "The deposit of €900 is paid back within the 30-day period.",
        "The deposit is 900.",
        "Applicants need 3 or more years of practice.",
        "The fine is up to 250 €.",
        "Die Miete beträgt 1200.50 Euro.",
        "The tank holds at most 40 litres.",
        "They discover 900 euros.",
        "It happened in 1998.",
    ],
)
def test_the_same_measure_in_other_words_is_no_change(sentence: str):
    assert find_changed_measure(sentence, SOURCE) == ""
