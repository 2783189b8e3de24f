"""What counts as a question."""

from deeptrust.errors import BadQuestion


def check_question(text: str, max_characters: int) -> str:
    """Return the question without white space at its ends.

    Raises:
        BadQuestion: it is empty or longer than `max_characters`.
    """
    question = text.strip()
    if not question:
        raise BadQuestion("The question is empty. Write what you want to know.")
    if len(question) > max_characters:
        raise BadQuestion(
            f"The question has {len(question):,} characters; the limit is {max_characters:,}. "
            "Shorten it, or add the long part as a note and ask about that."
        )
    return question
