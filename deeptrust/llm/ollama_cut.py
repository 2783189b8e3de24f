"""Whether Ollama has cut a prompt in silence (LLM-10), by the one number that it gives back.

Since 0.12.6 it refuses instead, if it is told to. Before, or where that is overruled, what is too long loses its front:
four tokens and the latter half of the window stay, or as many as the window holds, and the reply comes as if
nothing had happened.
"""

from collections.abc import Sequence

from deeptrust.domain.chat import Message
from deeptrust.llm.tokens import fewest_tokens, most_tokens

_KEPT = (4, 5)
"""Tokens that stay of the front: Ollama's `num_keep`, and one more where the model wants a mark at the start."""

_FRAME_TOKENS = 256
"""What the template of a model may add to a prompt by itself, at most: marks, and a system message of its own."""


def was_cut(messages: Sequence[Message], read_tokens: int, *, context_tokens: int, reply_tokens: int) -> bool:
    """Whether `read_tokens` is what a cut leaves of `messages`.

    It errs on the side of a cut, but never for a prompt that must have fitted.

    Args:
        messages: what was sent.
        read_tokens: what the server says that it read.
        context_tokens: the window that it was asked for.
        reply_tokens: how much of the window was meant for the reply.
    """
    texts = [message.content for message in messages]
    if read_tokens < sum(map(fewest_tokens, texts)):
        return True
    if sum(map(most_tokens, texts)) + _FRAME_TOKENS < context_tokens:
        return False
    halves = [context_tokens - (context_tokens - kept) // 2 for kept in _KEPT]
    return read_tokens in halves or read_tokens >= context_tokens - reply_tokens
