"""Types of PyStemmer's binary module, as far as it is used."""

class Stemmer:
    def __init__(self, language: str) -> None: ...
    def stemWord(self, word: str, /) -> str: ...  # noqa: N802
