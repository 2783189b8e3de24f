"""The files beside a store's own: copies, and what the file system says when it fails."""

import errno
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from deeptrust.errors import StoreUnavailable


def log_of(file: Path) -> Path:
    """Where DuckDB keeps the write-ahead log of `file`."""
    return file.with_name(file.name + ".wal")


def backup_of(file: Path) -> Path:
    """Where the copy from before the last upgrade stands; it goes with the first text that a person removes."""
    return file.with_name(file.name + ".before-upgrade")


def unfinished_backup_of(file: Path) -> Path:
    """Where that copy stands until it is whole."""
    return file.with_name(file.name + ".before-upgrade.new")


def back_up(file: Path) -> None:
    """Copy `file`, which nobody may have open, to a file beside it, whole or not at all."""
    unfinished = unfinished_backup_of(file)
    shutil.copyfile(file, unfinished)
    unfinished.chmod(0o600)
    sync(unfinished)
    unfinished.replace(backup_of(file))
    sync(file.parent)


def sync(path: Path) -> None:
    """Make the bytes of a file, or the names in a folder, survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def translated() -> Generator[None, None, None]:
    """Tell what the file system refuses in a sentence.

    Raises:
        StoreUnavailable: the disk is full, or the home cannot be written.
    """
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise StoreUnavailable(
                "The disk is full, so nothing was stored. Free some space, then try again."
            ) from error
        raise StoreUnavailable("The home folder cannot be written. Check its permissions and space.") from error
