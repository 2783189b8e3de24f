"""Counting tokens without the model's own tokenizer."""

_BYTES_A_TOKEN = 3
_FRAME = 8
"""Tokens that a chat format puts round a message."""


def estimate_tokens(text: str) -> int:
    """An estimate that is high for English, which has about 4 bytes of UTF-8 a token; other scripts have 2 to 3.

    Digits have 1, so a long row of them is estimated too low: engines refuse what is too long, see `prompt_too_long`.
    """
    return len(text.encode()) // _BYTES_A_TOKEN + _FRAME
