"""The home folder: private to its owner, served by one process at a time."""

import errno
import fcntl
import json
import logging
import os
import secrets
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from deeptrust.errors import Conflict, StoreUnavailable

logger = logging.getLogger(__name__)

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_LOCK_PATIENCE_SECONDS = 0.5  # longer than `running_server` ever holds its shared lock


@dataclass(frozen=True)
class RunningServer:
    """The process that serves a home, and its port."""

    pid: int
    port: int


class HomeFolder:
    """The folder that holds everything of the person's: made at the first use, and closed to all others (0700)."""

    def __init__(self, path: Path) -> None:
        """Open `path` as a home.

        Raises:
            StoreUnavailable: the folder cannot be created or written; the sentence names it and the fix.
        """
        self.path = path
        with self._told():
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not os.access(path, os.W_OK | os.X_OK):
                raise PermissionError(path)
        _keep_private(path)

    @contextmanager
    def hold_server_lock(self, port: int) -> Generator[None]:
        """Be the one server of this home for the duration; the lock falls with the process, however it ends.

        Raises:
            Conflict: another process serves this home; the sentence names it.
            StoreUnavailable: the lock cannot be written, as on a full disk.
        """
        # flock, not lockf: closing some other descriptor of the same file must not drop it.
        with self._told():
            descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not _lock_within(descriptor, _LOCK_PATIENCE_SECONDS):
                raise Conflict(_describe_second_start(self.path, _read_record(self._lock_path)))
            with self._told():
                os.truncate(descriptor, 0)
                os.pwrite(descriptor, json.dumps(asdict(RunningServer(os.getpid(), port))).encode(), 0)
            yield
            os.truncate(descriptor, 0)
        finally:
            os.close(descriptor)

    @contextmanager
    def hold_runs(self) -> Generator[bool]:
        """Yield whether this process may take up what runs in this home: no other one works on it, and none will.

        The lock falls with the process, however it ends.

        Raises:
            StoreUnavailable: the lock cannot be written, as on a full disk.
        """
        with self._told():
            descriptor = os.open(self.path / "runs.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield _lock_within(descriptor, 0)
        finally:
            os.close(descriptor)

    def running_server(self) -> RunningServer | None:
        """Return the server that holds this home now, or None."""
        try:
            descriptor = os.open(self._lock_path, os.O_RDONLY)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _read_record(self._lock_path)
        finally:
            os.close(descriptor)
        return None

    def server_token(self) -> str:
        """Return the secret by which programs of this person speak to the server; kept in a file of mode 0600.

        Raises:
            StoreUnavailable: the file cannot be written, as on a full disk.
        """
        path = self.path / "server.token"
        if path.exists() and (token := path.read_text(encoding="ascii").strip()):
            return token
        unfinished = self.path / f"server.token.{os.getpid()}"
        with self._told():  # whole or not at all: an empty secret would be one that everybody knows
            unfinished.touch(mode=0o600)
            unfinished.write_text(secrets.token_urlsafe(32), encoding="ascii")
            unfinished.replace(path)
        return path.read_text(encoding="ascii").strip()

    @contextmanager
    def _told(self) -> Generator[None]:
        """Tell what the file system refuses in a sentence that names the folder and the fix."""
        try:
            yield
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.EDQUOT}:
                sentence = f"The disk of the home folder {self.path} is full. Free some space"
            else:
                owner = f"chown {os.getuid()} {self.path}"
                sentence = f"The home folder {self.path} cannot be written. Make it yours ({owner})"
            raise StoreUnavailable(f"{sentence}, or choose another with --home DIR.") from error

    @property
    def _lock_path(self) -> Path:
        return self.path / "server.lock"


def _keep_private(path: Path) -> None:
    """Close a home that others may look into; where that is not ours to do, say so."""
    found = path.stat()
    if not found.st_mode & _OTHERS:
        return
    is_everybodys = bool(found.st_mode & stat.S_ISVTX) or path.resolve() == Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - the other one fails for an account without a home
    if found.st_uid == os.geteuid() and not is_everybodys:
        with suppress(OSError):  # some file systems know no modes
            path.chmod(0o700)
    if path.stat().st_mode & _OTHERS:
        logger.warning(
            "Other accounts of this machine may look into the home folder %s, whose mode is not DeepTrust's to change. "
            "Close it (chmod 700), or choose a folder of its own with --home DIR.",
            path,
        )


def _lock_within(descriptor: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
        else:
            return True


def _read_record(path: Path) -> RunningServer | None:
    try:
        return RunningServer(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None  # the holder has the lock, but has not written its name yet


def _describe_second_start(home: Path, server: RunningServer | None) -> str:
    if server is None:
        return f"Another DeepTrust is just starting on {home}. Wait for it, or choose another home with --home DIR."
    return (
        f"DeepTrust already serves {home} at http://127.0.0.1:{server.port} (process {server.pid}). "
        f"Open that page, stop it with `kill {server.pid}`, or choose another home with --home DIR."
    )
