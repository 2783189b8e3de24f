"""The script that a text is written in."""

import unicodedata


def is_latin(text: str) -> bool:
    """Whether most letters of `text` are Latin, the script that the bundled embedder reads."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return 2 * latin >= len(letters)
