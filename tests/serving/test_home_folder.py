"""The home folder: private, served once, its token readable by its owner only."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from deeptrust.errors import Conflict, StoreUnavailable
from deeptrust.home import HomeFolder, RunningServer
from tests.waiting import PATIENCE_SECONDS


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_token_are_private(home: Path):
    folder = HomeFolder(home)
    token = folder.server_token()
    assert mode(home) == 0o700
    assert mode(home / "server.token") == 0o600
    assert len(token) >= 43
    assert HomeFolder(home).server_token() == token


def test_an_empty_token_of_a_killed_start_is_made_anew(home: Path):
    folder = HomeFolder(home)
    (home / "server.token").touch(mode=0o600)
    assert len(folder.server_token()) >= 43
    assert mode(home / "server.token") == 0o600
    assert sorted(path.name for path in home.iterdir()) == ["server.token"]


def test_running_server_is_seen_while_it_holds_the_lock(home: Path):
    folder = HomeFolder(home)
    assert folder.running_server() is None
    with folder.hold_server_lock(4321):
        assert folder.running_server() == RunningServer(os.getpid(), 4321)
    assert folder.running_server() is None


def test_second_holder_is_refused_by_name(home: Path):
    with HomeFolder(home).hold_server_lock(4321):
        with pytest.raises(Conflict, match=f"process {os.getpid()}"), HomeFolder(home).hold_server_lock(4322):
            pass
        assert HomeFolder(home).running_server() == RunningServer(os.getpid(), 4321)


def test_lock_falls_with_a_killed_process(home: Path):
    holder = (
        "import sys, time; from pathlib import Path; from deeptrust.home import HomeFolder\n"
        "with HomeFolder(Path(sys.argv[1])).hold_server_lock(4321): print('held', flush=True); time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", holder, str(home)], stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"held\n"
    assert HomeFolder(home).running_server() == RunningServer(process.pid, 4321)
    process.kill()
    process.wait(PATIENCE_SECONDS)
    process.stdout.close()
    assert HomeFolder(home).running_server() is None


def test_unusable_folder_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        HomeFolder(tmp_path / "file")


def test_a_home_that_others_could_look_into_is_closed(home: Path, caplog: pytest.LogCaptureFixture):
    home.mkdir(mode=0o755)
    HomeFolder(home)
    assert mode(home) == 0o700
    assert caplog.messages == []


def test_a_folder_that_is_not_ours_to_close_is_left_and_said(
    home: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    home.chmod(0o755)
    HomeFolder(home)  # the person's own home: other programs live there
    monkeypatch.undo()
    home.chmod(0o1777)
    HomeFolder(home)  # a place for everybody, like /tmp
    assert mode(home) == 0o1777
    assert len(caplog.messages) == 2
    assert all("chmod 700" in message and str(home) in message for message in caplog.messages)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_folder_of_another_account_is_left_and_said(home: Path, caplog: pytest.LogCaptureFixture):
    home.mkdir(mode=0o755)
    os.chown(home, 12345, 12345)
    HomeFolder(home)
    assert mode(home) == 0o755
    assert "Other accounts" in caplog.text
