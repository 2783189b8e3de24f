"""What a model thinks aloud is no part of its answer (LLM-01)."""

import re

_NAMES = "think|thinking|thought|reasoning"
_CLOSED = re.compile(rf"<({_NAMES})\b[^>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_UP_TO_CLOSING = re.compile(rf"\A.*</(?:{_NAMES})\s*>", re.DOTALL | re.IGNORECASE)
_UNCLOSED = re.compile(rf"<(?:{_NAMES})\b[^>]*>.*\Z", re.DOTALL | re.IGNORECASE)


def remove_thinking(text: str) -> str:
    """Return `text` without its thinking blocks.

    Some chat formats open the block in the prompt, so all before a lone closing tag is thinking too. An unclosed
    block leaves nothing behind it: the model never came to its answer.
    """
    return _UNCLOSED.sub("", _UP_TO_CLOSING.sub("", _CLOSED.sub("", text)))
