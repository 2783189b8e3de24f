"""What the store should hold, written outside it: DuckDB opens a shortened log without a word (STO-06)."""

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One stored document: its label for the person, and how many passages it has."""

    label: str
    passages: int


class Ledger:
    """A lower bound of the store: an entry is written after its commit and erased before its removal, so that
    a crash between the two never raises a false alarm.
    """

    def __init__(self, path: Path) -> None:
        """Read the file; one that is missing or unreadable counts as empty and only costs the alarm."""
        self._path = path
        self._entries = _read(path)

    def missing_from(self, passages_of: Mapping[str, int]) -> list[str]:
        """Labels of documents that have fewer passages in the store (by document id) than were written."""
        return sorted(entry.label for id_, entry in self._entries.items() if passages_of.get(id_, 0) < entry.passages)

    def remember(self, document_id: str, label: str, passages: int) -> None:
        """Note a document that has been committed; a full disk now only costs the alarm, for the document stands."""
        try:
            self._write({**self._entries, document_id: LedgerEntry(label, passages)})
        except OSError as error:
            logger.warning("the ledger could not be written: %s", error)

    def forget(self, document_id: str) -> None:
        """Erase a document that is about to be removed."""
        self._write({id_: entry for id_, entry in self._entries.items() if id_ != document_id})

    def keep_only(self, entries: Mapping[str, LedgerEntry]) -> None:
        """Replace all entries by what the store really holds: the person has been told of the rest."""
        self._write(dict(entries))

    def _write(self, entries: dict[str, LedgerEntry]) -> None:
        self._entries = entries
        temporary = self._path.with_suffix(".new")
        with temporary.open("w", encoding="utf-8") as file:
            json.dump({id_: asdict(entry) for id_, entry in entries.items()}, file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._path)


def _read(path: Path) -> dict[str, LedgerEntry]:
    try:
        data = cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
        return {id_: LedgerEntry(str(row["label"]), int(row["passages"])) for id_, row in data.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
