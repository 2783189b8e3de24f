"""What a home holds, read from a copy by plain SQL and none of the program's own reading code."""

import json
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb


@dataclass
class StoredDocument:
    """A row of `documents`, with what hangs on it; `faults` say what does not fit together."""

    id: str
    name: str
    passages: int
    faults: list[str] = field(default_factory=list[str])


@dataclass
class StoredRun:
    """A row of `runs`, with its events in order as (number, time, body)."""

    id: str
    kind: str
    question: str
    status: str
    events: list[tuple[int, str, dict[str, Any]]]
    results: list[dict[str, Any]]
    evidence: set[str]
    has_checkpoint: bool
    """Whether it could be resumed."""


@dataclass
class Snapshot:
    """One home at rest."""

    documents: list[StoredDocument] = field(default_factory=list[StoredDocument])
    runs: list[StoredRun] = field(default_factory=list[StoredRun])
    faults: list[str] = field(default_factory=list[str])
    """Rows that belong to nothing, files that do not open."""


def take(home: Path) -> Snapshot:
    """Copy `home`, whose server is dead, and read the copy: the home itself must be met by the program first."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "home"
        shutil.copytree(home, copy, symlinks=True)
        snapshot = Snapshot()
        for folder in (copy / "users").glob("*"):
            if not folder.name.startswith("."):
                _read_store(folder, snapshot)
        if (copy / "deeptrust.sqlite").exists():
            _read_database(copy / "deeptrust.sqlite", _list_checkpoints(copy / "checkpoints.sqlite"), snapshot)
        return snapshot


_DOCUMENTS = """
SELECT d.id, d.label,
    (SELECT count(*) FROM passages p WHERE p.document_id = d.id),
    (SELECT count(*) FROM pages g WHERE g.document_id = d.id),
    (SELECT count(*) FROM passages p LEFT JOIN pages g ON g.document_id = p.document_id AND g.number = p.page
        WHERE p.document_id = d.id AND (g.text IS NULL OR p.end_at > length(g.text))),
    (SELECT count(*) FROM passages p WHERE p.document_id = d.id AND p.term_count <>
        (SELECT coalesce(sum(occurrences), 0) FROM postings t WHERE t.passage_key = p.key))
FROM documents d
"""
_ORPHANS = {
    "passages of no document": "SELECT count(*) FROM passages WHERE document_id NOT IN (SELECT id FROM documents)",
    "pages of no document": "SELECT count(*) FROM pages WHERE document_id NOT IN (SELECT id FROM documents)",
    "terms of no passage": "SELECT count(*) FROM postings WHERE passage_key NOT IN (SELECT key FROM passages)",
}


def _read_store(folder: Path, snapshot: Snapshot) -> None:
    file = folder / "knowledge.duckdb"
    if not file.exists():
        return
    try:
        with duckdb.connect(str(file), config={"threads": 1}) as connection:
            if not connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'store'").fetchall():
                return  # killed before its tables were made
            for row in connection.execute(_DOCUMENTS).fetchall():
                snapshot.documents.append(_document(row))
            for what, query in _ORPHANS.items():
                if count := connection.execute(query).fetchall()[0][0]:
                    snapshot.faults.append(f"{count} {what}")
    except duckdb.Error as error:
        snapshot.faults.append(f"the knowledge store does not open: {error}")
        return
    _compare_ledger(folder / "knowledge.ledger.json", snapshot)


def _document(row: tuple[Any, ...]) -> StoredDocument:
    id_, label, passages, pages, out_of_page, out_of_index = row
    faults = [] if passages and pages else [f"{passages} passages on {pages} pages"]
    faults += [f"{out_of_page} passages outside their page"] if out_of_page else []
    faults += [f"{out_of_index} passages with other terms than their index"] if out_of_index else []
    return StoredDocument(id_, label, passages, faults)


def _compare_ledger(file: Path, snapshot: Snapshot) -> None:
    stored = {document.id: document.passages for document in snapshot.documents}
    noted = json.loads(file.read_text()) if file.exists() else {}
    for id_, entry in noted.items():
        if stored.get(id_, 0) < entry["passages"]:
            snapshot.faults.append(f"the ledger misses {entry['label']}")


def _list_checkpoints(file: Path) -> set[str]:
    if not file.exists():
        return set()
    with closing(sqlite3.connect(file)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'checkpoints'").fetchall():
            return set()
        return {run_id for (run_id,) in connection.execute("SELECT thread_id FROM checkpoints")}


def _read_database(file: Path, checkpoints: set[str], snapshot: Snapshot) -> None:
    with closing(sqlite3.connect(file)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'runs'").fetchall():
            return
        if (said := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            snapshot.faults.append(f"the database is damaged: {said}")
        if connection.execute("PRAGMA foreign_key_check").fetchall():
            snapshot.faults.append("rows that hang on no run or person")
        events: defaultdict[str, list[tuple[int, str, dict[str, Any]]]] = defaultdict(list)
        for run_id, number, at, body in connection.execute(
            "SELECT run_id, sequence, at, body FROM run_events ORDER BY run_id, sequence"
        ):
            events[run_id].append((number, datetime.fromisoformat(at).isoformat(), json.loads(body)))
        results = _by_run(connection, "SELECT run_id, body FROM step_results")
        evidence = _by_run(connection, "SELECT run_id, passage_id FROM evidence")
        for id_, kind, question, status in connection.execute("SELECT id, kind, question, status FROM runs"):
            stored = [json.loads(body) for body in results[id_]]
            run = StoredRun(id_, kind, question, status, events[id_], stored, set(evidence[id_]), id_ in checkpoints)
            snapshot.runs.append(run)


def _by_run(connection: sqlite3.Connection, query: str) -> defaultdict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for run_id, value in connection.execute(query):
        found[run_id].append(value)
    return found
