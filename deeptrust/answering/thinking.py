"""What a model thinks aloud is no part of its answer (LLM-01)."""

import re

_NAMES = r"(?:\w{1,20}:)?(?:think|thinking|thought|reasoning|reflection)"
"""With the prefix that some makers set before it ("seed:think")."""
_BLOCKS = (
    (rf"<{_NAMES}\b[^>]*>", rf"</{_NAMES}\s*>"),
    (r"\[THINK\]", r"\[/THINK\]"),
    (r"◁think▷", r"◁/think▷"),
    (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),
    (r"<\|channel\|>analysis\b[^<]*<\|message\|>", r"<\|end\|>|(?=<\|channel\|>final\b)"),
)
"""How models of several makers begin and end their thinking."""
_PATTERNS = tuple(
    (
        re.compile(f"{begin}.*?(?:{end})", flags),
        re.compile(rf"\A.*(?:{end})", flags),
        re.compile(rf"{begin}.*\Z", flags),
    )
    for begin, end in _BLOCKS
    for flags in [re.DOTALL if "THINK" in begin else re.DOTALL | re.IGNORECASE]  # "[think]" may be prose
)
_FRAME = re.compile(r"<\|(?:start|end|return|channel|message|begin_of_solution|end_of_solution)\|>(?:assistant|final)?")


def remove_thinking(text: str) -> str:
    """Return `text` without its thinking blocks and without the frame that some models set round their answer.

    Some chat formats open the block in the prompt, so all before a lone closing tag is thinking too. An unclosed
    block leaves nothing behind it: the model never came to its answer.
    """
    for closed, up_to_closing, unclosed in _PATTERNS:
        text = unclosed.sub("", up_to_closing.sub("", closed.sub("", text)))
    return _FRAME.sub("", text)
