"""How much a sentence wants what it names: required unless it says preferred, or that it can be done without."""

import re
from collections.abc import Sequence

_PREFERRED = re.compile(
    r"\b(?:nice[- ]to[- ]have|preferred|preferably|(?:is |are |would be |as )?an? (?:big |huge |strong |definite )?"
    r"(?:plus|bonus|advantage)|bonus(?: points)?(?: for| if|:)|ideally|desirable|beneficial|advantageous|"
    r"would be great|helpful|we'd love|optional|preference (?:for|is|given)|hilfreich|von vorteil|wünschenswert|"
    r"idealerweise|gerne auch|vorteilhaft)\b",
    re.I,
)
_NEEDED = r"(?:required|needed|necessary|essential|mandatory|expected|a must|erforderlich|nötig|notwendig)"
_THING = (
    r"(?:degree|diploma|experience|certification|certificate|studium|abschluss|erfahrung|knowledge|background|"
    r"ausbildung|kenntnisse)"
)
_WAIVED = re.compile(
    rf"\b(?:no|keine?n?|keinerlei) (?:[\w'’/-]+ ){{0,4}}?\w*{_THING}\w*(?: or [\w ]{{1,25}}?)?(?: (?:is|are|ist|"
    rf"sind))? "
    rf"?{_NEEDED}"
    rf"|(?:(?<=[,;.:] )|(?<=but )|(?<=and )|^)[^,;.:]{{2,70}}? (?:is|are|ist|sind) (?:not|nicht|no longer) (?:\w+ "
    rf")?{_NEEDED}"
    r"|\b(?:you )?(?:don['’]t|do not) (?:\w+ )?need (?:an? |any |to (?:have|know) )?[^,;.]{2,50}"
    rf"|\bno {_THING}\? no problem",
    re.I,
)


def is_preferred(sentence: str) -> bool:
    """Whether the sentence itself calls the thing welcome rather than required."""
    return _PREFERRED.search(sentence) is not None


def waived_parts(sentence: str) -> Sequence[str]:
    """The parts of the sentence that say what is not asked for: "no degree required"."""
    return [match.group().strip() for match in _WAIVED.finditer(sentence)]
