"""What counts as a question."""

import re

from deeptrust.errors import BadQuestion

_NOT_STORABLE = re.compile(r"[\x00\ud800-\udfff]")
"""NUL, and halves of a character, as a shell hands over bytes that are no UTF-8."""


def check_question(text: str, max_characters: int) -> str:
    """Return the question without white space at its ends and without what no store can hold.

    Raises:
        BadQuestion: it is empty, has no letter or digit, or is longer than `max_characters`.
    """
    question = _NOT_STORABLE.sub("", text).strip()
    if not question:
        raise BadQuestion("The question is empty. Write what you want to know.")
    # An embedder reads signs that it does not know all alike: any of them would find any other.
    if not any(character.isalnum() for character in question):
        raise BadQuestion("The question has no words. Write what you want to know.")
    if len(question) > max_characters:
        raise BadQuestion(
            f"The question has {len(question):,} characters; the limit is {max_characters:,}. "
            "Shorten it, or add the long part as a note and ask about that."
        )
    return question
