"""What a person chose for their models, kept in their home: `model.json`."""

import logging
from pathlib import Path

from deeptrust.errors import StoreUnavailable
from deeptrust.llm.home_file import HomeFile

logger = logging.getLogger(__name__)

AUTO = "auto"
_MODEL = "model"


class ChoiceFile:
    """The id of the model, or `auto`; and settings by their names, such as the address of a server."""

    def __init__(self, home: Path) -> None:
        self._file = HomeFile(home / "model.json")

    def read(self) -> str:
        """Return the model that was chosen; `auto` where none was, or where the file is damaged."""
        return self.setting(_MODEL) or AUTO

    def write(self, model_id: str) -> None:
        """Keep the choice of a model.

        Raises:
            StoreUnavailable: the home cannot be written.
        """
        self.keep(_MODEL, model_id)

    def setting(self, name: str) -> str:
        """Return what is kept under `name`; empty where nothing is, or where the file is damaged."""
        return self._load().get(name, "")

    def keep(self, name: str, value: str) -> None:
        """Keep `value`; an empty one is forgotten.

        Raises:
            StoreUnavailable: the home cannot be written.
        """
        try:
            self._file.write(self._load() | {name: value})
        except OSError as error:
            raise StoreUnavailable("The choice cannot be kept: the home cannot be written. Check its disk.") from error

    def _load(self) -> dict[str, str]:
        try:
            return self._file.read()
        except (OSError, ValueError):
            logger.warning("model.json in the home cannot be read; what was chosen there does not count")
            return {}
