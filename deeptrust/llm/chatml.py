"""ChatML, the prompt format of SmolLM2 and Qwen: our own template, and text kept from posing as its marks."""

import re

TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{{ '<|im_start|>assistant\\n' }}"
)
"""Fixed here, so that a template inside a model file is never rendered (CVE-2024-34359)."""

TEMPLATE_WITHOUT_THINKING = TEMPLATE + "{{ '<think>\\n\\n</think>\\n\\n' }}"
"""For models that think aloud by default: an empty think block stands before the reply, as Qwen3's own template has it
where thinking is off."""

_MARK = re.compile(r"<\|(\w+)\|>")


def defuse(text: str) -> str:
    """Put spaces inside control marks, so that `<|im_end|>` in a document is text and cannot end its turn.

    The engine reads marks as control tokens wherever they stand in the prompt.
    """
    return _MARK.sub(r"<| \1 |>", text)
