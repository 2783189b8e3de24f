"""The score floors: one logistic model per embedder, fitted by `benchmarks/fit_answerability.py`.

Every number here comes out of that script; data, cross-validation and curves stand in docs/answerability.md.
"""

import math
from dataclasses import dataclass

from deeptrust.errors import ModelUnavailable


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights over `relevance.Features` in their order, and the least probability that counts as an answer."""

    weights: tuple[float, float, float, float, float]
    bias: float
    floor: float

    def find_floor(self, passage_count: int) -> float:
        """The floor for a search among `passage_count` passages, higher where chance has more of them to offer."""
        odds = math.log(self.floor / (1 - self.floor))
        size = min(max(passage_count, SMALL_LIBRARY_PASSAGES), LARGE_LIBRARY_PASSAGES)
        growth = LIBRARY_SLOPE * math.log(size / SMALL_LIBRARY_PASSAGES)
        return 1 / (1 + math.exp(-odds - growth))


SMALL_LIBRARY_PASSAGES = 900
LARGE_LIBRARY_PASSAGES = 6_900
LIBRARY_SLOPE = 0.68
"""Up to the small size the floor stands; from there its log-odds grow with the log of the passages searched, from
0.5 to 0.8 at the large size, and no further, for nothing larger was measured. At both ends 97 % of the questions
whose passage was found are still answered (docs/answerability.md, COVID-QA curves)."""

_MEASURED = {
    "all-MiniLM-L6-v2": Calibration(weights=(3.484, 5.885, 3.602, 3.388, -1.429), bias=-7.552, floor=0.5),
    "hashing": Calibration(weights=(2.056, 0.698, 3.335, 3.516, -1.418), bias=-2.835, floor=0.45),
}

WORDS_ONLY = Calibration(weights=(0.0, 0.0, 0.0, 11.651, 0.0), bias=-3.616, floor=0.5)
"""For scripts that an English embedder does not read: the share of the question's words alone."""


def find_calibration(embedder: str) -> Calibration:
    """The calibration of the embedder of this name.

    Raises:
        ModelUnavailable: no floor was measured for it, so nobody could say when to refuse.
    """
    if embedder not in _MEASURED:
        raise ModelUnavailable(
            f"No score floor was measured for the embedder {embedder}. Choose one of {', '.join(_MEASURED)}."
        )
    return _MEASURED[embedder]
