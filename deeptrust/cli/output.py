"""What commands print: one JSON object, or words for a person; notes always go to stderr."""

import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from deeptrust.domain.answer import GroundedAnswer
from deeptrust.domain.document import IngestProgress

_stderr = Console(stderr=True)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def print_json(value: object) -> None:
    """Print one JSON object on stdout."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_note(sentence: str) -> None:
    """Print a sentence for the person on stderr."""
    typer.echo(sentence, err=True)


def print_answer(answer: GroundedAnswer) -> None:
    """Print an answer for a person: text, sources with their pages, what to do next."""
    typer.echo(_to_plain(answer.text))
    if answer.citations:
        typer.echo("\nSources")
    for citation in answer.citations:
        place = f", page {citation.page}" if citation.page else ""
        typer.echo(f"[{citation.number}] {citation.title}{place}")
    if answer.guidance:
        typer.echo(f"\n{_to_plain(answer.guidance)}")


@contextmanager
def show_progress() -> Generator[Callable[[IngestProgress], None]]:
    """Show a bar on stderr while files are taken in, if a person is looking."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=_stderr, transient=True, disable=not _stderr.is_terminal) as progress:
        task = progress.add_task("", total=None)

        def update(step: IngestProgress) -> None:
            progress.update(task, description=f"{step.name}: {step.stage}", completed=step.done, total=step.total)

        yield update


def _to_plain(markdown: str) -> str:
    """What a page shows of escaped Markdown: CommonMark lets a backslash escape any ASCII punctuation mark."""
    return _ESCAPED.sub(r"\1", markdown)
