"""Counting tokens where no tokenizer is at hand."""

_BYTES_A_TOKEN = 3
_FRAME = 8
"""Tokens that a chat format puts round a message."""


def estimate_tokens(text: str) -> int:
    """An upper estimate: English has about 4 bytes of UTF-8 a token, other scripts 2 to 3."""
    return len(text.encode()) // _BYTES_A_TOKEN + _FRAME
