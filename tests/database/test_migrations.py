"""Homes of the first release, and what a kill or a bad change does to them."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from deeptrust.database import migrations, runs
from deeptrust.database.engine import Database
from deeptrust.database.users import local_user
from deeptrust.domain.run import RunRequest, RunStatus
from deeptrust.errors import StoreUnavailable
from tests.waiting import PATIENCE_SECONDS

PROJECT = Path(__file__).resolve().parents[2]

FIRST_RELEASE = """
CREATE TABLE users (id VARCHAR NOT NULL, is_local BOOLEAN NOT NULL, created_at DATETIME NOT NULL, PRIMARY KEY (id));
CREATE INDEX ix_users_is_local ON users (is_local);
CREATE TABLE jobs (id VARCHAR NOT NULL, owner VARCHAR NOT NULL, posting VARCHAR NOT NULL, resume VARCHAR,
    facts VARCHAR, own_documents VARCHAR, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL,
    PRIMARY KEY (id), FOREIGN KEY(owner) REFERENCES users (id));
CREATE INDEX ix_jobs_owner ON jobs (owner);
CREATE TABLE notebook_links (owner VARCHAR NOT NULL, collection VARCHAR NOT NULL, harness_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL, PRIMARY KEY (owner, collection, harness_id), FOREIGN KEY(owner) REFERENCES users (id));
CREATE TABLE runs (id VARCHAR NOT NULL, owner VARCHAR NOT NULL, thread_id VARCHAR NOT NULL, kind VARCHAR NOT NULL,
    question VARCHAR NOT NULL, collection VARCHAR NOT NULL, sources VARCHAR NOT NULL, session_name VARCHAR NOT NULL,
    retrieved_context VARCHAR NOT NULL, context_urls JSON NOT NULL, status VARCHAR NOT NULL, evidence VARCHAR,
    created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, PRIMARY KEY (id),
    FOREIGN KEY(owner) REFERENCES users (id));
CREATE INDEX ix_runs_status ON runs (status);
CREATE INDEX ix_runs_thread_id ON runs (thread_id);
CREATE INDEX ix_runs_owner ON runs (owner);
CREATE TABLE approvals (id VARCHAR NOT NULL, run_id VARCHAR NOT NULL, owner VARCHAR NOT NULL,
    plan_hash VARCHAR NOT NULL, policy_hash VARCHAR NOT NULL, expires_at DATETIME NOT NULL, state VARCHAR NOT NULL,
    outcome VARCHAR, asked_at DATETIME NOT NULL, PRIMARY KEY (id), FOREIGN KEY(run_id) REFERENCES runs (id),
    FOREIGN KEY(owner) REFERENCES users (id));
CREATE INDEX ix_approvals_state ON approvals (state);
CREATE INDEX ix_approvals_run_id ON approvals (run_id);
CREATE TABLE evidence (run_id VARCHAR NOT NULL, passage_id VARCHAR NOT NULL, body VARCHAR NOT NULL,
    PRIMARY KEY (run_id, passage_id), FOREIGN KEY(run_id) REFERENCES runs (id));
CREATE TABLE run_events (run_id VARCHAR NOT NULL, sequence INTEGER NOT NULL, at DATETIME NOT NULL,
    body VARCHAR NOT NULL, PRIMARY KEY (run_id, sequence), FOREIGN KEY(run_id) REFERENCES runs (id));
CREATE TABLE step_results (run_id VARCHAR NOT NULL, step_id VARCHAR NOT NULL, body VARCHAR NOT NULL,
    PRIMARY KEY (run_id, step_id), FOREIGN KEY(run_id) REFERENCES runs (id));
"""
"""What the first release made, to the letter."""

ROWS = """
INSERT INTO users VALUES ('u', 1, '2026-11-01 08:00:00.000000');
INSERT INTO runs VALUES ('r', 'u', 'r', 'ask', 'Do cats purr?', 'workspace', 'documents', 'Unnamed Session', '', '[]',
    'complete', 'found', '2026-11-01 08:00:00.000000', '2026-11-01 08:00:01.000000');
INSERT INTO run_events VALUES ('r', 1, '2026-11-01 08:00:01.000000',
    '{"type": "status", "status": "complete", "evidence": "found", "message": null}');
