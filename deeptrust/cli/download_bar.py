"""The progress bar of a download."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from deeptrust.domain.model import DownloadProgress

_stderr = Console(stderr=True)


@contextmanager
def show_download(model_id: str) -> Generator[Callable[[DownloadProgress], None]]:
    """Show a bar with bytes, rate and time left on stderr, if a person is looking."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=_stderr, transient=True, disable=not _stderr.is_terminal) as bar:
        task = bar.add_task(model_id, total=None)

        def show(progress: DownloadProgress) -> None:
            description = progress.message or f"{model_id}: {progress.phase}"
            bar.update(task, description=description, completed=progress.received_bytes, total=progress.total_bytes)

        yield show
