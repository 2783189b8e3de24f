"""`deeptrust ingest` and `deeptrust documents`: what is in the workspace, and how it gets there."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from deeptrust.cli.files import add_files, is_taken_in, read_text
from deeptrust.cli.options import HomeOption, JsonOption, OfflineOption
from deeptrust.cli.output import print_json
from deeptrust.cli.workspace import open_workspace
from deeptrust.domain.document import Document, IngestOutcome, Reading, ReadStatus
from deeptrust.language.counting import count
from deeptrust.settings import Settings, load_settings


def ingest(
    files: Annotated[list[Path], typer.Argument(help="PDF, text or Markdown files.")],
    text: Annotated[bool, typer.Option("--text", help="Show what is read from the files; store nothing.")] = False,
    json: JsonOption = False,
    home: HomeOption = None,
    offline: OfflineOption = False,
) -> None:
    """Add files to your documents. An encrypted PDF takes DEEPTRUST_PDF_PASSWORD, or asks for its password."""
    settings = load_settings(home=home, offline=offline or None)
    if text:
        _show_texts(files, settings, json)
    else:
        _add(files, settings, json)


def documents(json: JsonOption = False, home: HomeOption = None, offline: OfflineOption = False) -> None:
    """List your documents."""
    settings = load_settings(home=home, offline=offline or None)
    found = asyncio.run(_list(settings))
    if json:
        print_json({"documents": [document.to_wire() for document in found]})
        return
    for document in found:
        typer.echo(f"{document.label}  ({_sizes(document)})")
    if not found:
        typer.echo("No documents yet. Add some with: deeptrust ingest FILE...")


def _add(files: list[Path], settings: Settings, json: bool) -> None:
    outcomes = asyncio.run(_ingest(files, settings))
    if json:
        print_json({"files": [outcome.to_wire() for outcome in outcomes]})
    else:
        for outcome in outcomes:
            typer.echo(_describe(outcome))
    if not all(is_taken_in(outcome) for outcome in outcomes):
        raise typer.Exit(2)


def _show_texts(files: list[Path], settings: Settings, json: bool) -> None:
    readings = [(path.name, asyncio.run(read_text(path, settings))) for path in files]
    if json:
        shown = [{"name": name, **_text_of(reading)} for name, reading in readings]
        print_json(shown[0] if len(shown) == 1 else {"files": shown})
    else:
        for name, reading in readings:
            typer.echo(f"{name}: {reading.reason or reading.status}")
            for page in reading.pages:
                typer.echo(f"\n--- page {page.number} ---\n{page.text}")
    if any(reading.status != ReadStatus.OK for _, reading in readings):
        raise typer.Exit(2)


async def _ingest(files: list[Path], settings: Settings) -> list[IngestOutcome]:
    async with open_workspace(settings) as workspace:
        return await add_files(workspace, files, settings)


async def _list(settings: Settings) -> list[Document]:
    async with open_workspace(settings) as workspace:
        return await workspace.documents()


def _text_of(reading: Reading) -> dict[str, object]:
    return {
        "status": reading.status,
        "reason": reading.reason,
        "pages": [{"page": page.number, "text": page.text} for page in reading.pages],
    }


def _describe(outcome: IngestOutcome) -> str:
    if outcome.document is None:
        return f"{outcome.name}: {outcome.reason}"
    remark = f". {outcome.reason}" if outcome.reason else ""
    return f"{outcome.name}: {outcome.status} ({_sizes(outcome.document)}){remark}"


def _sizes(document: Document) -> str:
    return f"{count(document.page_count, 'page')}, {count(document.passage_count, 'passage')}"
