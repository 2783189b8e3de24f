"""Words that name jobs and employers."""

import re

JOB_WORD = re.compile(
    r"\b(?:\w*engineer(?:in)?|\w*developer|\w*manager(?:in)?|\w*analyst(?:in)?|\w*architect|designer|scientist|"
    r"director|"
    r"consultant|specialist|administrator|coordinator|assistant|associate|technician|nurse|teacher|lead|head|officer|"
    r"researcher|writer|editor|accountant|recruiter|operator|representative|supervisor|intern|trainee|programmer|"
    r"\w*entwickler(?:in)?|\w*ingenieur(?:in)?|\w*leiter(?:in)?|\w*berater(?:in)?|\w*kraft|\w*mitarbeiter(?:in)?|"
    r"referent(?:in)?|werkstudent(?:in)?|praktikant(?:in)?|sachbearbeiter(?:in)?|\w*pfleger(?:in)?|mechanic|driver|"
    r"chef|"
    r"executive|surveyor|actuary|lawyer|attorney|physician|grower|clerk|welder|professor|postdoc|secretary|president|"
    r"advisor|adviser|agent|planner|producer|buyer|economist|statistician|chemist|biologist|physicist|translator|"
    r"journalist|pharmacist|therapist|psychologist|electrician|carpenter|receptionist|strategist|inspector|controller|"
    r"auditor|tester|expert|cook|barista|counsel|paralegal|librarian|fellow|advocate|owner|sre|\w*techniker(?:in)?|"
    r"buchhalter(?:in)?)\b"
    r"|\((?:m/w/d|w/m/d|d/m/w|all genders|f/m/d|m/f/d|m/f/x|gn)\)",
    re.I,
)
"""Found in the name of nearly every job."""

NAME = r"(?P<company>(?:[A-Z0-9][\w&.'’-]*)(?: (?:(?:of|and|for|the|&|für|und|der) )?[A-Z0-9][\w&.'’-]*){0,4})"
"""A name of one to five words, in the group `company`."""

INSTITUTION = re.compile(
    r"(?:[A-ZÄÖÜ][\w.&'’-]*|of|the|and|für|der|for) ?(?:[\w.&'’-]+ ){0,5}?"
    r"(?:University|College|School|Hospital|Museum|Institute|Council|Bank|Library|Foundation|Universität|Klinikum|"
    r"GmbH|AG|Inc\.?|Ltd\.?|LLC|Limited|plc|e\.V\.)(?: (?:of|for|für) (?:[A-ZÄÖÜ][\w-]+ ?){1,4})?"
    r"|University of (?:[A-ZÄÖÜ][\w-]+ ?){1,3}"
)
"""A name that says by itself that it is an employer's."""

_ABBREVIATED = re.compile(r"\b(?:e\.V|Inc|Co|Ltd|Corp|S\.A|B\.V|A\.G)\.$")


def trim(text: str, start: int, end: int, offset: int = 0) -> tuple[int, int]:
    """Cut white space, bold marks and closing punctuation from the ends."""
    piece = text[start:end]
    kept = piece.strip(" \t*_")
    kept = kept if _ABBREVIATED.search(kept) else kept.rstrip(".,;:")
    first = start + piece.index(kept)
    return offset + first, offset + first + len(kept)
