"""The seam of a place that models come from: it lists them, makes them ready, and builds them by their id."""

import re
from typing import Protocol

from deeptrust.domain.model import ModelOffer
from deeptrust.llm.base import ChatModel
from deeptrust.llm.downloads import Work
from deeptrust.settings import Settings

FEWEST_WRITING_PARAMETERS = 1e9
"""Smaller models lose against quoting: most of their sentences do not survive the check (docs/models.md)."""

_PARAMETERS = re.compile(r"(?<![\d.a-z])(\d+(?:\.\d+)?)\s*([mb])(?![a-z0-9])", re.IGNORECASE)


class ModelSource(Protocol):
    """One technology. Ids are those of `ModelOffer`; `refresh` is the only method that waits for anything."""

    def offers(self) -> list[ModelOffer]:
        """What was there at the last `refresh`; nothing is chosen yet."""
        ...

    async def refresh(self) -> None:
        """Look again. What is wrong is told by the offers and never raised."""
        ...

    def build(self, model_id: str) -> ChatModel | None:
        """Return the model, not loaded; None if the id is none of this source's, for quoting too.

        Raises:
            BadSetting: its address or command is malformed.
        """
        ...

    def knows(self, model_id: str) -> bool:
        """Whether the id is one of this source's, be it ready or not."""
        ...

    def download(self, model_id: str) -> Work | None:
        """Return what makes the model ready, or None where nothing can be downloaded.

        Raises:
            Conflict: it would not fit into memory.
        """
        ...


def parameters_in(text: str) -> float | None:
    """Count of weights that a name or label gives, `qwen3:8b` or `360M`; None if it gives none."""
    found = _PARAMETERS.search(text)
    if found is None:
        return None
    return float(found[1]) * (1e9 if found[2].lower() == "b" else 1e6)


def writes_well(parameters: float | None) -> bool:
    """Whether a model of this size writes where answers are on `auto`; one of unknown size does."""
    return parameters is None or parameters >= FEWEST_WRITING_PARAMETERS


def forbid_offline(settings: Settings, *, reaches_network: bool) -> str:
    """Why a model is not used, where nothing may leave the machine; empty where it may be used."""
    return "Not used offline: it would leave this machine." if settings.offline and reaches_network else ""
