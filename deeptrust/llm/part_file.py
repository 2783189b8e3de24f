"""A file in the making: `NAME.part` beside its place, kept between attempts, put in place in one step."""

import asyncio
import fcntl
import hashlib
import os
import shutil
import threading
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from deeptrust.errors import Conflict, StoreUnavailable
from deeptrust.llm.memory import gigabytes

_BLOCK_BYTES = 1 << 20
_SPARE_BYTES = 100_000_000
"""Left free for the rest of the program."""


def part_size(folder: Path, name: str) -> int:
    """Bytes of `name` that an earlier attempt has brought."""
    try:
        return _part_path(folder, name).stat().st_size
    except OSError:
        return 0


async def digest_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal, read off the event loop; cancelling stops the reading."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(_hash, path, stop)
    finally:
        stop.set()


class PartFile:
    """A context: open and locked inside, closed and kept after it, whatever happens."""

    def __init__(self, folder: Path, name: str, size_bytes: int) -> None:
        """Nothing is touched yet; `size_bytes` is what the whole file will have."""
        self._folder = folder
        self._target = folder / name
        self._path = _part_path(folder, name)
        self._etag_path = folder / f"{name}.etag"
        self._wanted = size_bytes
        self._file: BinaryIO | None = None
        self.size = 0
        """Bytes that are here."""
        self.etag = ""
        """Strong validator of the version that they are of."""

    def __enter__(self) -> Self:
        """Open and lock it, and see whether the rest has room.

        Raises:
            Conflict: another process writes it.
            StoreUnavailable: the folder cannot be written, or its disk is too small.
        """
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = self._path.open("ab")
            self._lock(self._file)
            self.size = os.fstat(self._file.fileno()).st_size
            self.etag = self._etag_path.read_text(encoding="ascii") if self._etag_path.exists() else ""
            if self.size > self._wanted:
                self.discard()
            self._check_space()
        except OSError as error:
            self._close()
            raise self._unwritable() from error
        except (Conflict, StoreUnavailable):
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it; what came is kept."""
        self._close()

    def begin_at(self, start: int, etag: str) -> None:
        """Go on at byte `start` with the version that `etag` names; a weak one is no use for resuming."""
        if start == 0:
            self.discard()
        self.etag = "" if etag.startswith("W/") or not etag.isascii() else etag
        self._etag_path.write_text(self.etag, encoding="ascii")

    async def write(self, block: bytes) -> None:
        """Append `block`, off the event loop.

        Raises:
            StoreUnavailable: the disk is full or fails.
        """
        try:
            await asyncio.to_thread(self._append, block)
        except OSError as error:
            raise self._unwritable() from error

    async def digest(self) -> str:
        """SHA-256 of what is here, in hexadecimal."""
        return await digest_of(self._path)

    def discard(self) -> None:
        """Begin again with nothing."""
        if self._file:
            self._file.truncate(0)
        self.size, self.etag = 0, ""
        self._etag_path.unlink(missing_ok=True)

    async def finish(self) -> Path:
        """Put the file in its place and return its path: to the reader it is there whole, or not at all.

        Writing gigabytes out to the disk takes seconds, so it is done off the event loop.
        """
        if self._file:
            await asyncio.to_thread(os.fsync, self._file.fileno())
        self._path.replace(self._target)
        self._etag_path.unlink(missing_ok=True)
        return self._target

    def _append(self, block: bytes) -> None:
        if self._file:
            self._file.write(block)
            self._file.flush()
            self.size += len(block)

    def _lock(self, file: BinaryIO) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Conflict(f"Another program is downloading {self._target.name} into the same folder.") from error

    def _check_space(self) -> None:
        missing = self._wanted - self.size + _SPARE_BYTES
        free = shutil.disk_usage(self._folder).free
        if free < missing:
            raise StoreUnavailable(
                f"{self._target.name} needs {gigabytes(missing)} more, but only {gigabytes(free)} are free on the disk "
                "of the models' folder. Free some, or set HF_CACHE_DIR to a folder on another disk."
            )

    def _unwritable(self) -> StoreUnavailable:
        return StoreUnavailable(
            f"{self._target.name} cannot be written: the disk is full, or the models' folder is not yours. "
            "Free some space, or set HF_CACHE_DIR to another folder."
        )

    def _close(self) -> None:
        if self._file:
            self._file.close()
            self._file = None


def _part_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.part"


def _hash(path: Path, stop: threading.Event) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while not stop.is_set() and (block := file.read(_BLOCK_BYTES)):
            digest.update(block)
    return digest.hexdigest()
