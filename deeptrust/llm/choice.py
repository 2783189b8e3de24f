"""Which model a person chose, kept in their home: `model.json`."""

import json
import logging
from pathlib import Path

from deeptrust.errors import StoreUnavailable

logger = logging.getLogger(__name__)

AUTO = "auto"


class ChoiceFile:
    """The id of the model, or `auto`."""

    def __init__(self, home: Path) -> None:
        self._path = home / "model.json"

    def read(self) -> str:
        """Return what was chosen; `auto` where nothing was, or where the file is damaged."""
        try:
            return str(json.loads(self._path.read_text(encoding="utf-8"))["model"])
        except FileNotFoundError:
            return AUTO
        except (OSError, ValueError, KeyError, TypeError):
            logger.warning("model.json in the home cannot be read; the model is chosen automatically")
            return AUTO

    def write(self, model_id: str) -> None:
        """Keep the choice.

        Raises:
            StoreUnavailable: the home cannot be written.
        """
        fresh = self._path.with_suffix(".new")
        try:
            fresh.write_text(json.dumps({"model": model_id}), encoding="utf-8")
            fresh.replace(self._path)
        except OSError as error:
            raise StoreUnavailable("The choice cannot be kept: the home cannot be written. Check its disk.") from error
