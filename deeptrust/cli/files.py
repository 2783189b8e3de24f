"""Files named on the command line: read from disk, passwords asked for, text shown or taken in."""

import asyncio
import sys
from pathlib import Path

import typer

from deeptrust.cli.output import show_progress
from deeptrust.cli.workspace import Workspace
from deeptrust.documents.reader import FileReader
from deeptrust.domain.document import IngestOutcome, IngestStatus, Reading, ReadStatus
from deeptrust.errors import BadDocument
from deeptrust.settings import Settings


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Return the file's bytes.

    Raises:
        BadDocument: there is no such file, it is a folder, too large, or not ours to read.
    """
    try:
        size = path.stat().st_size
        if size > max_bytes:
            raise BadDocument(
                f"{path.name} has {size / 2**20:.1f} MB; the limit is {max_bytes / 2**20:.4g} MB. "
                "Split it and add the parts."
            )
        return path.read_bytes()
    except IsADirectoryError as error:
        raise BadDocument(f"{path} is a folder. Name the files in it.") from error
    except FileNotFoundError as error:
        raise BadDocument(f"There is no file {path}.") from error
    except OSError as error:
        raise BadDocument(f"{path} cannot be read: {error.strerror}.") from error


async def read_text(path: Path, settings: Settings) -> Reading:
    """Read a file without storing anything; an encrypted PDF takes the password of the settings, or asks.

    Raises:
        BadDocument: there is no such file.
    """
    data = read_bytes(path, settings.max_document_bytes)
    reader = FileReader(settings.max_document_bytes)
    reading = await reader.read(data, path.name, _password(settings))
    if reading.status == ReadStatus.NEEDS_PASSWORD and (password := await _ask_password(path)):
        reading = await reader.read(data, path.name, password)
    return reading


async def add_files(workspace: Workspace, paths: list[Path], settings: Settings) -> list[IngestOutcome]:
    """Take in each file; one that fails does not keep the others out."""
    outcomes: list[IngestOutcome] = []
    with show_progress() as on_progress:
        for path in paths:
            try:
                data = read_bytes(path, settings.max_document_bytes)
            except BadDocument as refusal:
                outcomes.append(IngestOutcome(name=path.name, status=IngestStatus.FAILED, reason=str(refusal)))
                continue
            outcome = await workspace.add_file(data, path.name, _password(settings), on_progress)
            if outcome.status == IngestStatus.NEEDS_PASSWORD and (password := await _ask_password(path)):
                outcome = await workspace.add_file(data, path.name, password, on_progress)
            outcomes.append(outcome)
    return outcomes


def is_taken_in(outcome: IngestOutcome) -> bool:
    """Whether the file's text can be asked about now."""
    return outcome.status in (IngestStatus.ADDED, IngestStatus.DUPLICATE)


def _password(settings: Settings) -> str | None:
    return settings.pdf_password.get_secret_value() if settings.pdf_password else None


async def _ask_password(path: Path) -> str | None:
    """Ask on the terminal; None where nobody is there to answer."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    return await asyncio.to_thread(typer.prompt, f"Password of {path.name}", hide_input=True, err=True)
