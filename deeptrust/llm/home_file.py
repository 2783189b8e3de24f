"""A few texts by name, kept as JSON in a file of the home that only its owner can read."""

import json
import os
from pathlib import Path


class HomeFile:
    """The file is written whole or not at all; what a person edits by hand may make it unreadable."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, str]:
        """Return what is kept; nothing where there is no file.

        Raises:
            OSError: it cannot be read.
            ValueError: it is no JSON object.
        """
        try:
            found: object = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        if not isinstance(found, dict):
            raise ValueError(self.path.name)
        return {str(name): str(text) for name, text in found.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]

    def write(self, texts: dict[str, str]) -> None:
        """Keep `texts` in place of what there was; empty ones are left out.

        Raises:
            OSError: the home cannot be written.
        """
        fresh = self.path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({name: text for name, text in texts.items() if text}, file)
        fresh.replace(self.path)