INSERT INTO notebook_links VALUES ('u', 'job-1', 'notebooklm', 'https://example.org/notebook');
"""


Result = TypeVar("Result")


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    file = tmp_path / "deeptrust.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(FIRST_RELEASE + ROWS)
    return file


def look(file: Path, work: Callable[[sqlite3.Connection], Result]) -> Result:
    with closing(sqlite3.connect(file)) as connection:
        return work(connection)


def version_of(file: Path) -> int:
    return look(file, lambda connection: connection.execute("PRAGMA user_version").fetchone()[0])


def schema_of(file: Path) -> list[tuple[str, ...]]:
    """Columns, keys and indexes of every table, in an order that does not tell their age."""
    return look(file, lambda connection: connection.execute(
        "SELECT m.name, c.name, c.type, c.\"notnull\", c.pk FROM sqlite_master m, pragma_table_info(m.name) c "
        "WHERE m.type = 'table' UNION ALL SELECT m.name, i.name, i.\"unique\", '', '' FROM sqlite_master m, "
        "pragma_index_list(m.name) i UNION ALL SELECT m.name, f.\"table\", f.\"from\", f.\"to\", '' "
        "FROM sqlite_master m, pragma_foreign_key_list(m.name) f ORDER BY 1, 2, 3").fetchall())  # fmt: skip


async def test_dep_16_a_home_of_the_first_release_opens_with_all_that_it_held(old_file: Path, tmp_path: Path):
    before = look(old_file, migrations.count_rows)
    database = Database(old_file)
    await database.open()
    run = await database.run(lambda session: runs.find_run(session, "r"))
    events = await database.run(lambda session: runs.events_after(session, "r", 0))
    assert (run.question, run.status, len(events)) == ("Do cats purr?", RunStatus.COMPLETE, 1)
    assert await database.run(local_user) == "u"
    await database.run(lambda session: runs.add_run(session, "r2", "u", RunRequest(question="Why?")))
    await database.close()
    after = look(old_file, migrations.count_rows)
    assert all(after[name] >= count for name, count in before.items())
    assert version_of(old_file) == len(migrations.CHANGES) > 0
    assert look(migrations.backup_of(old_file), migrations.count_rows) == before
    assert version_of(migrations.backup_of(old_file)) == 0


async def test_an_upgraded_file_has_the_tables_of_a_new_one(old_file: Path, tmp_path: Path):
    """A column or table that is added to the rows without a change in the history is caught here."""
    migrations.prepare(old_file)
    migrations.prepare(tmp_path / "new.sqlite")
    assert schema_of(old_file) == schema_of(tmp_path / "new.sqlite")


def lose_a_run(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM run_events")
    connection.execute("DELETE FROM runs")


def lose_a_table(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE notebook_links")


def break_a_reference(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE runs SET owner = 'nobody'")


@pytest.mark.parametrize("change", [lose_a_run, lose_a_table, break_a_reference])
def test_dep_16_a_change_that_would_lose_rows_is_stopped_and_rolled_back(
    old_file: Path, change: Callable[[sqlite3.Connection], None]
):
    before = look(old_file, migrations.count_rows)
    with pytest.raises(StoreUnavailable, match="would lose some of it, so nothing was changed"):
        migrations.prepare(old_file, (change,))
    for file in (old_file, migrations.backup_of(old_file)):
        assert (look(file, migrations.count_rows), version_of(file)) == (before, 0)
    migrations.prepare(old_file)  # a mended release opens it
    assert version_of(old_file) == len(migrations.CHANGES)


def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path):
    file = tmp_path / "deeptrust.sqlite"
    migrations.prepare(file)
    look(file, lambda connection: connection.execute("PRAGMA user_version = 99"))
    with pytest.raises(StoreUnavailable, match="newer DeepTrust"):
        migrations.prepare(file)
    assert version_of(file) == 99
    assert not migrations.backup_of(file).exists()


def test_a_first_start_that_was_cut_short_is_begun_again(tmp_path: Path):
    file = tmp_path / "deeptrust.sqlite"
    look(file, lambda connection: connection.executescript(FIRST_RELEASE.split("CREATE TABLE runs")[0]))
    migrations.prepare(file)
    migrations.prepare(tmp_path / "new.sqlite")
    assert schema_of(file) == schema_of(tmp_path / "new.sqlite")


async def test_the_backup_of_an_upgrade_goes_with_the_first_deletion(old_file: Path):
    database = Database(old_file)
    await database.open()
    assert b"Do cats purr?" in migrations.backup_of(old_file).read_bytes()
    await database.run(lambda session: runs.delete_run(session, "r"))
    await database.erase()
    await database.close()
    assert not any(b"Do cats purr?" in path.read_bytes() for path in old_file.parent.iterdir())


UPGRADE_AND_DIE = """
import os, signal, sqlite3, sys
from pathlib import Path
from deeptrust.database import migrations

statements = 0
def die(statement):
    global statements
    statements += 1
    if statements == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

connect = sqlite3.connect
def watched(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.set_trace_callback(die)
    return connection
sqlite3.connect = watched
migrations.prepare(Path(sys.argv[1]))
print(statements)
"""


@pytest.mark.thorough
def test_sto_08_an_upgrade_survives_a_kill_before_each_of_its_statements(old_file: Path, tmp_path: Path):
    old = old_file.read_bytes()
    before = look(old_file, migrations.count_rows)
    number = deaths = 0
    while True:
        number += 3  # every third: the suite has other things to do
        for path in tmp_path.iterdir():
            path.unlink()
        old_file.write_bytes(old)
        command = [sys.executable, "-c", UPGRADE_AND_DIE, str(old_file), str(number)]
        died = subprocess.run(command, cwd=PROJECT, capture_output=True, timeout=PATIENCE_SECONDS).returncode == -9
        deaths += died
        counts = look(old_file, migrations.count_rows)
        assert all(counts[name] == count for name, count in before.items())
        assert version_of(old_file) in (0, len(migrations.CHANGES))
        migrations.prepare(old_file)
        assert version_of(old_file) == len(migrations.CHANGES)
        assert os.access(old_file, os.R_OK)
        if not died:
            break
    assert deaths > 5
