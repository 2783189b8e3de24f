"""The score floors: one logistic model per embedder, fitted by `benchmarks/fit_answerability.py`.

Every number here comes out of that script; data, cross-validation and curves stand in docs/answerability.md.
"""

import math
import re
from dataclasses import dataclass, replace


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
    "all-MiniLM-L6-v2": Calibration(weights=(5.006, 6.005, 3.887, 2.982, -1.424), bias=-7.894, floor=0.52),
    "hashing": Calibration(weights=(1.069, 1.234, 3.828, 3.624, -1.389), bias=-2.827, floor=0.45),
}

WORDS_ONLY = Calibration(weights=(0.0, 0.0, 0.0, 11.752, 0.0), bias=-3.620, floor=0.5)
"""For scripts that an English embedder does not read: the share of the question's words alone."""


CAUTIOUS = replace(WORDS_ONLY, floor=0.99)
"""For an embedder that nobody measured. Cosines lie elsewhere in each, so only the words count, and three quarters of
those that the title lacks must stand in one passage. Stated, not fitted."""

_SAME_WEIGHTS = re.compile(r"ollama:(?:[\w.-]+/)*all-minilm(?::(?:latest|l6-v2|22m)[\w.-]*)?")
"""Ollama's all-minilm is all-MiniLM-L6-v2 in 16 bits; its 12-layer sibling (`l12-v2`, `33m`) is another model."""


def find_calibration(embedder: str) -> Calibration:
    """The calibration of the embedder of this name; `CAUTIOUS` where none was measured."""
    if _SAME_WEIGHTS.fullmatch(embedder.casefold()):
        return _MEASURED["all-MiniLM-L6-v2"]
    return _MEASURED.get(embedder, CAUTIOUS)


def is_measured(embedder: str) -> bool:
    """Whether the floor of this embedder was measured, or is the cautious one."""
    return find_calibration(embedder) is not CAUTIOUS
