"""The home folder: private to its owner, served by one process at a time."""

import fcntl
import json
import os
import secrets
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from deeptrust.errors import Conflict, StoreUnavailable

_LOCK_PATIENCE_SECONDS = 0.5  # longer than `running_server` ever holds its shared lock


@dataclass(frozen=True)
class RunningServer:
    """The process that serves a home, and its port."""

    pid: int
    port: int


class HomeFolder:
    """The folder that holds everything of the person's: created on first use, mode 0700."""

    def __init__(self, path: Path) -> None:
        """Open `path` as a home.

        Raises:
            StoreUnavailable: the folder cannot be created or written; the sentence names it and the fix.
        """
        self.path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            is_usable = os.access(path, os.W_OK | os.X_OK)
        except OSError:
            is_usable = False
        if not is_usable:
            raise StoreUnavailable(
                f"The home folder {path} cannot be written. "
                f"Make it yours (chown {os.getuid()} {path}) or choose another with --home DIR."
            )

    @contextmanager
    def hold_server_lock(self, port: int) -> Generator[None]:
        """Be the one server of this home for the duration; the lock falls with the process, however it ends.

        Raises:
            Conflict: another process serves this home; the sentence names it.
        """
        # flock, not lockf: closing some other descriptor of the same file must not drop it.
        descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not _lock_within(descriptor, _LOCK_PATIENCE_SECONDS):
                raise Conflict(_describe_second_start(self.path, _read_record(self._lock_path)))
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps(asdict(RunningServer(os.getpid(), port))).encode(), 0)
            yield
            os.truncate(descriptor, 0)
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
        """Return the secret by which programs of this person speak to the server; kept in a file of mode 0600."""
        path = self.path / "server.token"
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path.read_text(encoding="ascii").strip()
        token = secrets.token_urlsafe(32)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(token)
        return token

    @property
    def _lock_path(self) -> Path:
        return self.path / "server.lock"


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
