"""Counting tokens without the model's own tokenizer: an estimate, and the bounds that hold for all of them."""

import re

_BYTES_A_TOKEN = 3
_FRAME = 8
"""Tokens that a chat format puts round a message."""

_LONGEST_TOKEN = 64
"""Characters; the longest tokens of common vocabularies that are no row of one character have about half as many."""

_DIGIT = re.compile(r"[0-9]")
_ROW = re.compile(r"(.)\1+", re.DOTALL)


def estimate_tokens(text: str) -> int:
    """An estimate that is high for English, which has about 4 bytes of UTF-8 a token; other scripts have 2 to 3.

    Digits count one each, as many models read them. A script that a model hardly knows may still have more tokens
    than this: engines refuse what is too long, see `prompt_too_long`.
    """
    digits = len(_DIGIT.findall(text))
    return (len(text.encode()) - digits) // _BYTES_A_TOKEN + digits + _FRAME


def fewest_tokens(text: str) -> int:
    """A count that no tokenizer stays below: no token reaches over a blank, or has more than 64 characters.

    A row of one character counts as that character alone, for vocabularies have long rows of dashes and of zeros.
    """
    return sum(-(-len(_ROW.sub(r"\1", word)) // _LONGEST_TOKEN) for word in text.split())


def most_tokens(text: str) -> int:
    """A count that no tokenizer exceeds: no token is less than a byte of UTF-8."""
    return len(text.encode())
